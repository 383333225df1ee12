import WaymarkGeo
import WaymarkRaster
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// The named roads and rivers of a layer in a view.
struct ShownRoads {
    /// The index of the layer among all layers of the map.
    let layer: Int
    /// The tiles and, after them, those with the joined lines.
    private(set) var tiles: [RoadTile]
    let styles: [LabelStyle]
    let languages: [String]
    /// The language of texts for the choice of letters.
    let language: String
    /// The cells of the known tiles.
    private let cells: Set<TileCell>
    /// The last zoom of the set. Beyond it, coordinates are less exact.
    private let lastZoom: Int

    init(layer: Int, _ tiles: [ShownTile], lastZoom: Int, styles: [LabelStyle], languages: [String], language: String) {
        self.layer = layer
        self.tiles = tiles.filter { !$0.geometry.roads.isEmpty }.map {
            RoadTile(cell: $0.cell, origin: $0.origin, end: $0.end, roads: $0.geometry.roads)
        }
        (self.styles, self.languages, self.language, self.lastZoom) = (styles, languages, language, lastZoom)
        cells = Set(tiles.map(\.cell))
    }

    /// The style of each role, by index in `styles`; -1 for none.
    func styleNumbers(_ viewport: Viewport) -> [Int32] {
        var numbers = [Int32](repeating: -1, count: MapRole.allCases.count)
        // A tilted map has a higher zoom at its lower edge.
        let zooms = viewport.sinTilt == 0 ? [viewport.camera.zoom] : [viewport.camera.zoom, viewport.camera.zoom + 1]
        for (index, style) in styles.enumerated().reversed() {
            if zooms.contains(where: style.isShown) { numbers[Int(style.role.rawValue)] = Int32(index) }
        }
        return numbers
    }
}

/// The named roads and rivers of one tile in a view, or lines through several tiles whose middles are in this tile. Points are in fractions
/// of the tile. Outside the tile, they are beyond 0…1.
struct RoadTile: Sendable {
    let cell: TileCell
    /// The upper left and the lower right corner in pt from the view's center.
    let origin: PlanePoint
    let end: PlanePoint
    fileprivate(set) var roads: TileRoads
    /// Whether the lines go through several tiles.
    var isJoined = false
    /// For each line of a tile, whether it is a part of a joined one; empty if none is.
    fileprivate var areParts: [Bool] = []
    /// For each joined line, the number of its part in this tile.
    fileprivate var numbers: [Int] = []

    /// A position in the tile, in pt from the view's center.
    func offset(_ position: PlanePoint) -> PlanePoint { origin * (1 - position) + end * position }

    func isPart(_ line: Int) -> Bool { !areParts.isEmpty && areParts[line] }

    /// The number of a line in ids.
    func number(of line: Int) -> Int { isJoined ? numbers[line] : line }
}

extension ShownRoads {
    /// The length in pt up to which roads are joined. A name 512 pt inside of the picture is then the same in a larger picture, because the
    /// tiles 128 pt outside of it are known, too. The places of names on longer roads do not depend on other tiles.
    private static let longest = 640.0
    /// The maximum distance between two ends that belong to one line, as a share of the tile. Each tile of a road rounds its coordinates
    /// separately, usually to 1/4096.
    private static let tolerance = (usual: 3.0 / 4096, most: 1.0 / 64)
    /// The maximum number of ends at the edges of tiles, and of ends that are compared with one end. On a map, only a few are so close
    /// together.
    private static let (mostEnds, mostCompared) = (20_000, 64)

    /// A line that ends at the edge of its tile.
    private struct RoadPart {
        let tile: Int
        let line: Int
    }

    /// An end of a line at the edge of its tile.
    private struct RoadEnd {
        /// The number of the end: twice that of its part, and 1 more at the end of the line.
        let number: Int
        /// The zoom, whether the edge is horizontal (1) or vertical (0), and its row or column.
        let edge: SIMD3<Int>
        /// The place along the edge in tiles.
        let along: Double

