import WaymarkGeo
import WaymarkScene

/// What the labels of a picture collide with: markers that hide symbols, symbols, and the labels placed before.
struct LabelCollisions {
    let viewport: Viewport
    let placer: IconPlacer
    /// Where labels may be; others are hidden.
    let room: CaptionRoom
    /// The number of the first label in the grid; lower numbers are symbols of the map.
    let firstNumber: Int32
    /// The boxes of the markers that hide symbols.
    private let markers: CollisionGrid?
    /// The boxes of symbols and labels.
    private var grid: CollisionGrid

    init(_ pass: PlacingPass, _ points: PlacedPoints) {
        viewport = pass.viewport
        placer = IconPlacer(viewport)
        room = pass.captionRoom
        firstNumber = Int32(points.symbols.symbols.count)
        markers = points.collisionGrid
        grid =
            points.symbolGrid
            ?? CollisionGrid(
                width: Double(viewport.deviceWidth), height: Double(viewport.deviceHeight), pixelRatio: viewport.pixelRatio)
    }

    /// What takes the place of a shape; nil if it is free.
    /// - Parameter number: The number of the shape's owner, which does not hide itself.
    func hider(of shape: CollisionGrid.Shape, _ number: Int32) -> PlacedLabel.Hider? {
        if let marker = markers?.first(over: shape, slot: -1, .symbol) { return .marker(marker) }
        return grid.first(over: shape, slot: number, .symbol).map { owner in
            if let road = PlacedRoads.index(owner) { return .road(road) }
            return owner < firstNumber ? .symbol(owner) : .label(owner - firstNumber)
        }
    }

    mutating func take(_ shape: CollisionGrid.Shape, _ number: Int32) {
        grid.add(CollisionBox(shape: shape, slot: number, owner: number, flags: .hideSymbols))
    }
}
