import WaymarkTiles
import WaymarkVectorTiles

extension TileContents {
    static let each: [TileContents] = [.ground, .labels, .roads, .buildings]
    static let all: TileContents = [.ground, .labels, .roads, .buildings]
}

/// What is wrong with a prepared tile, whatever the tile was made of.
enum TileMistakes {
    static func all(in tile: TileGeometry) -> [String] {
        let shapes = MapRole.allCases.flatMap { [tile.areas($0), tile.lines($0)] } + [tile.piers, tile.buildings.rings]
        return shapes.flatMap { inShapes($0) } + inLabels(tile.labels) + inRoads(tile.roads) + inBuildings(tile.buildings)
    }

    private static func inShapes(_ shapes: TileShapes) -> [String] {
        var mistakes: [String] = []
        if !shapes.points.allSatisfy({ $0.min() >= 0 && $0.max() <= 1 }) { mistakes.append("a point outside of the tile") }
        if shapes.boxes.count != shapes.count || Int(shapes.ends.last ?? 0) != shapes.points.count { mistakes.append("columns differ") }
        return mistakes
    }

    private static func inLabels(_ labels: TileLabels) -> [String] {
        (0..<labels.count).flatMap { label in
            let (position, elevation, rank) = (labels.positions[label], labels.elevations[label], labels.ranks[label])
            var mistakes = labels.names[label].map { inName($0) } ?? []
            if !(position.min() >= 0 && position.max() < 1) { mistakes.append("a label outside of the tile") }
            if !(elevation.isNaN || -500...9000 ~= elevation) { mistakes.append("a peak of \(elevation) m") }
            if !(0...1001 ~= rank) { mistakes.append("the rank \(rank)") }
            return mistakes
        } + (Set((0..<labels.count).map(labels.identity)).count < labels.count ? ["two labels with one identity"] : [])
    }

    private static func inName(_ name: TileName) -> [String] {
        var mistakes: [String] = []
        for (key, text) in name.all {
            if !key.hasPrefix("name") || key.utf8.count > 64 { mistakes.append("the key \(key)") }
            let scalars = text.unicodeScalars
            if scalars.isEmpty || scalars.count > 255 || scalars.contains(where: { $0.properties.generalCategory == .control }) {
                mistakes.append("a name of \(scalars.count) characters")
            }
        }
        if Set(name.all.map(\.key)).count < name.all.count { mistakes.append("two names with one key") }
        if !name.all.contains(where: { $0.text == name.local }) { mistakes.append("the local name is not among the names") }
        return mistakes
    }

    private static func inRoads(_ roads: TileRoads) -> [String] {
        var mistakes = roads.names.flatMap { inName($0) }
        if !roads.points.allSatisfy({ $0.min() >= 0 && $0.max() <= 1 }) { mistakes.append("a point of a road outside of the tile") }
        if !roads.lengths.allSatisfy({ $0 > 0 && $0.isFinite }) { mistakes.append("a road without a length") }
        return mistakes
    }

    private static func inBuildings(_ buildings: TileBuildings) -> [String] {
        let greatest = TileBuildings.greatestHeight + TileBuildings.usualHeight
        var mistakes = buildings.heights.filter { !($0.x >= 0 && $0.x < $0.y && $0.y <= greatest) }.map { "the heights \($0)" }
        if buildings.heights.count != buildings.count || Int(buildings.ringEnds.last ?? 0) != buildings.rings.count {
            mistakes.append("columns of buildings differ")
        }
        return mistakes
    }
}
