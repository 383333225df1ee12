import Foundation

/// A pointer action on the picture of a map. `MapView.send(_:)` performs it. Points are in pt from the picture's upper left, y down.
public enum PointerEvent: Hashable, Sendable {
    case tap(CGPoint)
    case longPress(CGPoint)
    /// A long press at the first point, and a drag through the other points.
    case drag(along: [CGPoint])
}

extension PointerEvent {
    /// The kinds of events. Raw values are the names in scene files.
    package enum Kind: String, CaseIterable, Sendable {
        case tap, longPress, drag
    }

    package var kind: Kind {
        switch self {
        case .tap: .tap
        case .longPress: .longPress
        case .drag: .drag
        }
    }

    /// The point of a tap or a long press, or the first point of a drag; (0, 0) for a drag without points.
    public var start: CGPoint { points.first ?? .zero }

    /// The points of the event, in order.
    package var points: [CGPoint] {
        switch self {
        case .tap(let point), .longPress(let point): [point]
        case .drag(let path): path
        }
    }

    /// The key path of a point in scene files. For a drag with two points, which may be written in two ways, this is the key path of the
    /// drag.
    package func path(ofPoint index: Int) -> String { points.count > 2 ? "\(kind.rawValue)[\(index)]" : kind.rawValue }
}
