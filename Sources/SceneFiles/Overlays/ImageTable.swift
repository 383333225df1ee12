import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

/// The images of a scene by the names that overlays use: `builtin:NAME`, `pin:COLOR:SYMBOL`, `none`, a key of `images`, a path, or a
/// `data:` URI. Each image is read and decoded once, at its first use, so that an error contains the key path.
struct ImageTable {
    let folder: String
    let options: SceneFileOptions
    /// Whether the last error was a missing or unreadable file.
    private(set) var isUnreadable = false
    /// Whether the last error was a missing library.
    private(set) var isLibraryMissing = false
    private var named: [String: OverlayImage] = [:]
    private var others: [String: OverlayImage] = [:]
    /// The approximate size in bytes of the images that are not listed in `images`, without decoded pixels.
    private(set) var byteCount = 0
    /// The textures of model files.
    private var textures: [String: OverlayImage] = [:]

    /// The valid scales of an image.
    static let scaleRange = 0.1...16.0

    /// The reason why an image cannot be used, as a sentence.
    struct Refusal: Error {
        let text: String
    }

    init(folder: String, options: SceneFileOptions) {
        self.folder = folder
        self.options = options
    }

    /// Resets the error flags before another scene is read.
    mutating func forgetErrors() {
        isUnreadable = false
        isLibraryMissing = false
    }

    /// Reads the scene's `images`: each a path, a `data:` URI, or `{"path": …, "scale": …}`.
    mutating func readNamed(_ value: JSONValue) throws(SceneFileError) {
        for (key, value) in try value.readMembers() {
            if key.holdsZero { throw value.error("the name \(key.quotedBriefly) contains U+0000") }
            switch value.kind {
            case .null: break
            case .object:
                named[key] = try value.readObject { (object) throws(SceneFileError) in
                    let path = try object.required("path")
                    let scale = try object["scale"]?.readNumber(in: Self.scaleRange)
                    return try load(try path.readString(), scale: scale, path)
                }
            default:
                named[key] = try load(try value.readString(), scale: nil, value)
            }
        }
    }

    /// The image that a value names.
    mutating func image(_ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        let name = try value.readString()
        if let known = named[name] ?? others[name] { return known }
        let image = try load(name, scale: nil, value)
        others[name] = image
        byteCount += name.utf8.count + image.byteCount
        return image
    }

    /// An SVG: the document itself, or the name of an image that is an SVG.
    mutating func svg(_ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        let text = try value.readString()
        if text.drop(while: \.isWhitespace).first == "<" {
            let name = "svg:" + text
            if let known = others[name] { return known }
            let image: OverlayImage
            do throws(Refusal) {
                image = try checked(OverlayImage(bytes: Array(text.utf8), reuseIdentifier: name), called: "the SVG")
            } catch {
                throw value.error(error.text)
            }
            others[name] = image
            byteCount += name.utf8.count + image.byteCount
            return image
        }
        let image = try image(value)
        if let decoded = try? image.decoded(), case .raster = decoded { throw value.error("\(value.brief) is not an SVG; use \"image\"") }
        return image
    }

    private mutating func load(_ name: String, scale: Double?, _ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        if name == "none" { return .empty }
        if name.hasPrefix("builtin:") {
            let builtIn = String(name.dropFirst("builtin:".count))
            if let image = MarkerImage.named(builtIn) { return image }
            let hint =
                nearestName(to: builtIn, among: MarkerImage.names).map { "did you mean \"builtin:\($0)\"?" }
                ?? "known names are \(MarkerImage.names.joined(separator: ", "))"
            throw value.error("unknown built-in image \(builtIn.quotedBriefly); \(hint)")
        }
        do throws(Refusal) {
            if name.hasPrefix(Self.pinPrefix) { return try Self.pin(name) }
            guard name.hasPrefix("data:") else { return try file(name, scale: scale, called: name) }
            guard let bytes = [UInt8](dataURI: name) else { throw Refusal(text: "expected data:image/…;base64,… or data:image/…,…") }
            return try checked(OverlayImage(bytes: bytes, scale: scale ?? 1), called: "the data")
        } catch {
            throw value.error(error.text)
        }
    }

    private mutating func file(_ path: String, scale: Double?, called name: String) throws(Refusal) -> OverlayImage {
        guard !path.isEmpty else { throw Refusal(text: "the image's path is empty; use \"none\" for no icon") }
        guard let resolved = options.path(of: path, in: folder) else { throw Refusal(text: SceneFileOptions.refusal(of: name)) }
        options.inputs?.note(resolved)
        let shownPath = options.shownPath(of: path, in: folder)
        return try checked(OverlayImage(path: resolved, scale: scale, name: path, shownPath: shownPath), called: name)
    }

