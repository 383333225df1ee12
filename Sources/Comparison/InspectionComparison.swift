import Foundation
import Waymark
import WaymarkGeo
import WaymarkImaging

/// The differences between two inspections, listed by overlay, and the number of differing pixels that belong to no overlay.
public struct InspectionComparison: Equatable, Sendable {
    /// The differences, in the order of the overlays in the actual scene. Overlays that are missing from the actual scene come first.
    public private(set) var overlays: [OverlayDifference]
    /// The difference between the cameras; nil if they are equal. If the cameras differ, `overlays` contains only the differences that the
    /// cameras do not explain.
    public let camera: CameraDifference?
    /// The number of differing pixels outside all overlays, in the background or the base map; 0 if no pictures were compared, or if the
    /// pictures show different parts of the ground.
    public private(set) var otherPixels = 0

    /// Compares two inspections, and optionally the pictures that they describe.
    /// - Parameter pictures: The comparison of the expected and the actual picture; nil compares only the inspections.
    public init(expected: Inspection, actual: Inspection, pictures: PictureComparison? = nil) {
        self.init(expected: expected, actual: actual, pictures: pictures, ignoring: IgnoredItems([], in: []))
    }

    init(expected: Inspection, actual: Inspection, pictures: PictureComparison?, ignoring ignored: IgnoredItems) {
        let pair = ItemPairs(expected, actual, ignoring: ignored)
        camera = CameraDifference(expected.viewport.camera, actual.viewport.camera)
        let moved = MovedView(expected.viewport, actual.viewport)
        var changes = pair.changes(in: moved)
        if let pictures, moved == nil, pictures.differingPixels > 0 {
            let attribution = PixelAttribution(pictures, pair, changed: changes, pixelRatio: actual.viewport.pixelRatio)
            otherPixels = attribution.otherPixels
            for (index, change) in attribution.changes { changes[index, default: []].append(change) }
        }
        overlays = pair.pairs.indices.compactMap { index in changes[index].map { pair.difference(index, $0) } }
    }
}

/// The items of two placements, paired by name.
struct ItemPairs {
    struct Pair {
        var expected: PlacedItem?
        var actual: PlacedItem?
    }

    /// Items missing in the actual placement first, then in the order of its lists.
    let pairs: [Pair]
    /// The side of a device pixel in pt.
    private let pixel: Double

    /// A tolerance, because values are printed with three decimal places.
    private static let rounding = 0.0015
    /// The maximum number of overlays whose new neighbors in the drawing order are searched for.
    private static let mostReordered = 100

    init(_ expected: Inspection, _ actual: Inspection, ignoring ignored: IgnoredItems) {
        pixel = 1 / actual.viewport.pixelRatio
        var old: [PlacedItem.Key: PlacedItem] = [:]
        let items = PlacedItem.items(of: expected).filter { !ignored.contains($0.key) }
        for item in items { old[item.key] = item }
        let new = PlacedItem.items(of: actual).filter { !ignored.contains($0.key) }
        let names = Set(new.map(\.key))
        pairs =
            items.filter { !names.contains($0.key) }.map { Pair(expected: $0, actual: nil) }
            + new.map { Pair(expected: old[$0.key], actual: $0) }
    }

    func difference(_ index: Int, _ changes: [OverlayChange]) -> OverlayDifference {
        let pair = pairs[index]
        let key = pair.actual?.key ?? pair.expected?.key ?? PlacedItem.Key(type: "", id: "")
        return OverlayDifference(
            id: key.id, type: key.type, changes: changes, expectedBoxes: pair.expected?.boxes ?? [], actualBoxes: pair.actual?.boxes ?? [],
            expectedText: pair.expected?.text, actualText: pair.actual?.text)
    }

