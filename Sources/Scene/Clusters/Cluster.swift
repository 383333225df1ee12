import WaymarkGeo

/// A group of markers in a cluster layer, shown in a particular picture as a single disc or image.
///
/// The object describes the cluster in that picture. Later changes to the layer do not change it.
public final class Cluster: ProxyObject {
    /// The layer that contains the cluster's markers.
    public let layer: ClusterLayer
    /// The cluster's id: the layer's id (given or generated), the zoom level, and the cell of the grid, such as `clusterLayer-0/7/3/5`.
    /// With `ClusterStrategy.hierarchical`, the index of the cluster's first marker replaces the cell. A cluster that was merged from
    /// overlapping neighbors (`ClusterLayer.mergesOverlapping`) has the id of its largest part. The id does not depend on the camera's
    /// center.
    public let id: String
    /// The number of markers in the cluster.
    public let count: Int
    /// The mean position of the cluster's markers in Web Mercator, on which the disc is centered.
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
    /// The cluster's markers that are still in the layer, in the order in which they were added.
    public var markers: [Marker] { contents.markers(in: layer) }

    /// The bounding box of the markers' positions. Its western edge is greater than its eastern one if neighbors on both sides of ±180° have
    /// become one cluster.
    public var boundingBox: LatLngBounds { contents.bounds }

    /// The lowest integer zoom level above the picture's zoom at which the markers no longer form a single cluster; nil if they never
    /// separate.
    public var expansionZoom: Int? { contents.expansionZoom }

    /// The sum, the lowest and the highest value of a property of the cluster's markers. The property must be used in a text of the layer's
    /// theme, or named in `ClusterLayer.properties`. Otherwise, or if no marker has the property, the result is nil.
    public func aggregate(of property: String) -> ClusterAggregate? { contents.aggregate(of: property) }
}

/// What a cluster knows about its markers, computed on demand.
package protocol ClusterContents: Sendable {
    /// The cluster's markers that are still in its layer, in the order in which they were added.
    func markers(in layer: ClusterLayer) -> [Marker]
    var bounds: LatLngBounds { get }
    var expansionZoom: Int? { get }
    func aggregate(of property: String) -> ClusterAggregate?
}

/// A summary of a property's values for the markers of a cluster. Values are rounded to multiples of 10⁻⁶, and then summed exactly.
public struct ClusterAggregate: Equatable, Sendable {
    /// The number of markers that have the property.
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
