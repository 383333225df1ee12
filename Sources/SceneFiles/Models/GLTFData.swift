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

    /// An accessor, whose numbers are validated to lie within their buffers.
    struct Accessor {
        let value: JSONValue
        /// The location of the elements; nil if they are all zeros.
        let elements: Elements?
        let count: Int
        let components: Int
        let type: Component
        /// Whether integers represent fractions.
        var isNormalized: Bool
        let sparse: Sparse?
    }

    /// The location of consecutive elements.
    struct Elements {
        let buffer: Int
        let offset: Int
        let stride: Int
    }

    /// The elements of an accessor that are replaced (glTF 2.0, "Sparse Accessors").
    struct Sparse {
        let count: Int
        /// The location of the indices of the replaced elements, in ascending order.
        let indices: Elements
        let indexType: Component
        let indexValue: JSONValue
        let values: Elements
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

        /// Whether indices may be of this type.
        var isIndex: Bool { [.unsignedByte, .unsignedShort, .unsignedInt].contains(self) }
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

    /// Reads an accessor of vectors.
    /// - Parameters:
    ///   - value: The index of the accessor, at the place where it is referenced.
    ///   - allowed: The numbers of components that a vector may have.
    mutating func accessor(_ value: JSONValue, components allowed: [Int], _ source: inout ModelSource) throws(SceneFileError) -> Accessor {
        let accessor = try GLTFReader.element(value, of: accessors, "accessor").element
        guard let type = accessor["type"], let code = accessor["componentType"], let number = accessor["count"] else {
            throw accessor.error("missing key \"type\", \"componentType\" or \"count\"")
        }
        let names = allowed.map { $0 == 1 ? "SCALAR" : "VEC\($0)" }
        guard let place = names.firstIndex(of: try type.readString()) else {
            throw type.error("expected \(names.map { "\"\($0)\"" }.joined(separator: " or ")), found \(type.brief)")
        }
        let components = allowed[place]
        let component = try component(code)
        let count = try number.readInteger(in: 1...Self.sizes.upperBound)
        let size = component.size * components
        let sparse = try accessor["sparse"].map { (value) throws(SceneFileError) in try readSparse(value, of: count, size: size, &source) }
        var elements: Elements?
        if accessor["bufferView"] != nil {
            elements = try locate(accessor, count: count, size: size, &source)
        } else {
            guard sparse != nil else { throw accessor.error("missing key \"bufferView\" or \"sparse\"") }
            // An accessor of zeros is not limited by the size of a file.
            guard count <= Mesh.maximumNumberOfVertices else {
                throw number.error("\(count) elements without a bufferView exceed the limit of \(Mesh.maximumNumberOfVertices)")
            }
        }
        return Accessor(
            value: accessor, elements: elements, count: count, components: components, type: component,
            isNormalized: try accessor["normalized"]?.readBoolean() ?? false, sparse: sparse)
    }

    private func component(_ code: JSONValue) throws(SceneFileError) -> Component {
        guard let component = Component(rawValue: try code.readInteger()) else {
            throw code.error("unknown component type \(code.brief)")
        }
        return component
    }

    /// Finds the elements given by the `bufferView` and `byteOffset` of a value.
    private mutating func locate(
        _ value: JSONValue, count: Int, size: Int, _ source: inout ModelSource
    ) throws(SceneFileError) -> Elements {
        guard let viewNumber = value["bufferView"] else { throw value.error("missing key \"bufferView\"") }
        let view = try view(viewNumber, &source)
        let stride = view.stride ?? size
        guard stride >= size else { throw value.error("elements of \(size) bytes overlap, because the stride is only \(stride) bytes") }
        let offset = try value["byteOffset"]?.readInteger(in: Self.sizes) ?? 0
        // The products cannot overflow: each is at most 2⁴⁰ · 2⁸.
        guard offset + stride * (count - 1) + size <= view.range.count else {
            throw value.error(
                "\(count) \(count == 1 ? "element takes" : "elements take") \(offset + stride * (count - 1) + size) bytes, "
                    + "but the buffer view has \(view.range.count)")
        }
        return Elements(buffer: view.buffer, offset: view.range.lowerBound + offset, stride: stride)
    }

    private mutating func readSparse(
        _ value: JSONValue, of total: Int, size: Int, _ source: inout ModelSource
    ) throws(SceneFileError) -> Sparse {
        guard let number = value["count"], let indices = value["indices"], let values = value["values"] else {
            throw value.error("missing key \"count\", \"indices\" or \"values\"")
        }
        let count = try number.readInteger(in: 1...total)
        guard let code = indices["componentType"] else { throw indices.error("missing key \"componentType\"") }
        let type = try component(code)
        guard type.isIndex else { throw code.error("indices must be unsigned whole numbers") }
        return Sparse(
            count: count, indices: try locate(indices, count: count, size: type.size, &source), indexType: type, indexValue: indices,
            values: try locate(values, count: count, size: size, &source))
    }

    /// Reads an accessor of vertex indices.
    mutating func indexAccessor(_ value: JSONValue, _ source: inout ModelSource) throws(SceneFileError) -> Accessor {
        let accessor = try accessor(value, components: [1], &source)
        guard accessor.type.isIndex else { throw accessor.value.error("indices must be unsigned whole numbers") }
        return accessor
    }

    /// Reads an accessor of colors.
    mutating func colorAccessor(_ value: JSONValue, _ source: inout ModelSource) throws(SceneFileError) -> Accessor {
        var accessor = try accessor(value, components: [3, 4], &source)
        switch accessor.type {
        case .float: break
        // Integer colors are always fractions, whether or not the file marks them as such.
        case .unsignedByte, .unsignedShort: accessor.isNormalized = true
        case .byte, .short, .unsignedInt:
            throw accessor.value.error("colors must be floats, or unsigned whole numbers of one or two bytes")
        }
        return accessor
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
            throw view.error("the buffer view ends at byte \(offset + size), but the buffer has only \(count)")
        }
        return View(buffer: index, range: offset..<offset + size, stride: try view["byteStride"]?.readInteger(in: 4...252))
    }

    func bytes(_ view: View) -> [UInt8] { Array((loaded[view.buffer] ?? [])[view.range]) }

    /// Reads the bytes of a buffer.
    /// - Returns: The number of bytes.
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
            throw buffer.error("missing key \"uri\", and the file has no binary chunk")
        }
        guard count <= bytes.count else { throw length.error("the buffer has \(bytes.count) bytes, but declares \(count)") }
        loaded[index] = bytes
        return count
    }
}

