import Glibc
import WaymarkImaging

/// The folder that pictures are written into, and never beside: sub-folders are opened one in another, and none of them may be a link.
struct OutputFolder {
    let path: String

    /// Makes a picture's file, whole or not at all, and the folders that it is in.
    func write(_ bytes: [UInt8], to output: OutputPath) throws(JobError) {
        let file = try begin(output)
        do throws(ImagingError) {
            try file.write(bytes)
            try file.finish()
        } catch {
            throw JobError(error, output)
        }
    }

    /// Begins a picture's file, and makes the folders that it is in.
    func begin(_ output: OutputPath) throws(JobError) -> UnfinishedFile {
        var folder = try Folder(opening: path)
        for (index, name) in output.components.dropLast().enumerated() {
            do throws(Refusal) {
                folder = try folder.subfolder(name)
            } catch {
                let place = output.components[...index].joined(separator: "/")
                throw JobError(.cannotWrite, "output: \(output.path): \(error.isLink ? "\(place) is a link" : "\(place): \(error.words)")")
            }
        }
        do throws(ImagingError) {
            return try UnfinishedFile(
                named: output.components[output.components.count - 1], in: folder.number, temporary: output.temporaryName)
        } catch {
            throw JobError(error, output)
        }
    }

    /// Removes what a worker that was killed may have left of a picture.
    func removeLeftover(of output: OutputPath) {
        do throws(Refusal) {
            var folder = try Folder(existing: path)
            for name in output.components.dropLast() { folder = try folder.subfolder(name, isMade: false) }
            unlinkat(folder.number, output.temporaryName, 0)
        } catch {
            // No folder, no leftover.
        }
    }

    /// Why a folder cannot be opened or made.
    private struct Refusal: Error {
        var errno: CInt
        var isLink = false

        var words: String { String(cString: strerror(errno)) }
    }

    /// An open folder, closed when it goes.
    private final class Folder {
        let number: CInt
        private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

        /// The folder of a path, which may lead over links, made when it is not there.
        init(opening path: String) throws(JobError) {
            var number = Glibc.open(path, Self.flags)
            if number < 0, errno == ENOENT {
                Self.make(path)
                number = Glibc.open(path, Self.flags)
            }
            guard number >= 0 else { throw JobError(.cannotWrite, "\(path): \(String(cString: strerror(errno)))") }
            self.number = number
        }

        init(existing path: String) throws(Refusal) {
            let number = Glibc.open(path, Self.flags)
            guard number >= 0 else { throw Refusal(errno: errno) }
            self.number = number
        }

        private init(number: CInt) {
            self.number = number
        }

        deinit { close(number) }

        /// Whoever opens it next tells what is wrong.
        private static func make(_ path: String) {
            for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o777) }
            mkdir(path, 0o777)
        }

        /// A folder in this one, made when it is not there.
        func subfolder(_ name: String, isMade: Bool = true) throws(Refusal) -> Folder {
            var found = openat(number, name, Self.flags | O_NOFOLLOW)
            if found < 0, errno == ENOENT, isMade {
                // Another worker may be faster.
                guard mkdirat(number, name, 0o777) == 0 || errno == EEXIST else { throw Refusal(errno: errno) }
                found = openat(number, name, Self.flags | O_NOFOLLOW)
            }
            guard found >= 0 else {
                let code = errno
                var status = stat()
                let isLink = fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
                throw Refusal(errno: code, isLink: isLink)
            }
            return Folder(number: found)
        }
    }
}

extension OutputPath {
    /// What the file is called while it is written: the same at every try, so that the next one takes over what the last one left.
    var temporaryName: String { ".waymark-\(Fingerprint(path.utf8).text).tmp" }
}
