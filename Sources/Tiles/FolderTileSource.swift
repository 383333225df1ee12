import WaymarkImaging
import WaymarkSystem

/// The tiles of a folder, in files named `zoom/column/row.png`, `.jpg`, `.jpeg`, `.webp`, `.mvt` or `.pbf`. Rows are counted from the
/// north. If a `metadata.json` or `tiles.json` (TileJSON) in the folder specifies the scheme `tms`, rows are counted from the south. A tile
/// with a name such as `5@2x.png` has two pixels per pt.
///
/// Symbolic links that lead out of the folder are refused.
public final class FolderTileSource: TileSource {
    public let info: TileSetInfo
    package let content: TileContent
    package let layerNames: [String]
    private let path: String
    /// The folder's path, resolved.
    private let root: String
    private let isFromSouth: Bool
    /// The possible parts of file names after the row number, such as `.png` or `@2x.webp`; the most likely first.
    private let endings: [String]
    /// The path of a tile within the folder.
    private let sampleName: String

    private static let pictureEndings = ["", "@2x"].flatMap { scale in ["png", "jpg", "jpeg", "webp"].map { "\(scale).\($0)" } }
    private static let vectorEndings = [".pbf", ".mvt"]
    private static let refusedEndings = [".mlt"]

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
            // The names of the tiles determine the format. A different format in the metadata is not an error.
            let stated = try metadata.text("format").flatMap { (name) throws(TileError) in try TileContent(format: name) }
            let zooms = try Self.numbers(in: path).filter(TileAddress.zooms.contains)
            guard let first = zooms.first, let last = zooms.last,
                let sample = try Self.sample(path, zooms, preferring: stated ?? .pictures)
            else {
                throw TileError(.noTiles)
            }
            if Self.refusedEndings.contains(sample.ending) { throw TileError(.unsupportedTiles("vector tiles (MLT)")) }
            content = Self.vectorEndings.contains(sample.ending) ? .vector : .pictures
            var info = TileSetInfo(minZoom: try metadata.zoom("minzoom") ?? first, maxZoom: try metadata.zoom("maxzoom") ?? last)
            if let problem = info.problem { throw .damaged("its metadata: \(problem)") }
            try metadata.describe(&info)
            sampleName = sample.name
            if content == .vector {
                info.tileSize = try metadata.vectorTileSize()
                self.info = info
                layerNames = metadata.layerNames
                endings = [sample.ending] + Self.vectorEndings.filter { $0 != sample.ending }
                return
            }
            let pixels = try Self.inside(path, sample.name, root).flatMap { try? WholeFile.read($0, as: .tile) }.flatMap {
                ImageSize.of($0)?.width
            }
            try metadata.setTileSize(of: &info, pixels: pixels, isRetina: sample.ending.isRetinaName)
            self.info = info
            layerNames = []
            // If a tile exists in both resolutions, the resolution of the sample is used, so that adjacent tiles match.
            let alike = Self.pictureEndings.filter { $0 != sample.ending && $0.isRetinaName == sample.ending.isRetinaName }
            endings = [sample.ending] + alike + Self.pictureEndings.filter { $0.isRetinaName != sample.ending.isRetinaName }
        } catch {
            throw error.at(path)
        }
    }

    public func tile(at address: TileAddress) throws(TileError) -> TileData? {
        try bytes(at: address).map { .encoded($0) }
    }
}

extension FolderTileSource: ArchivedTileSource {
    package func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
        guard address.isValid else { return nil }
        let row = isFromSouth ? (1 << address.zoom) - 1 - address.y : address.y
        for ending in endings {
            let name = "\(address.zoom)/\(address.x)/\(row)\(ending)"
            do throws(TileError) {
                if let bytes = try read(name) { return bytes }
            } catch {
                throw error.at(path, address)
            }
        }
        return nil
    }

    package func sampleBytes() throws(TileError) -> [UInt8] {
        do throws(TileError) {
            guard let bytes = try read(sampleName), !bytes.isEmpty else { throw TileError(.noTiles) }
            return bytes
        } catch {
            throw error.at(path)
        }
    }
}

private extension FolderTileSource {
    /// The bytes of a tile, inflated if it is a compressed vector tile; nil if the file does not exist.
    /// - Parameter name: The path of the tile within the folder.
    func read(_ name: String) throws(TileError) -> [UInt8]? {
        guard let resolved = try Self.inside(path, name, root) else { return nil }
        let bytes = try TileError.converting { () throws(FileError) in try WholeFile.read(resolved, as: .tile) }
        return content == .vector ? try bytes.inflated(.unknown, limit: InputKind.tileLimit, "the tile") : bytes
    }

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

    /// The path, within the folder, of the first tile at the lowest zoom with the preferred content, and the rest of the tile's name
    /// after the number.
    /// - Parameter content: The preferred content if a folder has both pictures and vector tiles, regardless of their zooms.
    static func sample(
        _ folder: String, _ zooms: [Int], preferring content: TileContent
    ) throws(TileError) -> (name: String, ending: String)? {
        let groups = (content == .pictures ? [pictureEndings, vectorEndings] : [vectorEndings, pictureEndings]) + [refusedEndings]
        // The first tile of each group. The folders are listed once, because there may be many.
        var found = [(name: String, ending: String)?](repeating: nil, count: groups.count)
        for zoom in zooms {
            // A file may also have a number as its name.
            for column in (try? numbers(in: "\(folder)/\(zoom)")) ?? [] {
                let names = (try? names(in: "\(folder)/\(zoom)/\(column)")) ?? []
                for name in names {
                    let row = name.prefix { $0.isNumber }
                    let ending = String(name.dropFirst(row.count))
                    guard let group = groups.firstIndex(where: { $0.contains(ending) }), found[group] == nil, number(row) != nil else {
                        continue
                    }
                    let tile = ("\(zoom)/\(column)/\(name)", ending)
                    if group == 0 { return tile }
                    found[group] = tile
                }
            }
        }
        return found.lazy.compactMap { $0 }.first
    }
}
