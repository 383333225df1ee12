import Synchronization
import WaymarkRaster
import WaymarkTiles

/// The buildings of a tile as footprints with heights, clipped to the tile and in flat arrays. No object exists per building.
package struct TileBuildings: Sendable {
    /// The rings of all footprints. Exterior rings turn clockwise on the map, and holes counterclockwise.
    package private(set) var rings = TileShapes()
    /// The end of the rings of each footprint, which are an exterior ring and its holes.
    package private(set) var ringEnds: [Int32] = []
    /// The heights of the bottom and the top of each building in meters above the ground. The top is above the bottom.
    package private(set) var heights: [SIMD2<Float>] = []
    /// A number that differs for each prepared tile of the process that has buildings.
    package private(set) var number: UInt64 = 0

    /// Whether each building is a part of another building, whose outline the tile may also have. Used only while a layer is read.
    private var areParts: [Bool] = []

    package init() {}

    /// The height in meters of buildings whose height is not stated. It corresponds to one or two floors.
    package static let usualHeight: Float = 5
    /// The greatest height in meters that is used. Greater heights are errors in the data.
    package static let greatestHeight: Float = 1000

    package var count: Int { ringEnds.count }
    package var isEmpty: Bool { ringEnds.isEmpty }

    /// The rings of a footprint.
    package func rings(of building: Int) -> Range<Int> { (building == 0 ? 0 : Int(ringEnds[building - 1]))..<Int(ringEnds[building]) }

    /// The size in memory.
    var byteCount: Int { rings.byteCount + 4 * ringEnds.capacity + 8 * heights.capacity }

    private static let lastNumber = Atomic<UInt64>(0)
}

extension TileBuildings {
    /// Adds the buildings of a layer.
    mutating func read(
        _ layer: VectorLayer, _ roles: [MapRole?], _ keys: BuildingKeys, _ limits: TileGeometry.Limits
    ) throws(TileRefusal) {
        var reader = HeightReader(layer, keys)
        let features = layer.features
        var clipper = TileClipper()
        clipper.extent = layer.extent
        for (feature, role) in roles.enumerated() where role == .building && features.kinds[feature] == .polygons {
            guard let building = reader.building(feature) else { continue }
            // Whether the exterior ring is inside the tile; otherwise its holes are not, either.
            var isShown = false
            for part in features.parts(of: feature) {
                let isHole = features.areHoles[part]
                if isHole && !isShown { continue }
                let count = rings.count
                clipper.add(ring: features.points(of: part), of: features.coordinates, isHole: isHole, to: &rings)
                let isKept = rings.count > count
                if !isHole { isShown = isKept }
                guard isKept else { continue }
                add(isHole: isHole, building.heights, isPart: building.isPart)
            }
            try TileGeometry.Limits.check(clipper.pointCount, limits.buildingPoints, "points in buildings")
        }
        removeOutlinesOfParts(comparisons: limits.comparisons)
        areParts = []
        if !isEmpty { number = Self.lastNumber.add(1, ordering: .relaxed).newValue }
    }

    /// Adds the last ring to the building before it, or begins a building.
    private mutating func add(isHole: Bool, _ heights: SIMD2<Float>, isPart: Bool) {
        if isHole {
            ringEnds[ringEnds.count - 1] = Int32(rings.count)
        } else {
            ringEnds.append(Int32(rings.count))
            self.heights.append(heights)
            areParts.append(isPart)
        }
    }

    /// The height in meters of the highest building over each point; 0 without a building.
    package func tops(at points: [TileGeometry.Point]) -> [Float] {
        var comparisons = 0
        return points.map { point in
            var top: Float = 0
            comparisons += count
            for building in 0..<count where heights[building].y > top {
                let rings = rings(of: building)
                guard isInside(point, rings.lowerBound, &comparisons) else { continue }
                if comparisons > Self.mostComparisonsOfPoints { return 0 }
                if !rings.dropFirst().contains(where: { isInside(point, $0, &comparisons) }) { top = heights[building].y }
            }
            return top
        }
    }

    /// The part of the tile that a tile of a higher zoom shows.
    func part(_ part: TilePart, _ clipper: inout TileClipper) -> TileBuildings {
        var result = TileBuildings()
        for building in 0..<count {
            for (number, ring) in rings(of: building).enumerated() {
                let count = result.rings.count
                clipper.add(rings, ring, part, to: &result.rings)
                if result.rings.count > count {
                    result.add(isHole: number > 0, heights[building], isPart: false)
                } else if number == 0 {
                    break
                }
            }
        }
        result.areParts = []
        if !result.isEmpty { result.number = Self.lastNumber.add(1, ordering: .relaxed).newValue }
        return result
    }
}

// Outlines.
extension TileBuildings {
    /// The maximum number of comparisons of points with buildings and their corners, which take a tenth of a second. Tiles of cities need
    /// a tenth of this number.
    private static let mostComparisonsOfPoints = 1 << 26
    /// The number of cells in a row and in a column of the grid in which the parts of buildings are found.
    private static let gridSide = 32

