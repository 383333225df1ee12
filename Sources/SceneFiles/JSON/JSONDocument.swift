import CWaymarkJSON
import WaymarkSystem

/// A parsed JSON text (RFC 8259). Owns simdjson's buffers for its lifetime.
///
/// Read it through ``root``, whose values keep the document alive, or in bulk through ``withTape(_:)``.
///
/// Choices that RFC 8259 leaves open: a leading UTF-8 byte order mark is skipped, objects and arrays nest at most 1,000 deep, a text is at
/// most 4 GiB, and escaped unpaired surrogates are refused. `-0` is the integer 0 (simdjson's choice); `-0.0` keeps its sign.
package final class JSONDocument {
    let tape: JSONTape
    private let handle: OpaquePointer

    /// Parses `bytes`, which are not needed after the call.
    package convenience init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        self.init(try Self.parse(bytes))
    }

    package convenience init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        // A span is used, because `Array.withUnsafeBytes` erases the type of the error.
        self.init(try bytes.span.withUnsafeBytes { (bytes) throws(JSONSyntaxError) in try Self.parse(bytes) })
    }

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        tape = JSONTape(
            words: wm_json_tape(handle), wordCount: wm_json_tape_count(handle), strings: wm_json_strings(handle))
    }

    deinit {
        wm_json_free(handle)
    }
}

extension JSONDocument {
    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, node: tape.root) }

    /// Passes the tape to `body` for a traversal of many values. The tape, which cannot be copied, and pointers into it must not escape
    /// `body`.
    package func withTape<Result, Failure: Error>(_ body: (borrowing JSONTape) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(tape)
    }

    /// A node found in ``withTape(_:)``, as a value.
    package func value(at node: JSONNode) -> JSONValue { JSONValue(document: self, node: node) }

    /// An error at a node found in ``withTape(_:)``.
    package func error(at node: JSONNode, _ problem: String) -> SceneFileError {
        SceneFileError(path: tape.path(to: node), problem: problem)
    }
}

extension JSONDocument {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> OpaquePointer {
        let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var handle: OpaquePointer?
        var status = parse(UnsafeRawBufferPointer(rebasing: bytes[start...]), into: &handle)
        if let handle { return handle }
        switch status {
        case WM_JSON_CAPACITY: throw JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "the document is larger than 4 GiB")
        case WM_JSON_MEMORY: throw JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not enough memory")
        default: break
        }
        // simdjson reports the error, but not its position. If the scanner accepts the text, it contains integers beyond 64 bits, which
        // simdjson refuses although they are valid JSON. With an exponent, simdjson reads them as doubles.
        var scanner = JSONScanner(bytes, from: start)
        try scanner.scan()
        var patched: [UInt8] = []
        patched.reserveCapacity(bytes.count + 2 * scanner.wideIntegerEnds.count)
        var copied = start
        for end in scanner.wideIntegerEnds {
            patched += bytes[copied..<end]
            patched += "e0".utf8
            copied = end
        }
        patched += bytes[copied...]
        status = patched.withUnsafeBytes { parse($0, into: &handle) }
        if let handle { return handle }
        throw JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not JSON (parser status \(status.rawValue))")
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into handle: inout OpaquePointer?) -> wm_json_status {
        wm_json_parse(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &handle)
    }
}

extension JSONDocument {
    /// The library that parses JSON, for `waymark doctor`.
    package static var library: LibraryFacts {
        LibraryFacts("simdjson", version: String(cString: wm_json_version()), purpose: "scene files")
    }
}
