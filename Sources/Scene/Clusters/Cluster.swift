import WaymarkGeo

/// Markers of a cluster layer that one picture shows as a single disc.
///
/// It describes that picture: later changes to the layer do not change it.
public final class Cluster: ProxyObject {
    /// The layer that its markers are in.
    public let layer: ClusterLayer
    /// The layer's name, the zoom level, and the cell of the grid, such as `cluster-layer-0/7/3/5`; it does not depend on the view's
    /// position.
    public let id: String
    /// The number of its markers: its density.
    public let count: Int
    /// The mean of its markers' positions in Web Mercator, where its disc is centered.
    public let position: LatLng
    private let contents: any ClusterContents

    package init(layer: ClusterLayer, id: String, count: Int, position: LatLng, contents: any ClusterContents) {
        self.layer = layer
        self.id = id
        self.count = count
        self.position = position
        self.contents = contents
    }
}

extension Cluster {
    /// Its markers that are still in the layer, in the order in which they were added.
    public var markers: [Marker] { contents.markers(in: layer) }

    /// The bounding box of its markers' positions. Like clusters, it never crosses ±180°.
    public var boundingBox: LatLngBounds { contents.bounds }

    /// The lowest integer zoom level above the picture's zoom at which its markers are no longer one cluster; nil if they never separate.
    public var expansionZoom: Int? { contents.expansionZoom }

    /// The sum, the lowest and the highest value of a property over its markers. The property must be used in the text of the layer's
    /// styles or named in `ClusterLayer.properties`; otherwise, and for a property that no marker has, the result is nil.
    public func aggregate(of property: String) -> ClusterAggregate? { contents.aggregate(of: property) }
}

/// The data of a cluster about its markers, computed on demand.
package protocol ClusterContents: Sendable {
    /// Its markers that are still in its layer, in the order in which they were added.
    func markers(in layer: ClusterLayer) -> [Marker]
    var bounds: LatLngBounds { get }
    var expansionZoom: Int? { get }
    func aggregate(of property: String) -> ClusterAggregate?
}

/// The values of a property over the markers of a cluster. They are summed exactly, as multiples of 10⁻⁶.
public struct ClusterAggregate: Equatable, Sendable {
    /// The number of markers that have a value.
    public let count: Int
    /// The sum of the values; nil if it is beyond ±9.2 · 10¹².
    public let sum: Double?
    /// The lowest of the values.
    public let minimum: Double
    /// The highest of the values.
    public let maximum: Double

    package init(count: Int, sum: Double?, minimum: Double, maximum: Double) {
        self.count = count
        self.sum = sum
        self.minimum = minimum
        self.maximum = maximum
    }
}
