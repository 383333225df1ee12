import Foundation

/// An action of a pointer on the picture of a map, performed by `MapView.send(_:)`. Points are in pt from the picture's upper left, y down.
public enum PointerEvent: Hashable, Sendable {
    case tap(CGPoint)
    case longPress(CGPoint)
    case drag(from: CGPoint, to: CGPoint)
}

extension PointerEvent {
    /// The names of the kinds of events in scene files.
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

    /// The point where it happens or begins.
    public var start: CGPoint {
        switch self {
        case .tap(let point), .longPress(let point), .drag(let point, _): point
        }
    }

    /// Its points, and the key path of each in scene files.
    package var points: [(path: String, point: CGPoint)] {
        switch self {
        case .tap(let point), .longPress(let point): [(kind.rawValue, point)]
        case .drag(let start, let end): [("\(kind.rawValue).from", start), ("\(kind.rawValue).to", end)]
        }
    }
}
