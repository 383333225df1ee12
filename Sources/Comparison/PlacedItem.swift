import Waymark
import WaymarkGeo

/// A named item in a picture: the common properties of all kinds of entries in inspections.
struct PlacedItem {
    struct Key: Hashable {
        static let infoWindowType = "infoWindow"

        var type: String
        var id: String
    }

    /// A separately drawn part of an item.
    struct Part {
        var name: OverlayPart
        var isVisible: Bool
        var hiddenBy: String?
        /// Closed outlines or open lines, in pt.
        var paths: [[Inspection.Point]]
        var isFilled = true
        /// The maximum distance in pt of the part's pixels from the outline, such as the width of a halo, or half the width of a line.
        var margin: Double
        var text: String?
    }

    var key: Key
    var isVisible: Bool
    var reason: String?
    var order: Int?
    /// The screen point of the item's position; nil if the camera does not see it.
    var anchor: Inspection.Point?
    /// Whether the item is a cluster, or a marker that a cluster layer shows individually.
    var isOfClusterLayer = false
    var parts: [Part]
    /// The line that describes the item.
    var text: String

    /// All drawn items, in the order of the lists. Containers and cluster layers are replaced by their contents.
    static func items(of inspection: Inspection) -> [PlacedItem] {
        let members = Set(inspection.overlays.lazy.filter { $0.type == .clusterLayer }.flatMap { $0.members ?? [] })
        let overlays = inspection.overlays.compactMap { entry in
            PlacedItem(entry, isOfClusterLayer: entry.type == .marker && members.contains(entry.id))
        }
        return overlays + inspection.clusters.map(PlacedItem.init)
            + inspection.symbols.map(PlacedItem.init) + inspection.viewOverlays.map { PlacedItem($0, type: "viewOverlay") }
            + (inspection.infoWindow.map { [PlacedItem($0, type: Key.infoWindowType)] } ?? [])
            + inspection.elements.map(PlacedItem.init)
    }
}

extension PlacedItem {
    /// The maximum distance in pt of a drawn pixel from an icon's corners.
    private static let iconMargin = 1.0
    /// The widest usual halo.
    private static let captionMargin = 3.0
    /// Half the usual width of lines and outlines.
    private static let lineMargin = 8.0
    /// The distance to which the shadow of an info window extends beyond its bubble.
    private static let shadowMargin = 11.0

    /// The part of an overlay that belongs to a part of a hit map, and its margin.
    static func part(_ part: HitPart) -> (name: OverlayPart, margin: Double) {
        switch part {
        case .icon, .cluster: (.icon, iconMargin)
        case .caption: (.caption, captionMargin)
        // These areas include the widths of lines.
        case .shape: (.area, iconMargin)
        case .model: (.model, iconMargin)
        case .symbol: (.symbol, captionMargin)
        case .viewOverlay, .element: (.view, iconMargin)
        case .infoWindow: (.view, shadowMargin)
        }
    }

    /// Returns nil for an entry that only groups other entries.
    private init?(_ entry: Inspection.OverlayEntry, isOfClusterLayer: Bool) {
        guard entry.type != .container, entry.type != .clusterLayer else { return nil }
        var parts: [Part] = []
        if let icon = entry.icon {
            parts.append(
                Part(
                    name: .icon, isVisible: icon.isVisible, hiddenBy: icon.hiddenBy, paths: icon.quad.map { [$0] } ?? [],
                    margin: Self.iconMargin))
        }
        if let caption = entry.caption {
            parts.append(
                Part(
                    name: .caption, isVisible: caption.isVisible, hiddenBy: caption.hiddenBy,
                    paths: caption.rect.map { [$0.corners] } ?? [],
                    margin: Self.captionMargin, text: caption.lines.joined(separator: "\n")))
        }
        func add(_ name: OverlayPart, _ paths: [[Inspection.Point]], isFilled: Bool, margin: Double) {
            parts.append(Part(name: name, isVisible: entry.isVisible, paths: paths, isFilled: isFilled, margin: margin))
        }
        if let quad = entry.quad { add(entry.type == .groundOverlay ? .area : .model, [quad], isFilled: true, margin: Self.iconMargin) }
        if let lines = entry.lines { add(.line, lines, isFilled: false, margin: Self.lineMargin) }
        if let rings = entry.rings { add(.area, rings, isFilled: true, margin: Self.lineMargin) }
        self.init(
            key: Key(type: entry.type.rawValue, id: entry.id), isVisible: entry.isVisible, reason: entry.reason?.name, order: entry.order,
            anchor: entry.anchor, isOfClusterLayer: isOfClusterLayer, parts: parts, text: entry.description)
    }