    /// The differences between the placements, keyed by index in `pairs`. Items drawn in neither picture are ignored.
    /// - Parameter view: Nil if both pictures show the ground at the same points. Otherwise, only the differences that a different camera
    ///   does not explain are returned: overlays that are added, removed, hidden or shown, other texts, and other positions on the ground.
    func changes(in view: MovedView?) -> [Int: [OverlayChange]] {
        // The zoom determines which clusters there are, and which markers they contain.
        func isCounted(_ item: PlacedItem) -> Bool { item.isVisible && (view == nil || !item.isOfClusterLayer) }
        var changes: [Int: [OverlayChange]] = [:]
        for (index, pair) in pairs.enumerated() {
            let found: [OverlayChange]
            switch (pair.expected, pair.actual) {
            case (let expected?, nil): found = isCounted(expected) ? [.removed] : []
            case (nil, let actual?): found = isCounted(actual) ? [.added] : []
            case (let expected?, let actual?):
                found = view.map { Self.changes(expected, actual, in: $0) } ?? self.changes(expected, actual)
            case (nil, nil): found = []
            }
            if !found.isEmpty { changes[index] = found }
        }
        guard view == nil else { return changes }
        for (index, change) in reordered() { changes[index, default: []].append(change) }
        return changes
    }

    private func changes(_ expected: PlacedItem, _ actual: PlacedItem) -> [OverlayChange] {
        guard expected.isVisible || actual.isVisible else { return [] }
        guard expected.isVisible else { return [.shown(nil)] }
        guard actual.isVisible else {
            return [.hidden(nil, by: actual.parts.lazy.compactMap(\.hiddenBy).first, reason: actual.reason)]
        }
        var changes: [OverlayChange] = []
        /// The distance by which the first part has moved.
        var shift: (x: Double, y: Double)?
        for part in actual.parts {
            guard let old = expected.parts.first(where: { $0.name == part.name }) else {
                if part.isVisible { changes.append(.shown(part.name)) }
                continue
            }
            if let change = part.textChange(from: old) { changes.append(change) }
            switch (old.isVisible, part.isVisible) {
            case (false, false): continue
            case (true, false): changes.append(.hidden(part.name, by: part.hiddenBy, reason: nil))
            case (false, true): changes.append(.shown(part.name))
            case (true, true):
                guard let moved = Self.translation(old, part) else {
                    if let angle = Self.turn(old, part) {
                        changes.append(.turned(part.name, by: angle))
                    } else if let from = old.box, let to = part.box {
                        changes.append(.resized(part.name, from: from.size, to: to.size))
                    }
                    continue
                }
                let expectedShift = shift ?? (0, 0)
                // Parts that move with the icon may be snapped to different pixels.
                let slack = shift == nil ? Self.rounding : pixel + Self.rounding
                if abs(moved.x - expectedShift.x) > slack || abs(moved.y - expectedShift.y) > slack {
                    changes.append(.moved(shift == nil ? nil : part.name, x: moved.x, y: moved.y))
                }
                if shift == nil { shift = moved }
            }
        }
        for part in expected.parts where part.isVisible && !actual.parts.contains(where: { $0.name == part.name }) {
            changes.append(.hidden(part.name, by: nil, reason: nil))
        }
        return changes
    }

    /// The translation of a part as a whole; nil if its shape differs.
    private static func translation(_ old: PlacedItem.Part, _ new: PlacedItem.Part) -> (x: Double, y: Double)? {
        guard old.paths.map(\.count) == new.paths.map(\.count) else { return nil }
        var shift: (x: Double, y: Double)?
        for (a, b) in zip(old.paths.joined(), new.paths.joined()) {
            let here = (x: b.x - a.x, y: b.y - a.y)
            guard let first = shift else {
                shift = here
                continue
            }
            guard abs(here.x - first.x) <= 2 * rounding, abs(here.y - first.y) <= 2 * rounding else { return nil }
        }
        return shift.map { (($0.x * 1000).rounded() / 1000, ($0.y * 1000).rounded() / 1000) } ?? (0, 0)
    }

