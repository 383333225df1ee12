/// Why an overlay is not in the picture.
public enum Reason: UInt8, Sendable, CaseIterable, Equatable {
    /// Outside the picture, or beyond the far limit.
    case outOfView = 1
    case hidden
    /// Outside its zoom range.
    case outOfZoom
    /// Hidden by another marker.
    case collided
    /// Nearer than the camera's near limit, or behind it.
    case behindCamera
    /// Beyond the latitudes of Web Mercator.
    case outOfProjection
    /// Its altitude is below 0.
    case underground
    /// A property has an invalid value; a diagnostic says which.
    case invalid
    case noPosition
    /// There is nothing to draw: a circle of radius 0, a line of width 0, a marker with neither icon nor caption, a container of nothing.
    /// What is drawn transparently is not empty.
    case empty

    /// The name that `inspect` prints.
    public var name: String {
        switch self {
        case .outOfView: "outOfView"
        case .hidden: "hidden"
        case .outOfZoom: "outOfZoom"
        case .collided: "collided"
        case .behindCamera: "behindCamera"
        case .outOfProjection: "outOfProjection"
        case .underground: "underground"
        case .invalid: "invalid"
        case .noPosition: "noPosition"
        case .empty: "empty"
        }
    }
}