        static func < (a: Self, b: Self) -> Bool {
            (a.edge.x, a.edge.y, a.edge.z, a.along, a.number) < (b.edge.x, b.edge.y, b.edge.z, b.along, b.number)
        }
    }

    /// Joins the parts of short roads that cross the borders of tiles. Longer roads, and those that may continue in a tile that is not
    /// known, remain as they are in each tile.
    func joined(_ viewport: Viewport) -> ShownRoads {
        guard tiles.count > 1 else { return self }
        let (parts, ends) = edgeParts(styleNumbers(viewport))
        let chains = chains(parts, ends)
        let nearest = tiles.reduce(0) { max($0, $1.cell.zoom) }
        var result = self
        // The tile of joined lines for each tile.
        var numbers: [Int: Int] = [:]
        chains.forEach { entries, isClosed in
            guard entries.count > 1, isClosed || [entries[0], entries[entries.count - 1] ^ 1].allSatisfy({ isKnown(beyond: $0, parts) })
            else { return }
            let lengths = entries.map { entry in
                let part = parts[entry >> 1]
                return Double(tiles[part.tile].roads.lengths[part.line])
            }
            let (first, length) = (tiles[parts[entries[0] >> 1].tile], lengths.reduce(0, +))
            // Distant tiles of a tilted map have a lower zoom.
            guard length * (first.end.x - first.origin.x) <= Self.longest * Double(1 << (nearest - first.cell.zoom)) else { return }
            var (middle, passed) = (0, lengths[0])
            while passed < length / 2, middle < entries.count - 1 {
                middle += 1
                passed += lengths[middle]
            }
            let part = parts[entries[middle] >> 1]
            let home = tiles[part.tile]
            let number = numbers[part.tile] ?? result.tiles.count
            if number == result.tiles.count {
                numbers[part.tile] = number
                result.tiles.append(
                    RoadTile(
                        cell: home.cell, origin: home.origin, end: home.end, roads: TileRoads(names: home.roads.names), isJoined: true))
            }
            let main = parts[entries[lengths.indices.max { (lengths[$0], $1) < (lengths[$1], $0) } ?? 0] >> 1]
            result.tiles[number].roads.append(
                points(entries, parts, in: home.cell), tiles[main.tile].roads.roles[main.line], name: home.roads.nameIndices[part.line])
            result.tiles[number].numbers.append(part.line)
            for entry in entries { result.tiles[parts[entry >> 1].tile].setPart(parts[entry >> 1].line) }
        }
        return result
    }

    /// The lines with names that end at an edge of their tile. Their order does not depend on the view.
    private func edgeParts(_ styleNumbers: [Int32]) -> (parts: [RoadPart], ends: [RoadEnd]) {
        var (parts, ends) = ([RoadPart](), [RoadEnd]())
        for tile in tiles.indices.sorted(by: { tiles[$0].cell < tiles[$1].cell }) {
            let (roads, cell) = (tiles[tile].roads, tiles[tile].cell)
            for line in 0..<roads.count where styleNumbers[Int(roads.roles[line].rawValue)] >= 0 {
                let range = roads.range(line)
                let points = (roads.points[range.lowerBound], roads.points[range.upperBound - 1])
                let before = ends.count
                for (number, point) in [points.0, points.1].enumerated() where points.0 != points.1 {
                    guard let edge = Self.edge(point, cell) else { continue }
                    ends.append(RoadEnd(number: 2 * parts.count + number, edge: edge.edge, along: edge.along))
                }
                if ends.count > before { parts.append(RoadPart(tile: tile, line: line)) }
                if ends.count >= Self.mostEnds { return (parts, ends.sorted { $0 < $1 }) }
            }
        }
        return (parts, ends.sorted { $0 < $1 })
    }