    private mutating func checked(_ image: OverlayImage, called name: String) throws(Refusal) -> OverlayImage {
        guard !options.isLenient else { return image }
        do throws(ImagingError) {
            // Some SVGs can be measured but not drawn; this is detected here, where the key path is known.
            if case .svg(let svg) = try image.decoded() { _ = try svg.rendered(width: 8, height: 8) }
        } catch {
            isUnreadable = error.reason == .cannotRead
            if case .missingLibrary = error.reason { isLibraryMissing = true }
            throw Refusal(text: "\(name): \(error.problem)")
        }
        return image
    }
}

// Textures of models.
extension ImageTable {
    /// The image in a file that a model file references.
    /// - Parameters:
    ///   - path: The path relative to the scene's folder.
    ///   - name: The name as written in the model file.
    mutating func texture(path: String, name: String) throws(Refusal) -> OverlayImage {
        if let known = textures[path] { return known }
        let image = try file(path, scale: 1, called: name)
        textures[path] = image
        byteCount += image.byteCount + path.utf8.count
        return image
    }

    /// An image embedded in a model file.
    mutating func texture(bytes: [UInt8]) throws(Refusal) -> OverlayImage {
        let image = try checked(OverlayImage(bytes: bytes), called: "the image")
        byteCount += image.byteCount
        return image
    }
}

extension [UInt8] {
    /// The bytes of a URI such as `data:image/png;base64,…` or `data:image/svg+xml,%3Csvg…` (RFC 2397); nil for any other text. A `%` that
    /// is not followed by two hexadecimal digits stands for itself, as in browsers.
    init?(dataURI uri: String) {
        guard uri.hasPrefix("data:"), let comma = uri.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let data = uri.utf8[uri.utf8.index(after: comma)...]
        guard uri[..<comma].hasSuffix(";base64") else {
            self.init(percentEncoded: data)
            return
        }
        guard let decoded = Data(base64Encoded: String(Substring(data))) else { return nil }
        self = [UInt8](decoded)
    }

    private init(percentEncoded text: Substring.UTF8View) {
        self = []
        reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                append(byte)
            }
        }
    }
}

extension OverlayImage {
    /// The approximate size of the stored bytes, without decoded pixels, which are stored elsewhere.
    fileprivate var byteCount: Int {
        switch source {
        case .bitmap(let bitmap): bitmap.pixels.count
        case .bytes(let bytes): bytes.count + 512
        case .vector, .file, .named, .inFolder, .content, .empty: 512
        }
    }
}

extension ImageTable {
    /// The prefix of pin names.
    static let pinPrefix = "pin:"
    /// The widths in pt by name, as in simplestyle.
    static let pinWidths = [("small", 20.0), ("medium", 27), ("large", 34)]

    /// Creates a pin from its name: `pin:COLOR`, `pin:COLOR:SYMBOL` or `pin:COLOR:SYMBOL:SIZE`, where the symbol may be empty.
    static func pin(_ name: String) throws(Refusal) -> OverlayImage {
        let parts = name.dropFirst(pinPrefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else {
            throw Refusal(text: "\(name.quotedBriefly) is not a pin such as \"pin:#3388ff\", \"pin:red:A\" or \"pin:red:7:small\"")
        }
        guard let color = Color(css: String(parts[0])) else {
            throw Refusal(text: "\(String(parts[0]).quotedBriefly) in \(name.quotedBriefly) is not a CSS color such as #3388ff or white")
        }
        let symbol = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        let size = parts.count > 2 ? parts[2] : "medium"
        guard let width = pinWidths.first(where: { $0.0 == size })?.1 else {
            throw Refusal(
                text: "\(String(size).quotedBriefly) in \(name.quotedBriefly) is not one of \(pinWidths.map(\.0).joined(separator: ", "))")
        }
        guard symbol.map({ $0.count == 1 }) ?? true,
            let image = MarkerImage.pin(color: color, symbol: symbol?.first, width: width)
        else {
            let text = String(symbol ?? "")
            let hint = pinWidths.contains { $0.0 == text } ? "; the size comes third, as in \"pin:\(parts[0])::\(text)\"" : ""
            throw Refusal(text: "\(text.quotedBriefly) in \(name.quotedBriefly) is neither a digit nor a letter from a to z\(hint)")
        }
        return image
    }
}
