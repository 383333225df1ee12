import WaymarkScene
import WaymarkTiles

/// The tiles of a set, or layers of tiles, that are left out of a picture, grouped by reason.
package struct TileRefusals {
    private var groups: [(layer: String?, reason: String, first: TileAddress, tiles: Set<TileAddress>)] = []
    /// Why some lines of vector tiles are left out; nil if all are drawn.
    package var lines: TileRefusal?

    package init() {}

    /// - Parameters:
    ///   - address: A tile. It may be added again, for another copy of the world.
    ///   - layer: The only layer that is left out; nil for the whole tile.
    package mutating func add(_ address: TileAddress, layer: String? = nil, _ refusal: TileRefusal) {
        if let index = groups.firstIndex(where: { $0.layer == layer && $0.reason == refusal.reason }) {
            groups[index].tiles.insert(address)
        } else {
            groups.append((layer, refusal.reason, address, [address]))
        }
    }

    /// A diagnostic for each reason.
    package func diagnostics(_ path: String, ofSet name: String) -> [Diagnostic] {
        var messages = groups.map { layer, reason, first, tiles in
            let others = tiles.count == 1 ? "" : " and \(tiles.count - 1) other\(tiles.count == 2 ? "" : "s")"
            guard let layer else { return "tile \(first)\(others) \(tiles.count == 1 ? "is" : "are") left out: \(reason)" }
            return "layer \"\(layer)\" of tile \(first)\(others) is left out: \(reason)"
        }
        if let lines { messages.append("some lines are left out: \(lines.reason)") }
        return messages.map { Diagnostic(path: path, message: "\(name): \($0)") }
    }
}
