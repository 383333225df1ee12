import Foundation
import WaymarkScene

/// The numeric data of a glTF file: accessors, buffer views and buffers, each read at its first use.
struct GLTFData {
    private let accessors: [JSONValue]
    private let views: [JSONValue]
    private let buffers: [JSONValue]
    /// The binary chunk of a GLB file.
    private let binary: [UInt8]?
    private var loaded: [Int: [UInt8]] = [:]

    init(_ root: JSONValue, binary: [UInt8]?) throws(SceneFileError) {
        accessors = try GLTFReader.list("accessors", of: root)
        views = try GLTFReader.list("bufferViews", of: root)
        buffers = try GLTFReader.list("buffers", of: root)
        self.binary = binary
    }

    /// The location of an accessor's numbers, validated to lie within the buffer.
    struct Accessor {
        let value: JSONValue
        let buffer: Int
        let offset: Int
        let stride: Int
        let count: Int
        let components: Int
        let type: Component
        let isNormalized: Bool
    }

    enum Component: Int {
        case byte = 5120
        case unsignedByte = 5121
        case short = 5122
        case unsignedShort = 5123
        case unsignedInt = 5125
        case float = 5126

        var size: Int {
            switch self {
            case .byte, .unsignedByte: 1
            case .short, .unsignedShort: 2
            case .unsignedInt, .float: 4
            }
        }
    }

    /// The location of a buffer view's bytes.
    struct View {
        let buffer: Int
        let range: Range<Int>
        let stride: Int?
    }
}

extension GLTFData {
    /// The valid sizes and offsets in a file, in bytes.
    private static let sizes = 0...(1 << 40)

    /// Reads an accessor of vectors with `components` numbers each.
    /// - Parameter value: Its index, at the place where it is referenced.
    mutating func accessor(_ value: JSONValue, components: Int, _ source: inout ModelSource) throws(SceneFileError) -> Accessor {
        let accessor = try GLTFReader.element(value, of: accessors, "accessor").element
        guard accessor["sparse"] == nil else { throw accessor.error("sparse accessors are not read") }
        guard let type = accessor["type"], let code = accessor["componentType"], let number = accessor["count"] else {
            throw accessor.error("missing key \"type\", \"componentType\" or \"count\"")
        }
        let expected = components == 1 ? "SCALAR" : "VEC\(components)"
        guard try type.readString() == expected else {
            throw type.error("expected \"\(expected)\", found \(type.brief)")
        }
        guard let component = Component(rawValue: try code.readInteger()) else {
            throw code.error("there is no component type \(code.brief)")
        }
        let count = try number.readInteger(in: 1...Self.sizes.upperBound)
        guard let viewNumber = accessor["bufferView"] else { throw accessor.error("missing key \"bufferView\": it has no numbers") }
        let view = try view(viewNumber, &source)
        let size = component.size * components
        let stride = view.stride ?? size
        guard stride >= size else { throw accessor.error("its elements of \(size) bytes overlap: they follow each other by \(stride)") }
        let offset = try accessor["byteOffset"]?.readInteger(in: Self.sizes) ?? 0
        // Both at most 2⁴⁰ · 2⁸.
        guard offset + stride * (count - 1) + size <= view.range.count else {
            throw accessor.error(
                "its \(count) elements take \(offset + stride * (count - 1) + size) bytes, and the view has \(view.range.count)")
        }
        return Accessor(
            value: accessor, buffer: view.buffer, offset: view.range.lowerBound + offset, stride: stride, count: count,
            components: components, type: component, isNormalized: try accessor["normalized"]?.readBoolean() ?? false)
    }

    /// Reads an accessor of vertex indices.
    mutating func indexAccessor(_ value: JSONValue, _ source: inout ModelSource) throws(SceneFileError) -> Accessor {
        let accessor = try accessor(value, components: 1, &source)
        switch accessor.type {
        case .unsignedByte, .unsignedShort, .unsignedInt: return accessor
        case .byte, .short, .float: throw accessor.value.error("indices are unsigned whole numbers")
        }
    }

    /// Reads a buffer view, and its buffer.
    mutating func view(_ value: JSONValue, _ source: inout ModelSource) throws(SceneFileError) -> View {
        let view = try GLTFReader.element(value, of: views, "bufferView").element
        guard let number = view["buffer"], let length = view["byteLength"] else {
            throw view.error("missing key \"buffer\" or \"byteLength\"")
        }
        let (index, buffer) = try GLTFReader.element(number, of: buffers, "buffer")
        let count = try load(index, buffer, &source)
        let offset = try view["byteOffset"]?.readInteger(in: Self.sizes) ?? 0
        let size = try length.readInteger(in: Self.sizes)
        guard offset + size <= count else {
            throw view.error("it ends at byte \(offset + size), and the buffer has \(count)")
        }
        return View(buffer: index, range: offset..<offset + size, stride: try view["byteStride"]?.readInteger(in: 4...252))
    }

