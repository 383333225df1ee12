import WaymarkScene

/// The overlay families, in the order in which they add their primitives to a frame.
enum OverlayFamilyID: Int, CaseIterable {
    case points
    case shapes
    case models
    case clusters
    case windows
    case grounds

    func makeFamily() -> any OverlayFamily {
        switch self {
        case .points: PointFamily()
        case .shapes: ShapeFamily()
        case .models: ModelFamily()
        case .clusters: ClusterFamily()
        case .windows: WindowFamily()
        case .grounds: GroundFamily()
        }
    }
}

extension OverlayType {
    /// The family that overlays of this type belong to; nil for containers, whose state applies to what is in them.
    var family: OverlayFamilyID? {
        switch kind.family {
        case .point: .points
        case .shape: .shapes
        case .model: .models
        case .clusters: .clusters
        case .ground: .grounds
        case .container: nil
        }
    }
}
