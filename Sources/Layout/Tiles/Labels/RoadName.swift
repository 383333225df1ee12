import Foundation
import WaymarkGeo
import WaymarkRaster
import WaymarkText
import WaymarkVectorTiles

/// A place for a name on a road or river. Places depend only on the tiles and the zoom, and not on the view's center, so that a name stays
/// where it is while the map moves.
struct RoadName: Sendable {
    /// The index of the tile among those of the shown roads, and the index of the line among the tile's roads.
    let tile: Int32
    let line: Int32
    /// The number of the place, counted from the middle of the line.
    let number: Int32
    /// The index of the style in the theme's list.
    let style: Int32
    /// The layout of the name: one line with units, of the size `RoadNames.layoutSize`.
    let layout: TextLayout
    /// The distance of the middle of the name from the start of the line, and the range of distances that have room for it, as fractions of
    /// the tile.
    let distance: Double
    let room: ClosedRange<Double>
    /// The distance of each point of the line from its start, as a fraction of the tile. All names of a line share it.
    let passed: [Double]
    /// The position on the map as a fraction of the world, with x on any copy of the world.
    let position: SIMD2<Double>
    /// The size in pt.
    let size: Double
    /// Whether the line has no other place for its name, so that the name may be far from the middle.
    let isOnly: Bool
    /// The number of zoom levels by which the map is coarser at the name. It is above 0 in the distance of a tilted map.
    let drop: Int
    /// The minimum distance from other places where the same name is shown, as a fraction of the world.
    fileprivate(set) var leastDistance: Double
    /// The order in which names of one style find their places. The first place of each road comes before all second places. Next, long
    /// roads come before short ones. Last, the position on the map decides.
    fileprivate var order: Order

    fileprivate struct Order: Comparable {
        /// Whether an earlier place nearby has the same name.
        var isRepetition = false
        /// The level of the place: 0 for the middle of a line, and higher for places that appear at higher zooms.
        var level: Int
        var length: Double

        static func < (a: Self, b: Self) -> Bool {
            (a.isRepetition ? 1 : 0, a.level, b.length) < (b.isRepetition ? 1 : 0, b.level, a.length)
        }
    }
}

/// Finds the places for the names of roads and rivers in a view.
struct RoadNames {
    private let viewport: Viewport
    private let tiles: [RoadTile]
    private let styles: [LabelStyle]
    private let languages: [String]
    private let language: String
    private let fonts: FontLibrary
    /// The whole zoom at which places are counted, and the current scale relative to it.
    private let zoom: Double
    private let stretch: Double
    /// The style of each role, by index in `styles`; -1 for none.
    private let styleNumbers: [Int32]
    /// The ground in which names are looked for.
    private let region: ClipRegion
    private var names: [RoadName] = []
    private var lines = 0
    private var places = 0
    /// Whether there are more lines, or more places, than the limits allow.
    private var isFull = false

    /// The size of the layouts of names in pt. Letters are paths, so one layout serves all sizes.
    static let layoutSize = 16.0
    /// The distance between two names along a road, and the distance within which a name appears once, in pt at the whole zoom.
    static let spacing = 320.0
    static let reach = 250.0
    /// The minimum distance in em of a name from the ends of its road.
    private static let margin = 0.5
    /// The distance in pt outside of the picture up to which names take part in collisions.
    private static let pictureMargin = 256.0
    /// The minimum scale of the perspective at which names are shown.
    private static let leastScale = 0.3
    /// The maximum number of lines whose names are laid out in a picture, and of places on them. Both are far more than are legible.
    private static let mostLines = 20_000
    private static let mostPlaces = 1 << 15

    private init(_ viewport: Viewport, _ shown: ShownRoads, _ fonts: FontLibrary) {
        self.viewport = viewport
        (tiles, styles, languages, language) = (shown.tiles, shown.styles, shown.languages, shown.language)
        self.fonts = fonts
        zoom = viewport.camera.zoom.rounded(.down)
        stretch = Self.stretch(viewport)
        region = ShapeCamera(viewport, height: 0).region(margin: Self.pictureMargin + 2 * Self.reach)
        styleNumbers = shown.styleNumbers(viewport)
    }

    /// The current scale relative to the whole zoom, 1…2.
    static func stretch(_ viewport: Viewport) -> Double {
        viewport.worldSize / WebMercator.worldSize(zoom: viewport.camera.zoom.rounded(.down))
    }

