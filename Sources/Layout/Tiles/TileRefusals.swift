import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// The tiles of a set, or parts of tiles, that are left out of a picture, grouped by reason.
package struct TileRefusals {
    private var groups: [(piece: TilePiece?, reason: String, first: TileAddress, tiles: Set<TileAddress>)] = []
    /// The reason why some lines of vector tiles are left out; nil if all are drawn.
    package var lines: TileRefusal?

    package init() {}

    /// - Parameter address: The address of a tile. It may be added again for another copy of the world.
    package mutating func add(_ address: TileAddress, _ refusal: TileRefusal) { add(address, nil, refusal) }

    /// Adds a part of a tile that is left out.
    mutating func add(_ address: TileAddress, _ refusal: TileGeometry.Refusal) { add(address, TilePiece(refusal), refusal.reason) }

    private mutating func add(_ address: TileAddress, _ piece: TilePiece?, _ refusal: TileRefusal) {
        if let index = groups.firstIndex(where: { $0.piece == piece && $0.reason == refusal.reason }) {
            groups[index].tiles.insert(address)
        } else {
            groups.append((piece, refusal.reason, address, [address]))
        }
    }

    /// A diagnostic for each reason.
    package func diagnostics(_ path: String, ofSet name: String) -> [Diagnostic] {
        var messages = groups.map { piece, reason, first, tiles in
            let others = tiles.count == 1 ? "" : " and \(tiles.count - 1) other\(tiles.count == 2 ? "" : "s")"
            guard let piece else { return "tile \(first)\(others) \(tiles.count == 1 ? "is" : "are") left out: \(reason)" }
            return "\(piece.name) of tile \(first)\(others) \(piece.fate): \(reason)"
        }
        if let lines { messages.append("some lines are left out: \(lines.reason)") }
        return messages.map { Diagnostic(path: path, message: "\(name): \($0)") }
    }
}

/// The description of the part that a tile lacks.
private struct TilePiece: Equatable {
    let name: String
    let fate: String

    init(_ refusal: TileGeometry.Refusal) {
        if let layer = refusal.layer {
            (name, fate) = (layer.isEmpty ? "a layer" : "layer \"\(layer)\"", "is left out")
            return
        }
        (name, fate) =
            switch refusal.contents {
            case .labels: ("the labels", "are left out")
            case .roads: ("the names of roads", "are left out")
            // The areas of buildings belong to the ground.
            case .buildings: ("the buildings", "are drawn flat")
            default: ("the ground", "is left out")
            }
    }
}