    /// The degrees by which the outline of a part is turned clockwise, above -180 and at most 180; nil if its shape differs or it is not
    /// turned.
    private static func turn(_ old: PlacedItem.Part, _ new: PlacedItem.Part) -> Double? {
        guard old.paths.count == 1, new.paths.count == 1, old.paths[0].count == new.paths[0].count, old.paths[0].count > 2 else {
            return nil
        }
        func edges(_ path: [Inspection.Point]) -> [(x: Double, y: Double)] {
            path.indices.map { (path[($0 + 1) % path.count].x - path[$0].x, path[($0 + 1) % path.count].y - path[$0].y) }
        }
        let (before, after) = (edges(old.paths[0]), edges(new.paths[0]))
        // The longest edge gives the most precise angle.
        guard let longest = before.indices.max(by: { hypot(before[$0].x, before[$0].y) < hypot(before[$1].x, before[$1].y) }) else {
            return nil
        }
        let turn = atan2(after[longest].y, after[longest].x) - atan2(before[longest].y, before[longest].x)
        for (a, b) in zip(before, after) {
            let turned = (x: a.x * cos(turn) - a.y * sin(turn), y: a.x * sin(turn) + a.y * cos(turn))
            guard hypot(turned.x - b.x, turned.y - b.y) <= 8 * rounding else { return nil }
        }
        let degrees = ((turn * 180 / .pi).remainder(dividingBy: 360) * 10).rounded() / 10
        // A smaller turn is more likely a change of size.
        guard degrees != 0 else { return nil }
        return degrees == -180 ? 180 : degrees
    }
}

// MARK: - The drawing order

extension ItemPairs {
    /// The smallest set of overlays that explains the new order of overlapping items.
    private func reordered() -> [(Int, OverlayChange)] {
        let drawn = pairs.indices.compactMap { index -> (index: Int, expected: Int, actual: Int)? in
            guard let expected = pairs[index].expected?.order, let actual = pairs[index].actual?.order else { return nil }
            return (index, expected, actual)
        }
        // Models of one group have equal positions, and therefore no order among them.
        let sorted = drawn.sorted { ($0.expected, $0.actual, $0.index) < ($1.expected, $1.actual, $1.index) }
        let kept = Self.longestRise(sorted.map(\.actual))
        var changes: [(Int, OverlayChange)] = []
        for place in sorted.indices where !kept.contains(place) && changes.count < Self.mostReordered {
            let own = sorted[place]
            guard let item = pairs[own.index].actual else { continue }
            // The nearest of the overlays that it has passed.
            let passed = sorted.filter { other in
                ((other.expected < own.expected && other.actual > own.actual)
                    || (other.expected > own.expected && other.actual < own.actual))
                    && pairs[other.index].actual?.overlaps(item) == true
            }
            guard let nearest = passed.min(by: { abs($0.actual - own.actual) < abs($1.actual - own.actual) }),
                let name = pairs[nearest.index].actual?.key.id
            else { continue }
            changes.append((own.index, nearest.actual < own.actual ? .raised(over: name) : .lowered(under: name)))
        }
        return changes
    }

    /// The indices of a longest non-decreasing subsequence of numbers (patience sorting).
    private static func longestRise(_ numbers: [Int]) -> Set<Int> {
        /// The index of the smallest number that ends such a subsequence, for each length.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            let length = ends.partitioningIndex { numbers[$0] > number }
            before[place] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(place) } else { ends[length] = place }
        }
        var run: Set<Int> = []
        var next = ends.last
        while let place = next {
            run.insert(place)
            next = before[place]
        }
        return run
    }
}

extension PlacedItem.Part {
    func textChange(from old: Self) -> OverlayChange? {
        guard let from = old.text, let to = text, from != to else { return nil }
        return .text(from: from.oneLine, to: to.oneLine)
    }
}

extension String {
    fileprivate var oneLine: String { split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " / ") }
}
