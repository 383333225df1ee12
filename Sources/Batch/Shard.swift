import Waymark

/// The part of a batch for one of several machines. It contains the jobs whose id hashes to this remainder. Only the id counts, so
/// adding, removing or reordering jobs moves no other job to a different shard.
package struct Shard: Equatable, Sendable {
    /// The number of the shard, from 0 to `count` - 1, like the indexes of job arrays.
    package let index: Int
    package let count: Int

    package static let whole = Shard(uncheckedIndex: 0, count: 1)

    /// Returns nil unless `index` is in 0..<`count`.
    package init?(index: Int, count: Int) {
        guard count > 0, (0..<count).contains(index) else { return nil }
        self.init(uncheckedIndex: index, count: count)
    }

    /// Parses `I/N`.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
        self.init(index: index, count: count)
    }

    private init(uncheckedIndex index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    package func contains(id: String) -> Bool {
        count == 1 || Fingerprint(id.utf8).value % UInt64(count) == UInt64(index)
    }

    /// A suffix that distinguishes this shard's files from those of other shards in the same folder; empty for a single shard.
    var suffix: String { count == 1 ? "" : "-\(index)-of-\(count)" }
}
