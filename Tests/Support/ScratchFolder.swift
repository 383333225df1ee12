import Foundation

/// A folder of a test's own, gone with it.
public final class ScratchFolder {
    public let path: String

    public init() {
        var template = Array("/tmp/waymark-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "cannot make a temporary folder")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What lies in it, sorted, hidden files too.
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
