import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// The widths of the discs by which overlapping clusters and lone markers are merged, in pt. They do not depend on the view or the pixel
/// ratio.
struct ClusterDiscs: Sendable {
    /// The widths of clusters. Each width applies from a count up to the next count.
    private var counts: [Int] = []
    private var widths: [Double] = []
    /// An upper bound on all widths.
    private(set) var widest = 0.0
    /// The number of the source's points, and the width of each point. All of them count as wide as the first.
    private let pointCount: Int32
    private let pointWidth: Double
    /// The icons of markers that are objects, by slot.
    private let styleIDs: [Int32]
    private let styles: [IconStyle]

    /// - Parameters:
    ///   - theme: The theme, in ascending order.
    ///   - pointStyle: The icon of the source's first point.
    ///   - width: The width of a cluster, given its style.
    init(
        _ theme: [(range: ClosedRange<Int>, style: ClusterStyle.Values)], _ markers: ClusterMarkers, _ pointStyle: IconStyle?,
        width: (ClusterStyle.Values, _ count: Int) -> Double
    ) {
        let columns = markers.columns
        (styleIDs, styles) = (columns.styleIDs, columns.styles.styles)
        pointCount = Int32(markers.pointCount)
        pointWidth = Self.wholePoints(pointStyle?.width ?? 0)
        widest = max(pointWidth, Self.wholePoints(columns.styles.widest))
        let bounds = theme.flatMap { [$0.range.lowerBound, $0.range.upperBound == .max ? .max : $0.range.upperBound + 1] }
        let most = markers.index.count
        for count in Set(ClusterStyle.Values.diameterCounts + bounds).sorted() where count <= most {
            let style = theme.index(ofRangeWith: count) { $0.range }.map { theme[$0].style } ?? .standard(nil)
            counts.append(count)
            widths.append(width(style, count))
            widest = max(widest, widths[widths.count - 1])
        }
    }

    /// The width of an icon in whole pt, because icons that cover whole device pixels have different sizes at different pixel ratios. It is
    /// at most the width of the largest disc of a style, because more pairs are compared if the widest disc is wider.
    static func wholePoints(_ width: Float) -> Double { min(Double(width.rounded()), BasicClusterStyle.sizeRange.upperBound) }

    /// The width of a cluster or a lone marker.
    func width(_ found: FoundCluster) -> Double {
        guard found.lone >= 0 else { return widths[counts.partitioningIndex { $0 > found.count } - 1] }
        return found.lone < pointCount ? pointWidth : Self.wholePoints(styles[Int(styleIDs[Int(found.lone - pointCount)])].width)
    }

    /// The sizes at a zoom.
    /// - Parameter worldSize: The size of the world in pt.
    func sizes(worldSize: Double) -> DiscSizes { DiscSizes(worldSize: worldSize, widest: widest, width: width) }
}