    /// Removes the outlines of buildings that consist of parts, because the parts have the heights. An outline is recognized by its parts,
    /// which cover at least half of its area.
    /// - Parameter limit: The maximum number of cells, parts and points of outlines that are compared. Further outlines remain.
    private mutating func removeOutlinesOfParts(comparisons limit: Int) {
        guard areParts.contains(true) else { return }
        let areas = (0..<count).map { area(of: $0) }
        let middles = (0..<count).map { middle(of: $0) }
        func cell(_ place: Float) -> Int { min(max(Int(place * Float(Self.gridSide)), 0), Self.gridSide - 1) }
        var grid = [[Int32]](repeating: [], count: Self.gridSide * Self.gridSide)
        for building in 0..<count where areParts[building] {
            grid[cell(middles[building].y) * Self.gridSide + cell(middles[building].x)].append(Int32(building))
        }
        var isRemoved = [Bool](repeating: false, count: count)
        var comparisons = 0
        outlines: for building in 0..<count where !areParts[building] {
            let ring = rings(of: building).lowerBound
            let box = rings.boxes[ring]
            var covered = 0.0
            for row in cell(box.y)...cell(box.w) {
                for column in cell(box.x)...cell(box.z) {
                    comparisons += 1
                    for part in grid[row * Self.gridSide + column] {
                        guard comparisons <= limit else { break outlines }
                        if isInside(middles[Int(part)], ring, &comparisons) { covered += areas[Int(part)] }
                    }
                }
            }
            guard comparisons <= limit else { break }
            isRemoved[building] = covered > 0 && covered >= areas[building] / 2
        }
        guard isRemoved.contains(true) else { return }
        let whole = self
        (rings, ringEnds, heights) = (TileShapes(), [], [])
        for building in 0..<whole.count where !isRemoved[building] {
            for ring in whole.rings(of: building) { rings.append(whole.rings, ring) }
            ringEnds.append(Int32(rings.count))
            heights.append(whole.heights[building])
        }
    }

    /// The middle of the box around a footprint.
    private func middle(of building: Int) -> TileGeometry.Point {
        let box = rings.boxes[rings(of: building).lowerBound]
        return (box.lowHalf + box.highHalf) / 2
    }

    /// The area of a footprint without its holes.
    private func area(of building: Int) -> Double {
        rings(of: building).reduce(0) { $0 + Contours.signedArea(rings.points[rings.range($1)].map { PlanePoint($0) }) }
    }

    private func isInside(_ point: TileGeometry.Point, _ ring: Int, _ comparisons: inout Int) -> Bool {
        comparisons += 1
        let box = rings.boxes[ring]
        guard point.x >= box.x, point.y >= box.y, point.x <= box.z, point.y <= box.w else { return false }
        let points = rings.points[rings.range(ring)]
        comparisons += points.count
        guard var before = points.last else { return false }
        var isInside = false
        for next in points {
            if (next.y > point.y) != (before.y > point.y),
                point.x < before.x + (point.y - before.y) * (next.x - before.x) / (next.y - before.y)
            {
                isInside.toggle()
            }
            before = next
        }
        return isInside
    }
}

/// The attributes of a schema that state the heights of buildings.
struct BuildingKeys: Sendable {
    /// The height of the top in meters; nil if the schema has no heights.
    var top: String?
    /// The height of the bottom in meters.
    var bottom: String?
    /// The attribute that is true for the outline of a building whose parts the tile has.
    var outline: String?
    /// The attribute whose value is `building_part` for a part of a building whose outline the tile has, too.
    var kind: String?
}

/// Reads the heights of buildings.
private struct HeightReader {
    private let layer: VectorLayer
    /// The use of each key of the layer.
    private let uses: [Use]
    /// Whether each value means a part of a building; nil for those not looked up yet.
    private var arePartKinds: [Bool?]

    private enum Use: UInt8 { case none, top, bottom, outline, kind }

    init(_ layer: VectorLayer, _ keys: BuildingKeys) {
        self.layer = layer
        let names: [(String?, Use)] = [(keys.top, .top), (keys.bottom, .bottom), (keys.outline, .outline), (keys.kind, .kind)]
        uses = (0..<layer.keyCount).map { key in
            names.first { name, _ in name.map { layer.key(key, is: $0) } ?? false }?.1 ?? .none
        }
        arePartKinds = Array(repeating: nil, count: keys.kind == nil ? 0 : layer.valueCount)
    }

    /// The heights of the bottom and the top of a building in meters, and whether it is a part of another; nil for one that is not extruded.
    mutating func building(_ feature: Int) -> (heights: SIMD2<Float>, isPart: Bool)? {
        var (top, bottom): (Float?, Float?) = (nil, nil)
        var isPart = false
        for attribute in layer.features.attributes(of: feature) {
            let value = Int(layer.features.attributes[2 * attribute + 1])
            // If a feature has several values for a key, the first counts.
            switch uses[Int(layer.features.attributes[2 * attribute])] {
            case .none: break
            case .top: top = top ?? layer.number(value).map { Float($0) }
            case .bottom: bottom = bottom ?? layer.number(value).map { Float($0) }
            case .outline: if isTrue(value) { return nil }
            case .kind: isPart = isPartKind(value)
            }
        }
        return Self.heights(top: top, bottom: bottom).map { ($0, isPart) }
    }

    /// The heights of a building by the heights that a tile states; nil for a building without height.
    private static func heights(top: Float?, bottom: Float?) -> SIMD2<Float>? {
        let bottom = bottom.map { $0 > 0 ? min($0, TileBuildings.greatestHeight) : 0 } ?? 0
        guard let top, top > 0 else { return SIMD2(bottom, bottom + TileBuildings.usualHeight) }
        return top > bottom ? SIMD2(bottom, max(min(top, TileBuildings.greatestHeight), bottom.nextUp)) : nil
    }

    private func isTrue(_ value: Int) -> Bool {
        if case .boolean(let isTrue) = layer.value(value, mostBytes: 0) { return isTrue }
        return layer.number(value).map { $0 != 0 } ?? false
    }

    private mutating func isPartKind(_ value: Int) -> Bool {
        if let known = arePartKinds[value] { return known }
        let isPart = layer.value(value) == .text("building_part")
        arePartKinds[value] = isPart
        return isPart
    }
}
