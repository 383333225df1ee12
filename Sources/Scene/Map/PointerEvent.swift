import Foundation

/// An action of a pointer on the picture of a map. `MapView.send(_:)` performs it. Points are in pt from the picture's upper left, y
/// down.
public enum PointerEvent: Hashable, Sendable {
    case tap(CGPoint)
    case longPress(CGPoint)
    case drag(from: CGPoint, to: CGPoint)
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

    /// The point where the event happens or, for a drag, begins.
    public var start: CGPoint {
        switch self {
        case .tap(let point), .longPress(let point), .drag(let point, _): point
        }
    }

    /// The points of the event, and the key path of each point in scene files.
    package var points: [(path: String, point: CGPoint)] {
        switch self {
        case .tap(let point), .longPress(let point): [(kind.rawValue, point)]
        case .drag(let start, let end): [("\(kind.rawValue).from", start), ("\(kind.rawValue).to", end)]
        }
    }
}
