/// The type of an overlay.
public enum OverlayType: String, Sendable, CaseIterable {
    case marker
    case polyline
    case polygon
    case circle
    case groundOverlay
    case route
    case container
    case clusterLayer
    case localModel
    case geoModel
}

extension OverlayType {
    /// The role of a type in the picture. Overlays of the same family are read, ordered and drawn alike.
    package enum Family: Sendable, CaseIterable {
        case point
        case shape
        case model
        case clusters
        case ground
        /// Overlays that are not drawn themselves, but whose state applies to their contents.
        case container
    }

    package var family: Family {
        switch self {
        case .marker: .point
        case .polyline, .polygon, .circle, .route: .shape
        case .localModel, .geoModel: .model
        case .clusterLayer: .clusters
        case .groundOverlay: .ground
        case .container: .container
        }
    }

    /// Whether an inspection describes shapes of this type as rings. Other shapes are described as lines.
    package var isArea: Bool {
        switch self {
        case .polygon, .circle: true
        case .polyline, .route, .marker, .localModel, .geoModel, .clusterLayer, .groundOverlay, .container: false
        }
    }

    /// The properties of overlays of this type.
    package var properties: PropertyList {
        switch self {
        case .marker: MarkerProperties.table.list
        case .polyline: PolylineProperties.table.list
        case .polygon: PolygonProperties.table.list
        case .circle: CircleProperties.table.list
        case .groundOverlay: GroundOverlayProperties.table.list
        case .route: RouteProperties.table.list
        case .container: ContainerProperties.table.list
        case .clusterLayer: ClusterLayerProperties.table.list
        case .localModel: LocalModelProperties.table.list
        case .geoModel: GeoModelProperties.table.list
        }
    }

    /// Creates an overlay of this type; all properties have their defaults.
    package func makeOverlay() -> Overlay { unsafeDowncast(properties.make(), to: Overlay.self) }
}