    /// The places of names in a view, in the order in which they are tried.
    /// - Parameter most: The maximum number of places.
    /// - Returns: The places, and whether none was left out.
    static func find(
        _ viewport: Viewport, _ shown: ShownRoads, _ fonts: FontLibrary, most: Int
    ) -> (names: [RoadName], areAll: Bool) {
        var finder = RoadNames(viewport, shown, fonts)
        for index in shown.tiles.indices { finder.addNames(index) }
        finder.sort()
        finder.deferRepetitions()
        let names = finder.names.filter(finder.isNearPicture)
        return (Array(names.prefix(most)), !finder.isFull && names.count <= most)
    }
}

extension RoadNames {
    private mutating func addNames(_ index: Int) {
        let tile = tiles[index]
        let roads = tile.roads
        // In pt at the whole zoom.
        let side = (tile.end.x - tile.origin.x) / stretch
        for line in 0..<roads.count where !tile.isPart(line) {
            let number = styleNumbers[Int(roads.roles[line].rawValue)]
            guard number >= 0, codes(roads.boxes[line], tile).wholly == 0 else { continue }
            let style = styles[Int(number)]
            let length = Double(roads.lengths[line]) * side
            // The size is taken at the whole zoom, or at the first zoom of the style.
            let size = style.sizes.width(atZoom: zoom) ?? style.sizes.width(atZoom: zoom + 1) ?? 0
            guard length > 2 * size else { continue }
            lines += 1
            if lines > Self.mostLines || places > Self.mostPlaces {
                isFull = true
                return
            }
            let layout = layout(roads.name(of: line), style)
            let room = layout.width * size / Self.layoutSize + 2 * Self.margin * size
            guard layout.width > 0, room <= length else { continue }
            addPlaces(RoadLine(tile: index, line: line, style: number, layout: layout, side: side, length: length, room: room))
        }
    }

    /// The half planes of the region outside of which a box in a tile lies entirely, and those outside of which it lies at least partly.
    private func codes(_ box: SIMD4<Float>, _ tile: RoadTile) -> (wholly: UInt8, partly: UInt8) {
        region.outcodes(low: tile.offset(PlanePoint(box.lowHalf)), high: tile.offset(PlanePoint(box.highHalf)))
    }

    /// A line with a name. Lengths are in pt at the whole zoom.
    private struct RoadLine {
        let tile: Int
        let line: Int
        let style: Int32
        let layout: TextLayout
        /// The side of the tile.
        let side: Double
        let length: Double
        /// The length that the name needs.
        let room: Double
    }

    private func layout(_ name: TileName, _ style: LabelStyle) -> TextLayout {
        let text = name.lines(in: languages).joined(separator: " ")
        var request = TextRequest(
            text: style.isUppercase ? text.uppercased() : text, size: Self.layoutSize, weight: style.weight,
            language: language, letterSpacing: style.letterSpacing)
        request.hasUnits = true
        return fonts.layout(request)
    }

    /// Adds the places on a line: in its middle, and at equal distances from there. The distances in pt are the same at each zoom, so the
    /// places of a zoom are also places of the next one.
    private mutating func addPlaces(_ line: RoadLine) {
        var spacing = Self.spacing
        while spacing < line.room + Self.spacing / 2 { spacing *= 2 }
        let most = ((line.length - line.room) / 2 / spacing).rounded(.down)
        let roads = tiles[line.tile].roads
        let points = roads.points[roads.range(line.line)]
        let distances = distances(points)
        var (number, passed) = (-most, 0.0)
        var before = PlanePoint(points[points.startIndex])
        for index in points.indices.dropFirst() {
            let next = PlanePoint(points[index])
            let own = (next - before).length * line.side
            while number <= most {
                let distance = line.length / 2 + number * spacing
                // The sum of the lengths may differ from the length in the last bits.
                guard distance <= passed + own || index == points.endIndex - 1 else { break }
                let share = own > 0 ? min(1, (distance - passed) / own) : 0
                add(line, distances, at: distance, before + (next - before) * share, number: Int(number), isOnly: most == 0)
                number += 1
                places += 1
                if places > Self.mostPlaces {
                    isFull = true
                    return
                }
            }
            if number > most { return }
            passed += own
            before = next
        }
    }

    /// The distance of each point of a line from its start.
    private func distances(_ points: ArraySlice<TileGeometry.Point>) -> [Double] {
        var (passed, before) = (0.0, PlanePoint(points[points.startIndex]))
        return points.map { point in
            let next = PlanePoint(point)
            passed += (next - before).length
            before = next
            return passed
        }
    }

