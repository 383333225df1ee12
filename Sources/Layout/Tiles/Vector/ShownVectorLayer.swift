import WaymarkGeo
import WaymarkRaster
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// A layer of vector tiles in a view, with the tiles that the view shows. Everything that is drawn from the layer is made from these tiles.
package struct ShownVectorLayer {
    /// The index of the layer among all layers of the map.
    let index: Int
    let layer: BaseMapLayer
    let set: VectorTileSet
    let theme: MapTheme
    let tiles: [ShownTile]
    /// The tiles around the picture, of which only labels and the names of roads are known.
    let surroundings: [ShownTile]
    /// The extruded buildings of each tile; empty unless the layer's buildings are extruded in the view.
    let buildings: [BuildingMesh?]
    /// The limit for the points of all tiles, and for the points of strokes.
    let mostPoints: Int
    /// The reason why tiles and lines are left out of a picture that has too many points.
    let overLimit: TileRefusal
    /// The tiles and lines that are left out.
    package var refusals: TileRefusals

    /// The maximum number of points of a layer's tiles in a picture, and of the contours of its strokes. Further tiles and lines are left
    /// out.
    package static let pointLimit = 1 << 24

    /// The distance in pt outside the picture up to which the labels of tiles are known. Names are rarely wider than twice this distance.
    private static let margin = 128.0

    /// Reads the tiles that a view shows.
    /// - Parameters:
    ///   - contents: The contents that are drawn from the tiles.
    ///   - deadline: The time after which tiles are left out.
    package init(
        _ layer: BaseMapLayer, _ set: VectorTileSet, index: Int, _ viewport: Viewport, _ contents: TileContents, deadline: TileDeadline,
        mostPoints: Int = pointLimit, _ store: VectorTileStore = .shared
    ) {
        let overLimit = TileRefusal("the picture has more than \(mostPoints) points from the base map")
        (self.index, self.layer, self.set, theme) = (index, layer, set, layer.theme)
        (self.mostPoints, self.overLimit) = (mostPoints, overLimit)
        let isExtruded = contents.contains(.buildings)
        var search = TileSearch(
            viewport, TilePyramid(vector: set.info, pixelRatio: viewport.pixelRatio),
            reaching: isExtruded ? BuildingPlacer.reach(viewport) : 0)
        let cells = search.run()
        var refusals = TileRefusals()
        func read(_ cells: [TileCell], _ contents: TileContents) -> [ShownTile] {
            // On a tilted map, the smallest tiles are the nearest.
            let nearestFirst = cells.sorted { ($1.zoom, $0.y, $0.x) < ($0.zoom, $1.y, $1.x) }
            let read = store.tiles(nearestFirst.map(\.address), of: set, contents, deadline: deadline, mostPoints: mostPoints)
            var shown: [TileCell: TileGeometry] = [:]
            for (cell, tile) in zip(nearestFirst, read) {
                switch tile {
                case .missing: break
                case .refused(let refusal): refusals.add(cell.address, refusal)
                case .geometry(let geometry), .part(let geometry):
                    for refusal in geometry.refusals(of: contents) { refusals.add(cell.address, refusal) }
                    shown[cell] = geometry
                case nil: refusals.add(cell.address, overLimit)
                }
            }
            return cells.compactMap { cell in shown[cell].map { ShownTile(cell, $0, viewport) } }
        }
        tiles = read(cells, contents)
        // Missing tiles outside the picture are not reported.
        self.refusals = refusals
        let named = contents.intersection([.labels, .roads])
        surroundings = named.isEmpty ? [] : read(search.surroundings(of: cells, margin: Self.margin), named)
        buildings = isExtruded ? BuildingMeshStore.meshes(of: tiles) : []
    }
}

/// A tile in a view.
struct ShownTile {
    let cell: TileCell
    let geometry: TileGeometry
    /// The upper left corner in pt from the view's center.
    let origin: PlanePoint
    /// The lower right corner, which has the same numbers as the upper left corner of the next tile.
    let end: PlanePoint

    init(_ cell: TileCell, _ geometry: TileGeometry, _ viewport: Viewport) {
        self.cell = cell
        self.geometry = geometry
        func corner(_ x: Int, _ y: Int) -> PlanePoint {
            PlanePoint(
                (Double(x) * cell.size - viewport.centerX) * viewport.worldSize,
                (Double(y) * cell.size - viewport.centerY) * viewport.worldSize)
        }
        (origin, end) = (corner(cell.x, cell.y), corner(cell.x + 1, cell.y + 1))
    }

    /// A position in the tile, in pt from the view's center.
    @inline(__always)
    func offset(_ point: TileGeometry.Point) -> PlanePoint {
        let position = PlanePoint(point)
        // This form is exact at both edges of the tile.
        return (origin * (1 - position)) + end * position
    }

    /// The half planes of a region that exclude a whole box in the tile, and the half planes that exclude at least a part of it.
    func codes(_ box: SIMD4<Float>, in region: ClipRegion) -> (wholly: UInt8, partly: UInt8) {
        region.outcodes(low: offset(box.lowHalf), high: offset(box.highHalf))
    }
}

extension BaseMapLayer {
    /// The contents of the layer's vector tiles that a picture needs.
    /// - Parameters:
    ///   - zoom: The zoom of the camera.
    ///   - isForPicking: Whether nothing is drawn, so that only what can be picked is needed.
    func contents(atZoom zoom: Double, isForPicking: Bool) -> TileContents {
        var contents: TileContents = isForPicking ? [] : .ground
        if labels || pois { contents.insert(.labels) }
        if labels { contents.insert(.roads) }
        // Labels stand on buildings, or are hidden by them.
        let areBuildingsNeeded = !isForPicking || labels || pois
        if buildings == .extruded, zoom >= BuildingPlacer.leastZoom, areBuildingsNeeded { contents.insert(.buildings) }
        return contents
    }
}
