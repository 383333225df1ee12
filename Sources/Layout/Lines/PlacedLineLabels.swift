import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// A text or an image at a place along a line. Lengths are in device pixels.
struct PlacedLineLabel: Sendable {
    enum Content: Sendable {
        /// The text on the curve of the line, in the plane of the labels.
        case text(CurvedText)
        case image(Sprite)
    }

    /// The reason why the label is not drawn.
    enum Obstacle: Sendable, Equatable {
        /// A marker or a cluster is there, by its slot or number.
        case marker(Int32)
        /// A text or an image of a line is there, by the line's slot.
        case line(Int32)
        /// The picture's edge would cut the label.
        case edge
    }

    var slot: Int32
    var rank: Int32
    var copy: Int
    var content: Content
    /// The point of the line at the middle of the label.
    var anchor: PlanePoint
    /// The direction of the text or of the image on the screen, of length 1.
    var along: PlanePoint
    /// The areas that the label covers, without padding.
    var quads: [Quad]
    /// The reason why the label is not drawn; nil if it is drawn.
    var obstacle: Obstacle?

    var isText: Bool { if case .text = content { true } else { false } }
}

/// The texts and images along the lines of a picture.
struct PlacedLineLabels: Sendable {
    /// The labels from top to bottom.
    var labels: [PlacedLineLabel] = []
    /// The items of the labels, one for each sort key.
    var items: [DrawItem] = []
    /// The first reason why a text of a line has no place, by slot.
    var reasons: [Int32: Inspection.LabelReason] = [:]
    /// For each line that is in the picture only through its labels, its item and its place in the item's order.
    var orders: [Int32: (item: Int, place: Int)] = [:]
    /// The indices of the labels of each line.
    private var indices: [Int32: [Int]] = [:]

    mutating func append(_ label: PlacedLineLabel) {
        indices[label.slot, default: []].append(labels.count)
        labels.append(label)
    }

    /// Whether a label of a line is drawn.
    func isShown(_ slot: Int32) -> Bool { indices[slot]?.contains { labels[$0].obstacle == nil } ?? false }

    /// Whether markers or other lines take the place of a label of a line.
    func isCollided(_ slot: Int32) -> Bool {
        indices[slot]?.contains { labels[$0].obstacle != nil && labels[$0].obstacle != .edge } ?? false
    }

    /// The number of copies of the world on which a label of a line is drawn.
    func copies(of slot: Int32) -> Int {
        Set((indices[slot] ?? []).lazy.filter { labels[$0].obstacle == nil }.map { labels[$0].copy }).count
    }

    /// The position in the drawing order of a line that is in the picture only by its labels; valid once all items are merged.
    func order(of slot: Int32) -> Int? { orders[slot].map { items[$0.item].firstOrder + $0.place } }
}

extension PlacedLineLabels {
    /// Adds the texts and images of a line to its description.
    func describe(
        _ slot: Int32, _ content: LineLabelContent, _ viewport: Viewport, _ entry: inout Inspection.OverlayEntry, _ pass: DescribingPass
    ) {
        let own = (indices[slot] ?? []).map { labels[$0] }
        func label(_ kind: [PlacedLineLabel], _ reason: Inspection.LabelReason?) -> Inspection.LineLabel {
            let isVisible = kind.contains { $0.obstacle == nil }
            var reason = isVisible ? nil : reason ?? .outOfView
            if !isVisible, let obstacle = kind.first?.obstacle { reason = obstacle == .edge ? .cutByEdge : .collided }
            let places = kind.prefix(Inspection.maximumNumberOfListedLabels).map { label in
                Inspection.LabelPlace(
                    isVisible: label.obstacle == nil, anchor: viewport.inspectedPixels(label.anchor),
                    angle: viewport.inspectedDegrees(label.along), hiddenBy: pass.name(of: label.obstacle))
            }
            return Inspection.LineLabel(isVisible: isVisible, reason: reason, places: places)
        }
        if content.text != nil { entry.lineText = label(own.filter(\.isText), reasons[slot]) }
        if content.image != nil { entry.lineImage = label(own.filter { !$0.isText }, nil) }
    }

    /// The part of a line's labels at a point; nil when none of them is there.
    func hit(_ slot: Int32, _ pass: PickingPass) -> HitPart? {
        for index in indices[slot] ?? [] where labels[index].obstacle == nil {
            if labels[index].quads.contains(where: pass.isHit) { return labels[index].isText ? .caption : .icon }
        }
        return nil
    }

    /// The areas in which the labels of the lines can be picked.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        labels.compactMap { label in
            guard label.obstacle == nil else { return nil }
            var hit = pass.hit(ofShape: label.slot, isVisible: true)
            hit.part = label.isText ? .caption : .icon
            hit.order.within = 1
            return pass.area(hit, label.quads.map(\.points))
        }
    }
}

extension DescribingPass {
    fileprivate func name(of obstacle: PlacedLineLabel.Obstacle?) -> String? {
        switch obstacle {
        case .line(let slot), .marker(let slot): names[slot]
        case .edge, nil: nil
        }
    }
}

extension Viewport {
    func inspectedPixels(_ point: PlanePoint) -> Inspection.Point {
        Inspection.Point(x: quantized(point.x) / pixelRatio, y: quantized(point.y) / pixelRatio)
    }

    /// The clockwise angle of a direction on the screen from the right, in degrees, -180…180.
    func inspectedDegrees(_ along: PlanePoint) -> Double {
        // Rounded, because the last bit of an arc tangent depends on the processor.
        (atan2(along.y, along.x) * 180 / .pi * 1000).rounded() / 1000
    }
}

extension Quad {
    /// The corners of the quad, in order around it.
    var points: [PlanePoint] {
        [PlanePoint(x.0, y.0), PlanePoint(x.1, y.1), PlanePoint(x.2, y.2), PlanePoint(x.3, y.3)]
    }

    init(_ points: [PlanePoint]) { self.init(points.map { ($0.x, $0.y) }) }
}

extension PickingPass {
    /// Whether the point is in a quad, or within the tolerance around it.
    func isHit(_ quad: Quad) -> Bool {
        guard isHit(quad.box) else { return false }
        let points = quad.points
        var isInside = false
        var before = points[3]
        for point in points {
            if touches(before.x, before.y, point.x, point.y) { return true }
            if (before.y <= y) != (point.y <= y), (point.x - before.x) * (y - before.y) / (point.y - before.y) + before.x > x {
                isInside.toggle()
            }
            before = point
        }
        return isInside
    }
}
