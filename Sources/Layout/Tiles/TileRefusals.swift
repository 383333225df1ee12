import WaymarkScene
import WaymarkTiles

/// The tiles of a set that are left out of a picture, grouped by reason.
package struct TileRefusals {
    private var groups: [(first: TileAddress, reason: String, count: Int)] = []

    package init() {}

    package mutating func add(_ address: TileAddress, _ refusal: TileRefusal) {
        if let index = groups.firstIndex(where: { $0.reason == refusal.reason }) {
            groups[index].count += 1
        } else {
            groups.append((address, refusal.reason, 1))
        }
    }

    /// A diagnostic for each reason.
    package func diagnostics(_ path: String, ofSet name: String) -> [Diagnostic] {
        groups.map { first, reason, count in
            let others = count == 1 ? " is" : " and \(count - 1) other\(count == 2 ? "" : "s") are"
            return Diagnostic(path: path, message: "\(name): tile \(first)\(others) left out: \(reason)")
        }
    }
}
