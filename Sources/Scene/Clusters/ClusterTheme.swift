import WaymarkGeo

/// The styles of a layer's clusters, chosen by the number of markers in a cluster. Clusters whose count is in no range have the default
/// style: a blue disc with a white ring. Several layers may share a theme. A theme may be changed while layers use it; the markers are not
/// clustered again.
public final class ClusterTheme {
    /// A style, and the range of counts to which it applies.
    public struct StyledRange {
        /// The range of counts, both ends included.
        public let densityRange: ClosedRange<Int>
        /// The style of clusters whose count is in the range.
        public let style: ClusterStyle
    }

    /// The styles, in ascending order of counts.
    public private(set) var styles: [StyledRange] = []

    /// Creates a theme without styles.
    public init() {}

    /// Sets the style of clusters whose number of markers is in a range, both ends included.
    /// - Returns: Whether the style was set: false if the range begins below 2, or overlaps a range that already has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: ClosedRange<Int>) -> Bool {
        let place = styles.firstIndex(notBelow: range.lowerBound) { $0.densityRange }
        guard range.lowerBound >= 2, place == styles.count || !styles[place].densityRange.overlaps(range) else { return false }
        styles.insert(StyledRange(densityRange: range, style: style), at: place)
        return true
    }

    /// Sets the style of clusters whose number of markers is in a half-open range, which must not be empty.
    /// - Returns: Whether the style was set: false if the range is empty, begins below 2, or overlaps a range that already has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: Range<Int>) -> Bool {
        !range.isEmpty && setStyle(style, forDensityRange: range.lowerBound...range.upperBound - 1)
    }

    /// Sets the style of clusters whose number of markers is at least the start of the range.
    /// - Returns: Whether the style was set: false if the range begins below 2, or overlaps a range that already has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: PartialRangeFrom<Int>) -> Bool {
        setStyle(style, forDensityRange: range.lowerBound...Int.max)
    }

    /// The style of clusters with the given number of markers. Nil if no range contains this number; the clusters then have the default
    /// style.
    public func style(forDensity count: Int) -> ClusterStyle? {
        styles.index(ofRangeWith: count) { $0.densityRange }.map { styles[$0].style }
    }
}

extension Array {
    /// The index of the element whose range contains a count; nil if there is none. The elements are ordered by their ranges, which do
    /// not overlap.
    package func index(ofRangeWith count: Int, _ range: (Element) -> ClosedRange<Int>) -> Int? {
        let index = firstIndex(notBelow: count, range)
        return index < self.count && range(self[index]).contains(count) ? index : nil
    }

    /// The index of the first element whose range ends at or above a count.
    fileprivate func firstIndex(notBelow count: Int, _ range: (Element) -> ClosedRange<Int>) -> Int {
        partitioningIndex { range($0).upperBound >= count }
    }
}
