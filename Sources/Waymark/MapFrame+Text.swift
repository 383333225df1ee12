import WaymarkFrame
import WaymarkImaging
import WaymarkTiles

extension MapFrame: CustomStringConvertible {
    /// The frame as text. With the same fonts, the text is the same in every run. It has one line for each primitive, in drawing order.
    /// Lengths have three decimal places, and are in device pixels or, on the ground, in pt. Hashes follow: one for the pixels of each
    /// image, one for each mesh, one for the points of all paths, and one for the pixels of each base map tile. If, for example, the color
    /// of a caption changes, the hash of its image changes.
    ///
    /// An image from a file is listed by its file name, without the folder. Reading this property renders the images' pixels, and waits at
    /// most 20 s for missing tiles.
    public var description: String {
        var frame = frame
        for (index, image) in frame.images.enumerated() {
            guard image.name.hasPrefix("file:"), let slash = image.name.lastIndex(of: "/") else { continue }
            frame.images[index].name = "file:\(image.name[image.name.index(after: slash)...])"
        }
        let lines = frame.imageHashes + frame.meshHashes + frame.pathHashes + frame.tileHashes
        return "\(frame)\(lines.map { "\($0)\n" }.joined())"
    }
}

extension Frame {
    fileprivate var imageHashes: [String] {
        images.enumerated().map { index, image in
            "pixels of image \(index), \(image.name): \(Fingerprint(image.bitmap.pixels).text)"
        }
    }

    fileprivate var meshHashes: [String] {
        meshes.enumerated().map { index, mesh in "vertices of mesh \(index), \(mesh.name): \(mesh.fingerprint.text)" }
    }

    /// One hash for all paths, because long paths are not printed in full.
    fileprivate var pathHashes: [String] {
        guard !paths.isEmpty else { return [] }
        let lengths = paths.flatMap { path in path.contours.map { UInt32(truncatingIfNeeded: points(ofContour: $0).count) } }
        let places = paths.flatMap { path in
            path.contours.flatMap { contour in points(ofContour: contour).flatMap { [Self.thousandths($0.x), Self.thousandths($0.y)] } }
        }
        return ["points of all paths: \(Fingerprint(numbers: lengths + places).text)"]
    }

    /// A printed length, in thousandths, clamped to the range of `Int32`.
    private static func thousandths(_ value: Float) -> UInt32 {
        UInt32(bitPattern: Int32(clamping: Int(min(max((Double(value) * 1000).rounded(), -1e12), 1e12))))
    }

    /// The hashes of the shown tiles. Where a set lacks a tile, the nearest tile at a lower zoom level is shown.
    fileprivate var tileHashes: [String] {
        let deadline = TileDeadline(seconds: TileDeadline.usualSeconds)
        return commands.flatMap { command -> [String] in
            guard case .tiles(let range, let drawing) = command else { return [] }
            return shownTiles(range, of: tileSets[drawing.set].set, deadline).map { address, hash in
                "pixels of tile \(address.zoom)/\(address.x)/\(address.y) of set \(drawing.set), \(tileSets[drawing.set].name): "
                    + (hash?.text ?? "none; it cannot be drawn")
            }
        }
    }

    /// The maximum number of bytes of tiles decoded together.
    private static let tilePortion = 32 << 20

    /// The tiles that a run of ground tiles shows, sorted by address; the hash of a tile that cannot be drawn is nil.
    private func shownTiles(_ range: Range<Int>, of set: TileSet, _ deadline: TileDeadline) -> [(TileAddress, Fingerprint?)] {
        let portion = max(1, Self.tilePortion / (4 * set.info.usualSide * set.info.usualSide))
        var known: Set<TileAddress> = []
        var shown: [(address: TileAddress, hash: Fingerprint?)] = []
        var pending = range.map { tiles[$0].address.ancestor(atZoom: set.info.maxZoom) }.filter { known.insert($0).inserted }
        while !pending.isEmpty {
            let addresses = pending.prefix(portion)
            pending.removeFirst(addresses.count)
            let wanted = addresses.map { TileStore.Wanted(set, $0, needsMipmaps: false) }
            let found = TileStore.shared.load(wanted, deadline: deadline)
            for (address, tile) in zip(addresses, found) {
                switch tile {
                case .pixels(let tile): shown.append((address, Fingerprint(tile.levels[0].pixels)))
                case .refused: shown.append((address, nil))
                case .missing:
                    let above = address.ancestor(atZoom: address.zoom - 1)
                    if address.zoom > set.info.minZoom, known.insert(above).inserted { pending.append(above) }
                }
            }
        }
        return shown.sorted { ($0.address.zoom, $0.address.y, $0.address.x) < ($1.address.zoom, $1.address.y, $1.address.x) }
    }
}

extension FrameMesh {
    /// A hash of everything except the name.
    fileprivate var fingerprint: Fingerprint {
        var numbers = [vertices.count, colors.count, indices.count, isWithinTexture ? 1 : 0].map { UInt32(truncatingIfNeeded: $0) }
        numbers.reserveCapacity(numbers.count + 8 * vertices.count + colors.count + indices.count)
        for vertex in vertices {
            for value in [vertex.x, vertex.y, vertex.z, vertex.normalX, vertex.normalY, vertex.normalZ, vertex.u, vertex.v] {
                // −0 equals 0.
                numbers.append(value == 0 ? 0 : value.bitPattern)
            }
        }
        for color in colors {
            numbers.append(UInt32(color.x) | UInt32(color.y) << 8 | UInt32(color.z) << 16 | UInt32(color.w) << 24)
        }
        numbers += indices
        return Fingerprint(numbers: numbers)
    }
}

extension Fingerprint {
    /// Hashes 4-byte numbers in little-endian order.
    fileprivate init(numbers: [UInt32]) {
        self.init()
        numbers.map(\.littleEndian).withUnsafeBytes { add($0) }
    }
}
