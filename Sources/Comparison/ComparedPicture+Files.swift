import Foundation
import Waymark
import WaymarkImaging
import WaymarkSystem

extension ComparedPicture {
    /// Reads a picture file and, if it exists, the picture's inspection. Batches and sweeps write the inspection to a file with the same
    /// name and the extension `.json`. A JSON file that is not the inspection of a picture of this size is ignored.
    public init(contentsOf path: String) throws(ImagingError) {
        self.init(try Bitmap(contentsOf: path), inspection: Self.inspection(at: Self.inspectionPath(of: path)))
        guard let viewport = inspection?.viewport else { return }
        // The inspection belongs to a different picture.
        if viewport.deviceWidth != bitmap.width || viewport.deviceHeight != bitmap.height { inspection = nil }
    }

    /// The path of the inspection that belongs to a picture.
    package static func inspectionPath(of path: String) -> String {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        return String(name.lastIndex(of: ".").map { path[..<$0] } ?? path[...]) + ".json"
    }

    private static func inspection(at path: String) -> Inspection? {
        guard FileSystem.isFile(path), let bytes = try? WholeFile.read(path, as: .scene) else { return nil }
        return try? JSONDecoder().decode(Inspection.self, from: Data(bytes))
    }
}

/// The pictures in a folder and its subfolders.
package enum PictureFolder {
    /// The paths of the pictures relative to the folder, sorted. Links to folders are not followed.
    package static func pictures(in folder: String) throws(SystemError) -> [String] {
        var found: [String] = []
        var folders = [""]
        while let inner = folders.popLast() {
            for name in try FileSystem.names(in: inner.isEmpty ? folder : "\(folder)/\(inner)") {
                let path = inner.isEmpty ? name : "\(inner)/\(name)"
                guard let status = try? FileStatus("\(folder)/\(path)", followsLinks: false) else { continue }
                if status.form == .folder {
                    folders.append(path)
                } else if isPicture(name) {
                    found.append(path)
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func isPicture(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return ["png", "jpg", "jpeg", "webp", "bmp"].contains(name[name.index(after: dot)...].lowercased())
    }
}

extension ComparisonReport {
    /// Compares the pictures of two folders, matching them by their relative paths. A picture that exists in only one folder, or that
    /// cannot be read, counts as a difference.
    /// - Throws: `ImagingError` if a picture cannot be encoded for the page; `SystemError` if a folder cannot be read.
    package mutating func compareFolders(expected: String, actual: String) throws {
        let old = try PictureFolder.pictures(in: expected)
        let new = Set(try PictureFolder.pictures(in: actual))
        for name in Set(old).union(new).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            func read(_ folder: String, _ isThere: Bool) -> Result<ComparedPicture, ImagingError>? {
                guard isThere else { return nil }
                return Result { () throws(ImagingError) in try ComparedPicture(contentsOf: "\(folder)/\(name)") }
            }
            switch (read(expected, old.contains(name)), read(actual, new.contains(name))) {
            case (.success(let first), .success(let second)): try compare(name, expected: first, actual: second)
            case (nil, let second): try fail(name, because: "\(expected) has no such picture", actual: try? second?.get())
            case (let first, nil): try fail(name, because: "\(actual) has no such picture", expected: try? first?.get())
            case (.failure(let error), let second): try fail(name, because: error.description, actual: try? second?.get())
            case (let first, .failure(let error)): try fail(name, because: error.description, expected: try? first?.get())
            }
        }
    }
}
