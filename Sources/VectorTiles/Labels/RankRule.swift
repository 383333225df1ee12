import Foundation

/// The attributes that determine the importance of a layer's features. All schemas result in the same scale, on which lower numbers are
/// more important. A city of ten million people has 1, a city of one million 4, and a city of a hundred thousand 7.
enum RankRule: Sendable {
    /// OpenMapTiles: `rank`, a number of at least 1 on that scale. Of two peaks with the same rank, the higher one comes first.
    case rank
    /// Protomaps: `population_rank` grows by about 3 for ten times as many people; without it, `min_zoom` is the zoom from which a feature is
    /// worth showing.
    case populationRank
    /// Protomaps, points of interest: `min_zoom`. Of two peaks with the same one, the higher one comes first.
    case minZoom
    /// Shortbread: `population`.
    case population
    /// The features have no such attribute.
    case none

    /// The rank of features without such an attribute.
    static let unknown: Float = 20
}

/// Reads the ranks of the features of a layer.
struct RankReader {
    private let rule: RankRule
    private let keys: [RankKey?]

    /// The heights of the surface of the earth in m: the shore of the Dead Sea is at −430, Mount Everest at 8849. Others are errors in the
    /// data.
    private static let heights = -500.0...9000

    private enum RankKey { case rank, populationRank, minZoom, population, elevation }

    init(_ rule: RankRule, _ keys: [String]) {
        self.rule = rule
        self.keys = keys.map { key in
            switch key {
            case "rank": .rank
            case "population_rank": .populationRank
            case "min_zoom": .minZoom
            case "population": .population
            case "ele", "elevation": .elevation
            default: nil
            }
        }
    }

    /// The rank of a feature, and its height in m, −500…9000. The height is NaN if the feature has none.
    func values(of feature: Int, in layer: VectorLayer) -> (rank: Float, elevation: Float) {
        let attributes = layer.features.attributes
        var (rank, populationRank, minZoom, population): (Double?, Double?, Double?, Double?)
        var elevation = Float.nan
        for attribute in layer.features.attributes(of: feature) {
            guard let key = keys[Int(attributes[2 * attribute])],
                let number = layer.number(Int(attributes[2 * attribute + 1])), number.isFinite
            else { continue }
            switch key {
            case .rank: rank = number
            case .populationRank: populationRank = number
            case .minZoom: minZoom = number
            case .population: population = number
            case .elevation: elevation = Self.heights.contains(number) ? Float(number) : .nan
            }
        }
        let value: Double? =
            switch rule {
            case .rank: rank
            case .populationRank: populationRank.map { 15 - $0 } ?? minZoom
            case .minZoom: minZoom
            case .population: population.flatMap { $0 > 0 ? 22 - 3 * log10($0) : nil }
            case .none: nil
            }
        var result = value.map { Float(min(max($0, 0), 1000)) } ?? RankRule.unknown
        // The added number is at most 1, so it does not change the order of whole-number ranks.
        if !elevation.isNaN, rule == .rank || rule == .minZoom { result += 1 - max(elevation, 0) / 9001 }
        return (result, elevation)
    }
}
