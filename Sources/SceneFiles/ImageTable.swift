import Foundation
import WaymarkImaging
import WaymarkScene

/// The images of a scene by what overlays call them: `builtin:NAME`, `none`, a key of `images`, a path, or a `data:` URI.
/// Each is read and decoded once, where it is first named, so that an error tells the key path.
struct ImageTable {
    let folder: String
    let options: SceneFileOptions
    /// Whether the last error was a file that is absent or unreadable.
    private(set) var isUnreadable = false
    /// Whether it was a library that this machine lacks.
    private(set) var isLibraryMissing = false
    private var named: [String: OverlayImage] = [:]
    private var others: [String: OverlayImage] = [:]
    /// About how many bytes the images take that `images` does not name: pixels and names.
    private(set) var byteCount = 0

    init(folder: String, options: SceneFileOptions) {
        self.folder = folder
        self.options = options
    }

    /// Forgets what was wrong with an image, when another reading begins.
    mutating func forgetErrors() {
        isUnreadable = false
        isLibraryMissing = false
    }

    /// Reads the scene's `images`: a path or `data:` URI each, or `{"path": …, "scale": …}`.
    mutating func readNamed(_ value: JSONValue) throws(SceneFileError) {
        for (key, value) in try value.readMembers() {
            switch value.kind {
            case .object:
                named[key] = try value.readObject { (object) throws(SceneFileError) in
                    let path = try object.required("path")
                    let scale = try object["scale"]?.readNumber(in: 0.1...16)
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

    private mutating func load(_ name: String, scale: Double?, _ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        if name == "none" { return .empty }
        if name.hasPrefix("builtin:") {
            let builtIn = String(name.dropFirst("builtin:".count))
            if let image = MarkerImage.named(builtIn) { return image }
            let hint =
                nearestName(to: builtIn, among: MarkerImage.names).map { "did you mean \"builtin:\($0)\"?" }
                ?? "known are \(MarkerImage.names.joined(separator: ", "))"
            throw value.error("there is no built-in image \"\(builtIn)\"; \(hint)")
        }
        let image = name.hasPrefix("data:") ? try inline(name, scale: scale, value) : try file(name, scale: scale, value)
        guard !options.isLenient else { return image }
        do throws(ImagingError) {
            // Some SVGs can be measured and not be drawn; that comes out here, where the key path is known.
            if case .svg(let svg) = try image.decoded() { _ = try svg.rendered(width: 8, height: 8) }
        } catch {
            isUnreadable = error.reason == .cannotRead
            if case .missingLibrary = error.reason { isLibraryMissing = true }
            let shown = name.hasPrefix("data:") ? "the data" : name
            throw value.error("\(shown): \(error.problem)")
        }
        return image
    }

    private func file(_ path: String, scale: Double?, _ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        guard !path.isEmpty else { throw value.error("an image's path is empty; \"none\" is an icon of no size") }
        let resolved = path.hasPrefix("/") ? path : folder + path
        guard options.resources.allows(resolved) else { throw value.error("this scene may not read \(path)") }
        return OverlayImage(path: resolved, scale: scale, name: path)
    }

    /// RFC 2397: `data:image/png;base64,…`.
    private func inline(_ uri: String, scale: Double?, _ value: JSONValue) throws(SceneFileError) -> OverlayImage {
        guard let comma = uri.firstIndex(of: ","), uri[..<comma].hasSuffix(";base64"),
            let data = Data(base64Encoded: String(uri[uri.index(after: comma)...]))
        else { throw value.error("expected data:image/…;base64,… with base64 data") }
        return OverlayImage(bytes: [UInt8](data), scale: scale ?? 1)
    }
}

extension OverlayImage {
    /// About how many bytes it keeps.
    fileprivate var byteCount: Int {
        switch source {
        case .bitmap, .file, .bytes:
            switch try? decoded() {
            case .raster(let bitmap, _)?: bitmap.pixels.count
            // What librsvg makes of one is not known, and it is kept in several sizes.
            case .svg?: 1 << 16
            case nil: 64
            }
        case .vector, .named, .empty: 64
        }
    }
}
