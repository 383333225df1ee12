import Foundation
import WaymarkImaging
import WaymarkSystem

/// The metadata of an archive, with the keys of TileJSON 3.0 and of MBTiles 1.3, which agree where both define them. Values may be numbers
/// or their texts, as both occur.
///
/// The text is read with Foundation, because the reader of scenes belongs to a module that builds on this one, and would be too strict. In
/// the worst case, Foundation needs a hundred times as many bytes as the text has, so texts must be short.
struct TileMetadata {
    /// The maximum number of bytes of the text, which is more than the metadata of any set of raster tiles has.
    static let byteLimit = 1 << 20

    private let values: [String: Any]

    /// Creates metadata from rows of the metadata table of an MBTiles file.
    init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// Reads metadata from a JSON text.
    init(json bytes: [UInt8]) throws(TileError) {
        guard !bytes.isEmpty else {
            values = [:]
            return
        }
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) else { throw .damaged("its metadata is not JSON") }
        guard let values = object as? [String: Any] else { throw .damaged("its metadata is not a JSON object") }
        self.values = values
    }
}

extension TileMetadata {
    /// The value of a key as a text; nil if it is missing or blank.
    func text(_ key: String) -> String? {
        guard let text = values[key] as? String, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    func integer(_ key: String) throws(TileError) -> Int? {
        switch values[key] {
        case nil, is NSNull, "" as String: return nil
        case let number as NSNumber:
            // The number is converted from a double, because JSON may write an integer as 3.0.
            if let whole = Int(exactly: number.doubleValue) { return whole }
        case let text as String:
            if let number = Double(text.trimmingCharacters(in: .whitespaces)), let whole = Int(exactly: number) { return whole }
        default: break
        }
        throw .damaged("\"\(key)\" in its metadata is not a whole number")
    }

    func zoom(_ key: String) throws(TileError) -> Int? {
        guard let zoom = try integer(key) else { return nil }
        guard TileAddress.zooms.contains(zoom) else { throw .damaged("\"\(key)\" in its metadata: \(zoom) is outside 0…30") }
        return zoom
    }

    /// Reads the name, the attribution, and the bounds, which must be valid if present. Bounds that are not numbers, or without a width or
    /// a height, are unknown.
    func describe(_ info: inout TileSetInfo) throws(TileError) {
        info.name = text("name")
        info.attribution = text("attribution")
        if let bounds = try bounds() { info.bounds = bounds }
        if let problem = info.problem { throw .damaged("its metadata: \(problem)") }
    }

    private func bounds() throws(TileError) -> TileBounds? {
        let numbers: [Double?]
        switch values["bounds"] {
        case nil, is NSNull, "" as String: return nil
        case let list as [Any]: numbers = list.map { ($0 as? NSNumber)?.doubleValue }
        case let text as String:
            numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmingCharacters(in: .whitespaces)) }
        default: numbers = []
        }
        guard numbers.count == 4 else { throw .damaged("\"bounds\" in its metadata is not a list of west, south, east and north") }
        let known = numbers.compactMap { $0?.isFinite == true ? $0 : nil }
        guard known.count == 4 else { return nil }
        let bounds = TileBounds(west: known[0], south: known[1], east: known[2], north: known[3])
        return bounds.isDegenerate ? nil : bounds
    }

    /// The names of the layers of vector tiles: the key `vector_layers` of TileJSON, which MBTiles keeps within the text `json`. Empty if the
    /// metadata does not list them.
    var layerNames: [String] {
        var list = values["vector_layers"]
        if list == nil, let json = (values["json"] as? String)?.data(using: .utf8) {
            list = ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any])?["vector_layers"]
        }
        return (list as? [Any] ?? []).compactMap { ($0 as? [String: Any])?["id"] as? String }
    }

    /// Sets the side in pt at which pictures are displayed, and their pixels per pt. If the metadata does not state the side, it is derived
    /// from the width in pixels.
    /// - Parameters:
    ///   - pixels: The width of a tile in pixels, if known. A width that is invalid for a tile does not affect the pixels per pt.
    ///   - isRetina: Whether tiles have twice as many pixels as points.
    func setTileSize(of info: inout TileSetInfo, pixels: Int?, isRetina: Bool) throws(TileError) {
        let derived = (pixels ?? 256) / (isRetina ? 2 : 1) > 256 ? 512 : 256
        info.tileSize = try statedTileSize() ?? derived
        guard let pixels, [64, 128, 256, 512, 1024, 2048].contains(pixels) else { return }
        info.pixelsPerPoint = Double(pixels) / Double(info.tileSize)
    }

    /// The side in pt at which vector tiles are displayed. If the metadata does not state it, it is 512, the size that all programs for
    /// vector tiles assume.
    func vectorTileSize() throws(TileError) -> Int { try statedTileSize() ?? 512 }

    private func statedTileSize() throws(TileError) -> Int? {
        for key in ["tileSize", "tilesize", "tile_size"] {
            guard let size = try integer(key) else { continue }
            guard size == 256 || size == 512 else { throw .damaged("\"\(key)\" in its metadata: \(size) is neither 256 nor 512") }
            return size
        }
        return nil
    }
}

extension String {
    /// Whether the last part of a path is named like an image of twice the resolution: `5@2x.png`.
    var isRetinaName: Bool { (split(separator: "/").last ?? "").contains("@2x.") }
}
