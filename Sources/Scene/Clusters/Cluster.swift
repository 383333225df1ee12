import WaymarkGeo

/// A group of markers in a cluster layer that one picture shows as a single disc or image.
///
/// The object describes the cluster in that picture. Later changes to the layer do not change the object.
public final class Cluster: ProxyObject {
    /// The layer that contains the cluster's markers.
    public let layer: ClusterLayer
    /// The cluster's id, such as `clusterLayer-0/7/3/5`: the layer's id (given or generated), the zoom level, and the column and row of the
    /// grid cell. With `ClusterStrategy.hierarchical`, the index of the cluster's first marker replaces the column and the row. A cluster
    /// that was merged from overlapping neighbors (`ClusterLayer.mergesOverlapping`) has the id of its largest part. The id does not depend
    /// on the camera's center.
    public let id: String
    /// The number of markers in the cluster.
    public let count: Int
    /// The mean of the markers' positions in Web Mercator. The disc or image is centered on this position.
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

    /// The bounding box of the markers' positions. If neighbors on both sides of ±180° were merged into this cluster, `west` is greater
    /// than `east`.
    public var boundingBox: LatLngBounds { contents.bounds }

    /// The lowest integer zoom level, above the picture's zoom, at which the markers no longer form a single cluster. Nil if the markers
    /// never separate.
    public var expansionZoom: Int? { contents.expansionZoom }

    /// The sum, the minimum and the maximum of a property of the cluster's markers. A text of the layer's theme must use the property, or
    /// `ClusterLayer.properties` must name it. Otherwise, the result is nil. It is also nil if no marker has the property.
    public func aggregate(of property: String) -> ClusterAggregate? { contents.aggregate(of: property) }
}

/// The data about a cluster's markers, computed on demand.
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