    private init(_ entry: Inspection.ClusterEntry) {
        let disc = entry.icon.map {
            Part(
                name: .icon, isVisible: $0.isVisible, hiddenBy: $0.hiddenBy, paths: $0.quad.map { [$0] } ?? [], margin: Self.iconMargin,
                text: entry.text)
        }
        self.init(
            key: Key(type: "cluster", id: entry.id), isVisible: entry.order != nil, order: entry.order, anchor: entry.anchor,
            isOfClusterLayer: true, parts: disc.map { [$0] } ?? [],
            text: entry.description)
    }

    private init(_ entry: Inspection.SymbolEntry) {
        let part = Part(
            name: .symbol, isVisible: entry.isVisible, hiddenBy: entry.hiddenBy, paths: entry.rect.map { [$0.corners] } ?? [],
            margin: Self.captionMargin)
        self.init(
            key: Key(type: "symbol", id: entry.id), isVisible: entry.isVisible, anchor: entry.anchor, parts: [part],
            text: entry.description)
    }

    private init(_ entry: Inspection.ElementEntry) {
        let part = Part(
            name: .view, isVisible: entry.isVisible, paths: entry.rect.map { [$0.corners] } ?? [], margin: Self.iconMargin)
        self.init(
            key: Key(type: entry.type.rawValue, id: entry.id), isVisible: entry.isVisible, reason: entry.reason?.rawValue, parts: [part],
            text: entry.description)
    }

    private init(_ entry: Inspection.ViewEntry, type: String) {
        let part = Part(
            name: .view, isVisible: entry.isVisible, paths: entry.rect.map { [$0.corners] } ?? [],
            margin: type == Key.infoWindowType ? Self.shadowMargin : Self.iconMargin)
        self.init(
            key: Key(type: type, id: entry.id ?? ""), isVisible: entry.isVisible, reason: entry.reason?.name, order: entry.order,
            anchor: entry.anchor, parts: [part], text: "\(type) \(entry)")
    }
}

extension PlacedItem {
    /// The boxes of the parts that are drawn.
    var boxes: [[Inspection.Point]] { parts.filter(\.isVisible).compactMap { $0.box?.corners } }

    /// Whether the drawn boxes of two items overlap.
    func overlaps(_ other: PlacedItem) -> Bool {
        let mine = parts.filter(\.isVisible).compactMap(\.box)
        let theirs = other.parts.filter(\.isVisible).compactMap(\.box)
        return mine.contains { box in theirs.contains { box.overlaps($0) } }
    }
}

extension PlacedItem.Part {
    /// The box around the part; nil if the part has no points.
    var box: PlacedBox? {
        var box: PlacedBox?
        for point in paths.joined() {
            var grown = box ?? PlacedBox(left: point.x, top: point.y, right: point.x, bottom: point.y)
            grown.left = min(grown.left, point.x)
            grown.right = max(grown.right, point.x)
            grown.top = min(grown.top, point.y)
            grown.bottom = max(grown.bottom, point.y)
            box = grown
        }
        return box
    }

    /// The position of a point.
    enum Position {
        case outside, inside
        /// Within the margin of the outline.
        case border
    }

    /// The approximate size of the part with its margin, in pt².
    var size: Double {
        var (area, length) = (0.0, 0.0)
        for path in paths where !path.isEmpty {
            var previous = isFilled ? path[path.count - 1] : path[0]
            for point in path {
                area += previous.x * point.y - point.x * previous.y
                length += ((point.x - previous.x) * (point.x - previous.x) + (point.y - previous.y) * (point.y - previous.y)).squareRoot()
                previous = point
            }
        }
        // Half of a filled outline's margin is inside.
        return isFilled ? abs(area) / 2 + length * margin : 2 * length * margin
    }

    func position(x: Double, y: Double) -> Position {
        var isInside = false
        for path in paths where !path.isEmpty {
            let last = path[path.count - 1]
            var previous = isFilled ? last : path[0]
            for point in path {
                if isFilled, (point.y > y) != (previous.y > y),
                    x < (previous.x - point.x) * (y - point.y) / (previous.y - point.y) + point.x
                {
                    isInside.toggle()
                }
                if Self.distance(x, y, previous, point) <= margin { return .border }
                previous = point
            }
        }
        return isInside ? .inside : .outside
    }

    /// The distance of a point from a segment.
    private static func distance(_ x: Double, _ y: Double, _ a: Inspection.Point, _ b: Inspection.Point) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0
        let (offX, offY) = (x - a.x - along * dx, y - a.y - along * dy)
        return (offX * offX + offY * offY).squareRoot()
    }
}

/// An upright box in pt.
struct PlacedBox {
    var left, top, right, bottom: Double

    var size: PointSize { PointSize(width: right - left, height: bottom - top) }

    var corners: [Inspection.Point] {
        [.init(x: left, y: top), .init(x: right, y: top), .init(x: right, y: bottom), .init(x: left, y: bottom)]
    }

    func overlaps(_ other: PlacedBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}

extension Inspection.Rect {
    fileprivate var corners: [Inspection.Point] {
        PlacedBox(left: x, top: y, right: x + width, bottom: y + height).corners
    }
}
