import Foundation
import WaymarkScene
import WaymarkSystem

/// A model file being read: its access to other files, its textures, and its warnings.
struct ModelSource {
    /// The path as written in the scene, relative to the scene's folder.
    private let path: String
    /// The file to open, which the scene is allowed to read.
    private let file: String
    private let options: SceneFileOptions
    private(set) var images: ImageTable
    private(set) var warnings: [Diagnostic] = []
    /// Whether the last error was a missing or unreadable file.
    private(set) var isUnreadable = false
    private var reported: Set<String> = []

    init(path: String, file: String, images: ImageTable, options: SceneFileOptions) {
        self.path = path
        self.file = file
        self.images = images
        self.options = options
    }

    /// The path relative to the working directory, for messages.
    private func shown(_ path: String) -> String { options.shownPath(of: path, in: images.folder) }

    /// A file name that occurs in the file, for messages. If the scene knows folders only by name, the folders of an absolute path are
    /// left out.
    private func shownName(_ name: String) -> String {
        guard case .folders = options.resources, name.hasPrefix("/") else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// The path of a referenced file, relative to the scene's folder.
    /// - Parameter other: An intermediate file, referenced by this one, that contains the reference.
    private func path(of name: String, relativeTo other: String? = nil) -> String {
        // Files written on Windows often have backslashes.
        let name = name.replacingOccurrences(of: "\\", with: "/")
        if name.hasPrefix("/") { return name }
        let base = other.map { path(of: $0) } ?? path
        return SceneFile.folder(of: base) + name
    }
}

extension ModelSource {
    /// An error at a location in the file, or in a referenced file.
    func error(_ place: String, _ problem: String, file: String? = nil) -> SceneFileError {
        SceneFileError(file: shown(file.map { path(of: $0) } ?? path), path: place, problem: problem)
    }

    /// An error phrased for the scene: it names files by their paths from the scene's folder, as written in the scene.
    func named(_ error: SceneFileError) -> String {
        var error = error
        if let file = error.file, !images.folder.isEmpty, file.hasPrefix(images.folder) {
            error.file = String(file.dropFirst(images.folder.count))
        }
        return error.description
    }

    /// Adds a warning, once per problem and up to a limit.
    /// - Parameter place: The location. It is evaluated only if the warning is added, because finding it may take long.
    mutating func warn(_ place: @autoclosure () -> String, _ problem: String, file: String? = nil) {
        guard reported.count < Self.mostWarnings, reported.insert(problem).inserted else { return }
        let isLast = reported.count == Self.mostWarnings
        let (name, place) = (file.map { path(of: $0) } ?? path, place())
        warnings.append(
            Diagnostic(
                path: place.isEmpty ? name : "\(name): \(place)",
                message: problem + (isLast ? "; further warnings about this file are not shown" : ""))
        )
    }

    private static let mostWarnings = 20

    /// The bytes of the file itself.
    mutating func bytes() throws(SceneFileError) -> [UInt8] {
        do throws(FileError) {
            return try options.read(file, as: .model)
        } catch {
            isUnreadable = error.reason == .cannotRead
            throw SceneFileError(file: shown(path), path: "", problem: error.problem)
        }
    }

    func exists(_ name: String) -> Bool {
        options.path(of: path(of: name), in: images.folder).map(FileSystem.exists) ?? false
    }

    /// The bytes of a referenced file.
    /// - Parameter count: The number of bytes needed from its beginning; nil for all.
    mutating func bytes(
        of name: String, as kind: InputKind, first count: Int? = nil, at place: @autoclosure () -> String
    ) throws(SceneFileError) -> [UInt8] {
        guard let file = options.path(of: path(of: name), in: images.folder) else {
            throw error(place(), SceneFileOptions.refusal(of: shownName(name)))
        }
        do throws(FileError) {
            options.inputs?.note(file)
            guard let count else { return try WholeFile.read(file, as: kind) }
            return try WholeFile.read(file, as: kind, first: count)
        } catch {
            isUnreadable = error.reason == .cannotRead
            throw self.error(place(), "\(name): \(error.problem)")
        }
    }

    /// The bytes of an optional file; nil, with a warning, if it cannot be read.
    mutating func companion(_ name: String, at place: String) throws(SceneFileError) -> [UInt8]? {
        do throws(SceneFileError) {
            return try bytes(of: name, as: .materialLibrary, at: place)
        } catch {
            guard isUnreadable else { throw error }
            isUnreadable = false
            warn(place, error.problem)
            return nil
        }
    }

    /// A texture in a file referenced by this one, or by `other`.
    mutating func texture(
        _ name: String, relativeTo other: String? = nil, at place: @autoclosure () -> String
    ) throws(SceneFileError) -> OverlayImage {
        do throws(ImageTable.Refusal) {
            return try images.texture(path: path(of: name, relativeTo: other), name: shownName(name))
        } catch {
            throw self.error(place(), error.text, file: other)
        }
    }

    /// A texture embedded in the file.
    mutating func texture(bytes: [UInt8], at place: @autoclosure () -> String) throws(SceneFileError) -> OverlayImage {
        do throws(ImageTable.Refusal) {
            return try images.texture(bytes: bytes)
        } catch {
            throw self.error(place(), error.text)
        }
    }
}
