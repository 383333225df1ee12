import WaymarkGeo

/// The extent of the markers of a cluster layer that have one style, for `fit`: each as if it stood alone, with its icon.
struct ClusterExtent: ExtentPart {
    private(set) var places: [WorldPoint]
    private let style: IconStyle
    /// Those that may be outermost; nil before `unwrap`.
    private var outermost: PointExtent?

    init(_ places: [WorldPoint], _ style: IconStyle) {
        self.places = places
        self.style = style
    }

    var longitudes: [Double] { places.map(\.x) }

    mutating func unwrap(west: Double) {
        for index in places.indices where places[index].x < west { places[index].x += 1 }
        places = PointExtent.outsideOctagon(places).map { places[$0] }
        outermost = PointExtent(places.map { PointExtent.Point(place: $0, height: 0, style: style) }, CaptionColumns())
        outermost?.unwrap(west: west)
    }

    func box(in viewport: Viewport, centerX: Double) -> ScreenBox? { outermost?.box(in: viewport, centerX: centerX) }

    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool {
        outermost?.extend(beyond: known, in: viewport, centerX: centerX) ?? false
    }

    mutating func reduce(to room: FitRoom) -> [OversizedItem] { outermost?.reduce(to: room) ?? [] }
    mutating func reduceToPositions() { outermost?.reduceToPositions() }
}
