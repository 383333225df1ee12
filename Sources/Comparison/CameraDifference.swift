import Foundation
import Waymark
import WaymarkGeo

/// The difference between the cameras of two pictures. It is reported first, because it changes the position of everything in the picture.
public struct CameraDifference: Equatable, Sendable {
    public var expected: Camera
    public var actual: Camera

    /// The tolerance for degrees, because inspections print them with nine decimal places.
    private static let rounding = 1.5e-9

    /// Returns nil if the cameras are equal.
    init?(_ expected: Camera, _ actual: Camera) {
        func differ(_ a: Double, _ b: Double) -> Bool { abs(a - b) > Self.rounding }
        func angle(_ a: Double, _ b: Double) -> Double { (a - b).remainder(dividingBy: 360) }
        guard
            differ(expected.center.lat, actual.center.lat) || differ(angle(expected.center.lng, actual.center.lng), 0)
                || differ(expected.zoom, actual.zoom) || differ(angle(expected.bearing, actual.bearing), 0)
                || differ(expected.tilt, actual.tilt)
        else { return nil }
        (self.expected, self.actual) = (expected, actual)
    }
}

extension CameraDifference: CustomStringConvertible {
    /// The properties that differ, such as `the zoom is 12.5, expected 12`, separated by semicolons.
    public var description: String { Self.clause([self]) }

    private static let properties: [(name: String, value: @Sendable (Camera) -> Double)] = [
        ("latitude", { $0.center.lat }), ("longitude", { $0.center.lng }), ("zoom", { $0.zoom }), ("bearing", { $0.bearing }),
        ("tilt", { $0.tilt }),
    ]

    /// The properties that differ in several pictures, each with the ranges of its values, such as `the zoom is 12.5 to 13, expected 12`.
    static func clause(_ differences: [CameraDifference]) -> String {
        func text(_ value: Double, _ decimals: Int) -> String {
            let power = pow(10, Double(decimals))
            return plain((value * power).rounded() / power)
        }
        func range(_ values: [Double], _ decimals: Int) -> String {
            let (low, high) = (text(values.min() ?? 0, decimals), text(values.max() ?? 0, decimals))
            return low == high ? low : "\(low) to \(high)"
        }
        return properties.compactMap { (name, value) -> String? in
            let changes = differences.map { (old: value($0.expected), new: value($0.actual)) }.filter { abs($0.old - $0.new) > rounding }
            guard !changes.isEmpty else { return nil }
            // The numbers are as short as possible without becoming equal.
            let decimals = [3, 6, 9].first { decimals in changes.allSatisfy { text($0.old, decimals) != text($0.new, decimals) } } ?? 9
            return "the \(name) is \(range(changes.map(\.new), decimals)), expected \(range(changes.map(\.old), decimals))"
        }.joined(separator: "; ")
    }
}

/// Maps the ground of an expected picture to an actual picture with a different camera or size.
struct MovedView {
    private let expected: Viewport
    private let actual: Viewport

    /// The resolution of the printed positions, in pt.
    private static let rounding = 0.002

    /// Returns nil if both pictures show the ground at the same points.
    init?(_ expected: Viewport, _ actual: Viewport) {
        guard CameraDifference(expected.camera, actual.camera) != nil || expected.size != actual.size else { return nil }
        (self.expected, self.actual) = (expected, actual)
    }

    /// The distance in pt by which something on the ground is drawn away from the point where the other camera shows its expected
    /// position; nil if it is there, or if a camera does not show it.
    func shift(from old: Inspection.Point, to new: Inspection.Point) -> (x: Double, y: Double)? {
        func moved(_ x: Double, _ y: Double) -> CGPoint? {
            expected.geoCoordinates(from: CGPoint(x: x, y: y)).flatMap { actual.point(from: $0) }
        }
        guard let point = moved(old.x, old.y) else { return nil }
        let (x, y) = (new.x - Double(point.x), new.y - Double(point.y))
        // Rounding moves points near the horizon much more than other points.
        var slack = 2 * Self.rounding
        for (dx, dy) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            guard let near = moved(old.x + dx * Self.rounding, old.y + dy * Self.rounding) else { return nil }
            slack = max(slack, 2 * Self.rounding + hypot(Double(near.x - point.x), Double(near.y - point.y)))
        }
        guard hypot(x, y) > slack else { return nil }
        return ((x * 100).rounded() / 100, (y * 100).rounded() / 100)
    }
}

extension ItemPairs {
    /// The reasons why an overlay is not drawn that do not depend on the camera.
    private static let reasonsOfScene = Set([Reason.hidden, .outOfProjection, .underground, .invalid, .noPosition, .empty].map(\.name))

    /// The differences of an overlay that a different camera does not explain.
    static func changes(_ expected: PlacedItem, _ actual: PlacedItem, in view: MovedView) -> [OverlayChange] {
        switch (expected.isVisible, actual.isVisible) {
        case (false, false): return []
        case (false, true): return expected.reason.map(reasonsOfScene.contains) == true ? [.shown(nil)] : []
        case (true, false):
            return actual.reason.map(reasonsOfScene.contains) == true ? [.hidden(nil, by: nil, reason: actual.reason)] : []
        case (true, true):
            var changes = actual.parts.compactMap { part in
                expected.parts.first { $0.name == part.name }.flatMap { part.textChange(from: $0) }
            }
            // The window of a marker stands above the marker's icon, whose height in meters depends on the zoom.
            let isOfMarker = actual.key.type == PlacedItem.Key.infoWindowType && !actual.key.id.isEmpty
            if !isOfMarker, let old = expected.anchor, let new = actual.anchor, let shift = view.shift(from: old, to: new) {
                changes.append(.moved(nil, x: shift.x, y: shift.y))
            }
            return changes
        }
    }
}
