import WaymarkClustering

/// The totals of properties over clusters, kept between pictures as long as the clusters stay the same.
struct ClusterTotals {
    /// What clusters and their markers depend on, besides the values.
    struct Basis: Equatable {
        /// How often the index was built, and edited.
        var builds: Int
        var edits: Int
        /// The groups of markers that count, and the zooms at which they are clustered.
        var groups: [Int]
        var zooms: ClosedRange<Int>
    }

    private struct Key: Hashable {
        var property: String
        var zoom: Int
        var cluster: UInt64
    }

    private var basis: Basis?
    /// nil where no marker has a value.
    private var totals: [Key: ClusterValueTable.Total?] = [:]
    /// How often the values of a cluster were added up.
    private(set) var additions = 0
    private static let limit = 65_536

    /// Begins a picture: what was added up of other clusters is forgotten, and everything once it is much.
    mutating func beginPicture(_ basis: Basis) {
        if basis != self.basis || totals.count > Self.limit { forget() }
        self.basis = basis
    }

    /// Forgets all totals, since values have changed.
    mutating func forget() { totals = [:] }

    /// The total of a property over a cluster, which `add` finds if it is not known.
    mutating func total(of property: String, _ cluster: FoundCluster, add: () -> ClusterValueTable.Total?) -> ClusterValueTable.Total? {
        let key = Key(property: property, zoom: cluster.zoom, cluster: cluster.key)
        if let known = totals[key] { return known }
        additions += 1
        let total = add()
        totals.updateValue(total, forKey: key)
        return total
    }
}
