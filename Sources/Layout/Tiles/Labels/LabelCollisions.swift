import WaymarkGeo
import WaymarkScene

/// The obstacles for the labels of a picture: markers that hide symbols, symbols, and the labels placed before.
struct LabelCollisions {
    let viewport: Viewport
    let placer: IconPlacer
    /// The part of the picture in which labels may be. Other labels are hidden.
    let room: CaptionRoom
    /// The number of the first label in the grid. Lower numbers are symbols of the map.
    let firstNumber: Int32
    /// The maximum number of labels of a layer, and of names along its roads and rivers, in the picture and its margin. This is more than
    /// can be read, because most labels are hidden. It limits the work for tiles that have too many.
    let mostLabels: Int
    /// The boxes of the markers that hide symbols.
    private let markers: CollisionGrid?
    private let buildings: BuildingOccluders
    /// The area of the picture and its margin for each label, in square pt.
    private static let leastArea = 256.0
    /// The maximum number of points of a name that are tested for buildings in front of them.
    private static let mostPoints = 6
    /// The boxes of symbols and labels.
    private var grid: CollisionGrid

    init(_ pass: PlacingPass, _ points: PlacedPoints) {
        viewport = pass.viewport
        placer = IconPlacer(viewport)
        room = pass.captionRoom
        firstNumber = Int32(points.symbols.symbols.count)
        let (width, height) = (viewport.size.width + 2 * LabelFamily.margin, viewport.size.height + 2 * LabelFamily.margin)
        mostLabels = Int(width * height / Self.leastArea)
        markers = points.collisionGrid
        buildings = pass.buildings
        grid = points.symbolGrid ?? CollisionGrid(viewport)
        if let credits = pass.credits { take(CollisionGrid.Shape(box: credits, padding: 0), Self.credits) }
    }

    /// The number of the credits in the grid.
    private static let credits = Int32.max

    /// The obstacle that takes the place of a shape; nil if the place is free. Labels are not drawn beneath the credits of the base map.
    /// - Parameter number: The number of the shape's owner, which does not hide itself.
    func hider(of shape: CollisionGrid.Shape, _ number: Int32) -> PlacedLabel.Hider? {
        if let marker = markers?.first(over: shape, slot: -1, .symbol) { return .marker(marker) }
        return grid.first(over: shape, slot: number, .symbol).map { owner in
            if owner == Self.credits { return .credits }
            if let road = PlacedRoads.index(owner) { return .road(road) }
            return owner < firstNumber ? .symbol(owner) : .label(owner - firstNumber)
        }
    }

    /// Whether an extruded building hides the place of a label.
    func isBehindBuilding(_ label: PlacedLabel) -> Bool {
        guard !buildings.isEmpty else { return false }
        return buildings.hide(placer.position(of: label.place, height: label.height, copy: Double(label.candidate.copy)))
    }

    /// Whether extruded buildings hide more than a quarter of the letters of a name along a line.
    func isBehindBuildings(_ name: PlacedRoadName) -> Bool {
        guard !buildings.isEmpty else { return false }
        // Words of connected letters have one unit.
        let points = name.text.units.flatMap { [$0.anchor - $0.along * ($0.half / 2), $0.anchor + $0.along * ($0.half / 2)] }
        let count = min(points.count, Self.mostPoints)
        let hidden = (0..<count).count { number in
            let point = points[(2 * number + 1) * points.count / (2 * count)]
            return buildings.hideGround(at: SIMD2(point.x, point.y) / viewport.pixelRatio)
        }
        return hidden * 4 > count
    }

    mutating func take(_ shape: CollisionGrid.Shape, _ number: Int32) {
        grid.add(CollisionBox(shape: shape, slot: number, owner: number, flags: .hideSymbols))
    }
}