    /// The edge of a tile on which a point lies, and the place along it; nil for other points.
    private static func edge(_ point: TileGeometry.Point, _ cell: TileCell) -> (edge: SIMD3<Int>, along: Double)? {
        if point.x == 0 || point.x == 1 { return (SIMD3(cell.zoom, 0, cell.x + Int(point.x)), Double(cell.y) + Double(point.y)) }
        if point.y == 0 || point.y == 1 { return (SIMD3(cell.zoom, 1, cell.y + Int(point.y)), Double(cell.x) + Double(point.x)) }
        return nil
    }

    /// Joins each end with the next end along the edge at which a line of the same name continues.
    private func chains(_ parts: [RoadPart], _ ends: [RoadEnd]) -> LineChains {
        var chains = LineChains(lineCount: parts.count)
        for (index, end) in ends.enumerated() where !chains.isJoined(end.number) {
            let (part, tolerance) = (parts[end.number >> 1], tolerance(end.edge.x))
            let roads = tiles[part.tile].roads
            for other in ends[(index + 1)...].prefix(Self.mostCompared) {
                guard other.edge == end.edge, other.along - end.along <= tolerance else { break }
                let otherPart = parts[other.number >> 1]
                let otherRoads = tiles[otherPart.tile].roads
                guard part.tile != otherPart.tile, !chains.isJoined(other.number),
                    roads.roles[part.line].lineKind == otherRoads.roles[otherPart.line].lineKind,
                    (direction(end.number, part) * direction(other.number, otherPart)).sum() < -0.5,
                    roads.name(of: part.line) == otherRoads.name(of: otherPart.line)
                else { continue }
                chains.join(end.number, other.number)
                break
            }
        }
        return chains
    }

    private func tolerance(_ zoom: Int) -> Double {
        min(Self.tolerance.usual * Double(1 << max(0, zoom - lastZoom)), Self.tolerance.most)
    }

    /// The direction in which a line leaves one of its ends.
    private func direction(_ end: Int, _ part: RoadPart) -> PlanePoint {
        let roads = tiles[part.tile].roads
        let range = roads.range(part.line)
        let (point, next) =
            end & 1 == 0 ? (range.lowerBound, range.lowerBound + 1) : (range.upperBound - 1, range.upperBound - 2)
        let step = PlanePoint(roads.points[next]) - PlanePoint(roads.points[point])
        return step / max(step.length, .leastNormalMagnitude)
    }

    /// Whether the tiles around an end are known, so that the line certainly ends there.
    private func isKnown(beyond end: Int, _ parts: [RoadPart]) -> Bool {
        let part = parts[end >> 1]
        let (roads, cell) = (tiles[part.tile].roads, tiles[part.tile].cell)
        let range = roads.range(part.line)
        let point = roads.points[end & 1 == 0 ? range.lowerBound : range.upperBound - 1]
        func steps(_ position: Float) -> ClosedRange<Int> { position == 0 ? -1...0 : position == 1 ? 0...1 : 0...0 }
        return steps(point.y).allSatisfy { y in
            steps(point.x).allSatisfy { x in cells.contains(TileCell(zoom: cell.zoom, x: cell.x + x, y: cell.y + y)) }
        }
    }

    /// The points of a chain as fractions of a tile.
    private func points(_ entries: [Int], _ parts: [RoadPart], in home: TileCell) -> [TileGeometry.Point] {
        var points: [TileGeometry.Point] = []
        for (number, entry) in entries.enumerated() {
            let (tile, line) = (tiles[parts[entry >> 1].tile], parts[entry >> 1].line)
            let offset = TileGeometry.Point(Float(tile.cell.x - home.x), Float(tile.cell.y - home.y))
            let own = tile.roads.points[tile.roads.range(line)].map { $0 + offset }
            // Except for rounding, the first point equals the last point of the previous line.
            points += (entry & 1 == 0 ? own : own.reversed()).dropFirst(number == 0 ? 0 : 1)
        }
        return points
    }
}

extension RoadTile {
    fileprivate mutating func setPart(_ line: Int) {
        if areParts.isEmpty { areParts = [Bool](repeating: false, count: roads.count) }
        areParts[line] = true
    }
}
