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
    /// The kind of this type: all information about it that needs no object. To add a type, add a `case` above and a line here.
    package var kind: OverlayKind {
        switch self {
        case .marker: MarkerProperties.kind
        case .polyline: PolylineProperties.kind
        case .polygon: PolygonProperties.kind
        case .circle: CircleProperties.kind
        case .groundOverlay: GroundOverlayProperties.kind
        case .route: RouteProperties.kind
        case .container: ContainerProperties.kind
        case .clusterLayer: ClusterLayerProperties.kind
        case .localModel: LocalModelProperties.kind
        case .geoModel: GeoModelProperties.kind
        }
    }

    /// The properties of overlays of this type.
    package var properties: PropertyList { kind.properties }

    /// Creates an overlay of this type; all properties have their defaults.
    package func makeOverlay() -> Overlay { kind.make() }
}

/// A kind of overlay: its properties, its initializer and its family.
package final class OverlayKind: Sendable {
    /// The role of a kind in the picture. Overlays of the same family are read, ordered and drawn alike.
    package enum Family: Sendable, CaseIterable {
        case point
        case shape
        case model
        case clusters
        case ground
        /// An overlay that is not drawn itself, but whose state applies to its contents.
        case container
    }

    package let properties: PropertyList
    package let family: Family
    private let makeOverlay: @Sendable () -> Overlay

    package init<Kind: Overlay>(_ table: PropertyTable<Kind>, _ family: Family) {
        properties = table.list
        self.family = family
        makeOverlay = { table.make() }
    }

    package func make() -> Overlay { makeOverlay() }
}