extension GLTFData {
    /// The numbers of an accessor, in order; normalized integers become fractions (glTF 2.0, "Accessors").
    func numbers(_ accessor: Accessor) throws(SceneFileError) -> [Float] {
        let components = accessor.components
        var numbers: [Float] = []
        if let elements = accessor.elements {
            numbers.reserveCapacity(accessor.count * components)
            let buffer = loaded[elements.buffer] ?? []
            let bytes = buffer.span.bytes
            for index in 0..<accessor.count {
                let start = elements.offset + index * elements.stride
                for component in 0..<components {
                    let number = Self.number(bytes, at: start + component * accessor.type.size, accessor)
                    guard number.isFinite else { throw accessor.value.error("element \(index) is not finite") }
                    numbers.append(number)
                }
            }
        } else {
            numbers = Array(repeating: 0, count: accessor.count * components)
        }
        try replace(accessor) { (index, bytes, start) throws(SceneFileError) in
            for component in 0..<components {
                let number = Self.number(bytes, at: start + component * accessor.type.size, accessor)
                guard number.isFinite else { throw accessor.value.error("element \(index) is not finite") }
                numbers[index * components + component] = number
            }
        }
        return numbers
    }

    /// The indices of an accessor; throws unless all are below `count`.
    func indices(_ accessor: Accessor, below count: Int) throws(SceneFileError) -> [UInt32] {
        var indices: [UInt32] = []
        if let elements = accessor.elements {
            indices.reserveCapacity(accessor.count)
            let buffer = loaded[elements.buffer] ?? []
            let bytes = buffer.span.bytes
            for number in 0..<accessor.count {
                indices.append(Self.index(bytes, at: elements.offset + number * elements.stride, accessor.type))
            }
        } else {
            indices = Array(repeating: 0, count: accessor.count)
        }
        try replace(accessor) { (number, bytes, start) throws(SceneFileError) in
            indices[number] = Self.index(bytes, at: start, accessor.type)
        }
        guard let number = indices.firstIndex(where: { $0 >= count }) else { return indices }
        throw accessor.value.error("element \(number) has the index \(indices[number]), which is outside 0…\(count - 1)")
    }

    /// Calls a function with the index of each replaced element, and the location of its bytes.
    private func replace(
        _ accessor: Accessor, _ body: (Int, RawSpan, Int) throws(SceneFileError) -> Void
    ) throws(SceneFileError) {
        guard let sparse = accessor.sparse else { return }
        let (places, values) = (loaded[sparse.indices.buffer] ?? [], loaded[sparse.values.buffer] ?? [])
        var next = 0
        for number in 0..<sparse.count {
            let index = Int(Self.index(places.span.bytes, at: sparse.indices.offset + number * sparse.indices.stride, sparse.indexType))
            guard index < accessor.count else {
                throw sparse.indexValue.error("element \(number) has the index \(index), which is outside 0…\(accessor.count - 1)")
            }
            guard index >= next else {
                throw sparse.indexValue.error("element \(number) has the index \(index), which is not above the previous index")
            }
            next = index + 1
            try body(index, values.span.bytes, sparse.values.offset + number * sparse.values.stride)
        }
    }

    /// Any byte values are valid indices; the accessor's bounds were checked, and a read beyond the buffer would trap.
    @inline(__always)
    private static func index(_ bytes: RawSpan, at offset: Int, _ type: Component) -> UInt32 {
        switch type.size {
        case 1: UInt32(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
        case 2: UInt32(UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        default: UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
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
        guard let bytes = [UInt8](dataURI: text) else { throw uri.error("expected data:…;base64,… or data:…,…") }
        return bytes
    }

    /// The bytes of a buffer's URI: from a file, at most `count` bytes, the length that the buffer declares.
    mutating func bufferBytes(uri: JSONValue, first count: Int) throws(SceneFileError) -> [UInt8] {
        if let bytes = try bytes(dataURI: uri) { return bytes }
        return try bytes(of: try path(uri: uri), as: .buffer, first: count, at: uri.path)
    }

    /// The path of a URI that names a file.
    func path(uri: JSONValue) throws(SceneFileError) -> String {
        let text = try uri.readString()
        guard !text.contains("://") else { throw uri.error("only relative file names and data: URIs are supported") }
        guard let path = text.removingPercentEncoding, !path.isEmpty else { throw uri.error("\(uri.brief) is not the URI of a file") }
        return path
    }
}
