import Foundation

/// A temporary folder, which is deleted with this object.
public final class ScratchFolder {
    public let path: String

    public init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-test-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            preconditionFailure("cannot make a temporary folder: \(error)")
        }
        // The path as the system reports it, so that paths in messages can be compared.
        path = folder.resolvingSymlinksInPath().path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of its contents, sorted, including hidden files.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    @discardableResult
    public func write(_ text: String, _ name: String) throws -> String {
        try write(Array(text.utf8), name)
    }

    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
}
