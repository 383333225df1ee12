import WaymarkScene

/// The families of overlays, in the order in which their primitives stand in a frame.
enum OverlayFamilyID: Int, CaseIterable {
    case points
    case shapes
    case models

    func makeFamily(captionBytes: Int) -> any OverlayFamily {
        switch self {
        case .points: PointFamily(captionBytes: captionBytes)
        case .shapes: ShapeFamily()
        case .models: ModelFamily()
        }
    }
}

extension OverlayType {
    /// The family that a kind of overlay belongs to; nil for containers, which are nowhere themselves: what they are like holds for what is
    /// in them.
    var family: OverlayFamilyID? {
        switch self {
        case .marker: .points
        case .polyline, .polygon, .circle, .route: .shapes
        case .localModel, .geoModel: .models
        case .container: nil
        }
    }
}
