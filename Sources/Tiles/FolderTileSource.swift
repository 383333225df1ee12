import WaymarkImaging
import WaymarkSystem

/// The tiles in a folder, in files named `zoom/column/row.png`, `.jpg`, `.jpeg` or `.webp`. Rows are counted from the north or, if a
/// `metadata.json` or `tiles.json` (TileJSON) in the folder has the scheme `tms`, from the south. A tile with a name such as `5@2x.png` has
/// two pixels per pt.
///
/// Symbolic links that lead out of the folder are refused.
public final class FolderTileSource: TileSource {
    public let info: TileSetInfo
    private let path: String
    /// The folder's path, resolved.
    private let root: String
    private let isFromSouth: Bool
    /// The part of file names after the row number: `.png`, `@2x.webp`; the most likely first.
    private let endings: [String]

    private static let extensions = ["png", "jpg", "jpeg", "webp"]

    init(_ path: String) throws(TileError) {
        self.path = path
        root = FileSystem.resolved(path) ?? path
        do throws(TileError) {
            let metadata = try Self.metadata(in: path, root)
            switch metadata.text("scheme") {
            case nil, "xyz": isFromSouth = false
            case "tms": isFromSouth = true
            case let scheme?: throw .damaged("\"scheme\" in its metadata: \(scheme.prefix(40)) is neither xyz nor tms")
            }
            if let format = metadata.text("format"), format == "pbf" || format == "mvt" {
                throw TileError(.unsupportedTiles("vector tiles (MVT)"))
            }
            let zooms = try Self.numbers(in: path).filter(TileAddress.zooms.contains)
            guard let first = zooms.first, let last = zooms.last, let sample = try Self.sample(path, zooms) else {
                throw TileError(.noTiles)
            }
            var info = TileSetInfo(minZoom: try metadata.zoom("minzoom") ?? first, maxZoom: try metadata.zoom("maxzoom") ?? last)
            if let problem = info.problem { throw .damaged("its metadata: \(problem)") }
            try metadata.describe(&info)
            let pixels = try Self.inside(path, sample.name, root).flatMap { try? WholeFile.read($0, as: .tile) }.flatMap {
                ImageSize.of($0)?.width
            }
            info.tileSize = try metadata.tileSize(pixels: pixels, isRetina: sample.ending.isRetinaName)
            info.setPixelsPerPoint(pixels: pixels)
            self.info = info
            // If a tile exists in both resolutions, the resolution of the sample is used, so that adjacent tiles match.
            let all = ["", "@2x"].flatMap { scale in Self.extensions.map { "\(scale).\($0)" } }
            let alike = all.filter { $0 != sample.ending && $0.isRetinaName == sample.ending.isRetinaName }
            endings = [sample.ending] + alike + all.filter { $0.isRetinaName != sample.ending.isRetinaName }
        } catch {
            throw error.at(path)
        }
    }

    public func tile(at address: TileAddress) throws(TileError) -> TileData? {
        guard address.isValid else { return nil }
        let row = isFromSouth ? (1 << address.zoom) - 1 - address.y : address.y
        for ending in endings {
            let name = "\(address.zoom)/\(address.x)/\(row)\(ending)"
            let found: String?
            do throws(TileError) { found = try Self.inside(path, name, root) } catch { throw error.at(path, address) }
            guard let resolved = found else { continue }
            do throws(FileError) { return .encoded(try WholeFile.read(resolved, as: .tile)) } catch {
                throw TileError(error, address: address)
            }
        }
        return nil
    }
}

private extension FolderTileSource {
    /// The path of a file in a folder, without links and dots; nil if the file does not exist.
    /// - Parameters:
    ///   - name: The path of the file within the folder. Messages give only this path, because a server's client must not learn the
    ///     folder's location.
    ///   - root: The path of the folder, without links and dots.
    static func inside(_ folder: String, _ name: String, _ root: String) throws(TileError) -> String? {
        guard let resolved = FileSystem.resolved("\(folder)/\(name)") else { return nil }
        guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
            throw TileError(.invalid("\(name) is a link that leads out of the folder"))
        }
        return resolved
    }

    static func metadata(in folder: String, _ root: String) throws(TileError) -> TileMetadata {
        for name in ["metadata.json", "tiles.json"] where FileSystem.exists("\(folder)/\(name)") {
            guard let file = try inside(folder, name, root) else { continue }
            do throws(TileError) {
                let bytes = try TileError.converting { () throws(FileError) in try WholeFile.read(file, as: .tileMetadata) }
                return try TileMetadata(json: bytes)
            } catch {
                throw error.at("\(folder)/\(name)")
            }
        }
        return TileMetadata()
    }

    static func names(in folder: String) throws(TileError) -> [String] {
        do throws(SystemError) { return try FileSystem.names(in: folder) } catch { throw TileError(reading: error, path: folder) }
    }

    /// The entries of a folder that are numbers, in ascending order.
    static func numbers(in folder: String) throws(TileError) -> [Int] {
        try names(in: folder).compactMap(number).sorted()
    }

    /// The number in the name of a tile file, without a sign and without leading zeros; nil if the text is not such a number.
    static func number(_ text: some StringProtocol) -> Int? {
        guard let number = Int(text), number >= 0, String(number) == text else { return nil }
        return number
    }

    /// The path, within the folder, of the first tile at the lowest zoom that has tiles, and the rest of the tile's name after the
    /// number.
    static func sample(_ folder: String, _ zooms: [Int]) throws(TileError) -> (name: String, ending: String)? {
        for zoom in zooms {
            // A file may also have a number as its name.
            for column in (try? numbers(in: "\(folder)/\(zoom)")) ?? [] {
                for name in (try? names(in: "\(folder)/\(zoom)/\(column)")) ?? [] {
                    let row = name.prefix { $0.isNumber }
                    let ending = String(name.dropFirst(row.count))
                    let isTile = ["", "@2x"].contains { scale in extensions.contains { ending == "\(scale).\($0)" } }
                    if isTile, number(row) != nil { return ("\(zoom)/\(column)/\(name)", ending) }
                }
            }
        }
        return nil
    }
}