    /// Adds a place, unless it is outside of the view or left out because of the perspective.
    /// - Parameters:
    ///   - passed: The distances of the points of the line.
    ///   - distance: The place's distance from the start of the line, in pt at the whole zoom.
    ///   - number: The place's number, counted from the middle of the line.
    ///   - isOnly: Whether this is the only place on the line.
    private mutating func add(
        _ line: RoadLine, _ passed: [Double], at distance: Double, _ place: PlanePoint, number: Int, isOnly: Bool
    ) {
        let tile = tiles[line.tile]
        // A line on the edge of two tiles is in both.
        guard tile.isJoined || place.x < 1 && place.y < 1 else { return }
        let seen = seen(place, tile)
        guard seen.depth > viewport.nearDepth, seen.depth < viewport.farDepth, viewport.cameraDistance / seen.depth >= Self.leastScale
        else { return }
        var localZoom = viewport.camera.zoom
        if viewport.sinTilt > 0 {
            // The zoom is rounded, so that the last bits have no effect.
            localZoom = ((localZoom + log2(viewport.cameraDistance / seen.depth)) * 64).rounded() / 64
        }
        let drop = max(0, Int(zoom - localZoom.rounded(.down)))
        let style = styles[Int(line.style)]
        let room = line.room * Double(1 << drop)
        guard number & ((1 << drop) - 1) == 0, room <= line.length, style.isShown(atZoom: localZoom),
            let size = style.sizes.width(atZoom: localZoom)
        else { return }
        let cell = PlanePoint(Double(tile.cell.x), Double(tile.cell.y))
        names.append(
            RoadName(
                tile: Int32(line.tile), line: Int32(line.line), number: Int32(number), style: line.style, layout: line.layout,
                distance: distance / line.side, room: room / 2 / line.side...(line.length - room / 2) / line.side,
                passed: passed, position: (cell + place) * tile.cell.size, size: size, isOnly: isOnly, drop: drop,
                leastDistance: reach(drop) / 2,
                order: RoadName.Order(
                    level: number == 0 ? 0 : 64 - number.trailingZeroBitCount, length: line.length / line.side * tile.cell.size)))
    }
}

extension RoadNames {
    private func seen(_ place: PlanePoint, _ tile: RoadTile) -> ScreenPoint {
        let offset = tile.offset(place)
        return viewport.projection.project(x: offset.x, y: offset.y, height: 0)
    }

    /// Whether a name takes part in the collisions of the picture.
    private func isNearPicture(_ name: RoadName) -> Bool {
        let tile = tiles[Int(name.tile)]
        let cell = PlanePoint(Double(tile.cell.x), Double(tile.cell.y))
        let point = seen(name.position / tile.cell.size - cell, tile)
        let margin = Self.pictureMargin + name.layout.width * name.size / Self.layoutSize / 2
        return point.x > -margin && point.y > -margin && point.x < viewport.size.width + margin && point.y < viewport.size.height + margin
    }
}

// Sorting, and removal of repetitions.
extension RoadNames {
    private mutating func sort() {
        names.sort {
            if $0.style != $1.style { return $0.style < $1.style }
            if $0.order < $1.order { return true }
            if $1.order < $0.order { return false }
            return ($0.position.y, $0.position.x, $0.line) < ($1.position.y, $1.position.x, $1.line)
        }
    }

    /// Moves each place that is near an earlier place of the same name behind all others of its style. It is used only if the name is not
    /// shown at the earlier place because something else is there, or if it is on the other side of a wide road.
    private mutating func deferRepetitions() {
        struct Key: Hashable {
            var name: TileName
            var drop: Int
            var cell: SIMD2<Int>
        }
        var known: [Key: [SIMD2<Double>]] = [:]
        for index in names.indices {
            let name = names[index]
            let reach = reach(name.drop)
            let cell = SIMD2<Int>((name.position / reach).rounded(.down))
            var key = Key(name: tiles[Int(name.tile)].roads.name(of: Int(name.line)), drop: name.drop, cell: cell)
            var isNear = false
            for offset in Self.neighbors {
                key.cell = cell &+ offset
                isNear = isNear || known[key]?.contains { ($0 - name.position).length < reach } ?? false
            }
            key.cell = cell
            known[key, default: []].append(name.position)
            if isNear {
                names[index].order.isRepetition = true
                names[index].leastDistance = reach
            }
        }
        if names.contains(where: \.order.isRepetition) { sort() }
    }

    /// The distance within which a name appears once, as a fraction of the world.
    private func reach(_ drop: Int) -> Double { Self.reach / WebMercator.worldSize(zoom: zoom) * Double(1 << drop) }

    private static let neighbors = (-1...1).flatMap { y in (-1...1).map { x in SIMD2(x, y) } }
}
