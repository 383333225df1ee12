/// The styles of a layer's clusters by the number of their markers. Counts without a style have the default one: a blue disc with a white
/// ring. A theme may be shared by layers, and changed while they use it; that clusters nothing again.
public final class ClusterTheme {
    /// A style and the counts that have it.
    public struct StyledRange {
        public let densityRange: ClosedRange<Int>
        public let style: ClusterStyle
    }

    /// The styles, by ascending counts.
    public private(set) var styles: [StyledRange] = []

    /// A theme without styles.
    public init() {}

    /// Sets the style of clusters with a number of markers in a range, both ends included.
    /// - Returns: false, and nothing is changed, when the range begins below 2 or overlaps one that has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: ClosedRange<Int>) -> Bool {
        guard range.lowerBound >= 2, !styles.contains(where: { $0.densityRange.overlaps(range) }) else { return false }
        let place = styles.firstIndex { $0.densityRange.lowerBound > range.upperBound } ?? styles.count
        styles.insert(StyledRange(densityRange: range, style: style), at: place)
        return true
    }

    /// Sets the style of clusters with a number of markers in a half-open range, which must not be empty.
    /// - Returns: false, and nothing is changed, when the range is empty, begins below 2 or overlaps one that has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: Range<Int>) -> Bool {
        !range.isEmpty && setStyle(style, forDensityRange: range.lowerBound...range.upperBound - 1)
    }

    /// Sets the style of clusters with at least as many markers as the range begins with.
    /// - Returns: false, and nothing is changed, when the range begins below 2 or overlaps one that has a style.
    @discardableResult
    public func setStyle(_ style: ClusterStyle, forDensityRange range: PartialRangeFrom<Int>) -> Bool {
        setStyle(style, forDensityRange: range.lowerBound...Int.max)
    }

    /// The style of a number of markers; nil for the default one.
    public func style(forDensity count: Int) -> ClusterStyle? { styles.first { $0.densityRange.contains(count) }?.style }
}