    func bytes(_ view: View) -> [UInt8] { Array((loaded[view.buffer] ?? [])[view.range]) }

    /// Reads the bytes of a buffer.
    /// - Returns: Their number.
    private mutating func load(_ index: Int, _ buffer: JSONValue, _ source: inout ModelSource) throws(SceneFileError) -> Int {
        guard let length = buffer["byteLength"] else { throw buffer.error("missing key \"byteLength\"") }
        let count = try length.readInteger(in: Self.sizes)
        if loaded[index] != nil { return count }
        let bytes: [UInt8]
        if let uri = buffer["uri"] {
            bytes = try source.bufferBytes(uri: uri, first: count)
        } else if index == 0, let binary {
            bytes = binary
        } else {
            throw buffer.error("missing key \"uri\", and there is no binary chunk for it")
        }
        guard count <= bytes.count else { throw length.error("the buffer says that it has \(count) bytes, and it has \(bytes.count)") }
        loaded[index] = bytes
        return count
    }
}

extension GLTFData {
    /// The numbers of an accessor, in order; normalized integers become fractions (glTF 2.0, "Accessors").
    func numbers(_ accessor: Accessor) throws(SceneFileError) -> [Float] {
        let components = accessor.components
        var numbers: [Float] = []
        numbers.reserveCapacity(accessor.count * components)
        let buffer = loaded[accessor.buffer] ?? []
        let bytes = buffer.span.bytes
        for index in 0..<accessor.count {
            let start = accessor.offset + index * accessor.stride
            for component in 0..<components {
                let number = Self.number(bytes, at: start + component * accessor.type.size, accessor)
                guard number.isFinite else { throw accessor.value.error("element \(index) is not finite") }
                numbers.append(number)
            }
        }
        return numbers
    }

    /// The indices of an accessor; throws unless all are below `count`.
    func indices(_ accessor: Accessor, below count: Int) throws(SceneFileError) -> [UInt32] {
        var indices: [UInt32] = []
        indices.reserveCapacity(accessor.count)
        let buffer = loaded[accessor.buffer] ?? []
        let bytes = buffer.span.bytes
        for number in 0..<accessor.count {
            let offset = accessor.offset + number * accessor.stride
            // Any byte values are valid numbers; the accessor's bounds were checked, and a read beyond the buffer would trap.
            let index: UInt32 =
                switch accessor.type.size {
                case 1: UInt32(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
                case 2: UInt32(UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
                default: UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
                }
            guard index < count else { throw accessor.value.error("index \(index), its element \(number), is outside 0…\(count - 1)") }
            indices.append(index)
        }
        return indices
    }

    /// Any byte values are valid numbers; the accessor's bounds were checked, and a read beyond the buffer would trap.
    @inline(__always)
    private static func number(_ bytes: RawSpan, at offset: Int, _ accessor: Accessor) -> Float {
        let isNormalized = accessor.isNormalized
        switch accessor.type {
        case .float:
            return Float(bitPattern: UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        case .byte:
            let number = Float(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int8.self))
            return isNormalized ? max(number / 127, -1) : number
        case .unsignedByte:
            let number = Float(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
            return isNormalized ? number / 255 : number
        case .short:
            let number = Float(Int16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)))
            return isNormalized ? max(number / 32767, -1) : number
        case .unsignedShort:
            let number = Float(UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            return isNormalized ? number / 65535 : number
        case .unsignedInt:
            return Float(UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
    }
}

extension ModelSource {
    /// The bytes of a `data:` URI; nil for any other.
    func bytes(dataURI uri: JSONValue) throws(SceneFileError) -> [UInt8]? {
        let text = try uri.readString()
        guard text.hasPrefix("data:") else { return nil }
        guard let bytes = [UInt8](base64URI: text) else { throw uri.error("expected data:…;base64,… with base64 data") }
        return bytes
    }

    /// The bytes of a buffer's URI: of a file, no more than `count`, which the buffer declares.
    mutating func bufferBytes(uri: JSONValue, first count: Int) throws(SceneFileError) -> [UInt8] {
        if let bytes = try bytes(dataURI: uri) { return bytes }
        return try bytes(of: try path(uri: uri), as: .buffer, first: count, at: uri.path)
    }

    /// The path of a URI that names a file.
    func path(uri: JSONValue) throws(SceneFileError) -> String {
        let text = try uri.readString()
        guard !text.contains("://") else { throw uri.error("only files and data: URIs are read, and this is neither") }
        guard let path = text.removingPercentEncoding, !path.isEmpty else { throw uri.error("\(uri.brief) is no file's URI") }
        return path
    }
}
