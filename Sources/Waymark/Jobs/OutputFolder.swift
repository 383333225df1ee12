import WaymarkSystem

/// The folder that contains all pictures. Subfolders are opened one level at a time, and none of them may be a symbolic link.
package struct OutputFolder {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Writes a picture's file atomically, and creates its folders.
    func write(_ bytes: [UInt8], to output: OutputPath) throws(Failure) {
        let file = try begin(output)
        do throws(FileError) {
            try file.write(bytes)
            try file.finish()
        } catch {
            throw Failure(error, output)
        }
    }

    /// Begins a picture's file, and creates its folders.
    func begin(_ output: OutputPath) throws(Failure) -> UnfinishedFile {
        var folder = try open()
        for (index, name) in output.components.dropLast().enumerated() {
            do throws(SystemError) {
                folder = try folder.subfolder(name)
            } catch {
                let part = output.components[...index].joined(separator: "/")
                throw Failure(.cannotWrite, "output: \(output.path): \(folder.isLink(name) ? "\(part) is a link" : "\(part): \(error)")")
            }
        }
        do throws(FileError) {
            return try UnfinishedFile(
                named: output.components[output.components.count - 1], in: folder, temporary: output.temporaryName)
        } catch {
            throw Failure(error, output)
        }
    }

    /// The recorded input file that a picture would replace, or the folder of tiles that would contain the picture; nil for neither.
    func input(of inputs: InputRecord, replacedBy output: OutputPath) -> ReplacedInput? {
        inputs.input(replacedBy: "\(path)/\(output.path)")
    }

    /// Opens the output folder, whose path may contain links, and creates it if it is missing.
    private func open() throws(Failure) -> Folder {
        do throws(SystemError) {
            do throws(SystemError) {
                return try Folder(path)
            } catch {
                guard error == .notFound else { throw error }
            }
            // If this fails, opening fails as well, with a better message.
            try? FileSystem.makeFolder(path)
            return try Folder(path)
        } catch {
            throw Failure(.cannotWrite, "\(path): \(error)")
        }
    }

    /// Removes a picture.
    func remove(_ output: OutputPath) { remove(output.components[output.components.count - 1], inFolderOf: output) }

    /// Removes the unfinished picture of a worker that was killed.
    package func removeLeftover(of output: OutputPath) { remove(output.temporaryName, inFolderOf: output) }

    private func remove(_ name: String, inFolderOf output: OutputPath) {
        do throws(SystemError) {
            var folder = try Folder(path)
            for name in output.components.dropLast() { folder = try folder.subfolder(name, isCreated: false) }
            folder.remove(name)
        } catch {
            // Without the folder, there is nothing to remove.
        }
    }
}

extension OutputPath {
    /// The name of the unfinished file. It is the same for every attempt, so that the next one replaces a leftover.
    var temporaryName: String { ".waymark-\(Fingerprint(path.utf8).text).tmp" }
}
