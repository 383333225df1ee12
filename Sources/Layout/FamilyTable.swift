import WaymarkScene

/// The overlay families, in the order in which they add their primitives to a frame.
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
    /// The family of an overlay type; nil for containers, which are not drawn themselves: their properties apply to the overlays in them.
    var family: OverlayFamilyID? {
        switch self {
        case .marker: .points
        case .polyline, .polygon, .circle, .route: .shapes
        case .localModel, .geoModel: .models
        case .container: nil
        }
    }
}
