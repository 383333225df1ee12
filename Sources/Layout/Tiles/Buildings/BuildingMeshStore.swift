import WaymarkImaging
import WaymarkSystem
import WaymarkTiles
import WaymarkVectorTiles

/// The process's meshes of extruded buildings, by the number of the tile's buildings.
enum BuildingMeshStore {
    private static let cache = {
        let cache = ProcessCache<UInt64, BuildingMesh>()
        CacheBudget.addProcessCache(cache)
        return cache
    }()

    /// The meshes of tiles; nil for a tile without buildings. Meshes that are not cached are made by several threads.
    static func meshes(of tiles: [ShownTile]) -> [BuildingMesh?] {
        var meshes = tiles.map { cache.value(for: $0.geometry.buildings.number) }
        let absent = meshes.indices.filter { meshes[$0] == nil && !tiles[$0].geometry.buildings.isEmpty }
        guard !absent.isEmpty else { return meshes }
        let made = NumberedWork.results(absent.count, threads: ProcessorCount.usualThreadCount) { number in
            let tile = tiles[absent[number]]
            return BuildingMesh(tile.geometry.buildings, tile.cell.address)
        }
        for (index, mesh) in zip(absent, made) {
            meshes[index] = mesh
            cache.insert(mesh, for: tiles[index].geometry.buildings.number, byteCount: mesh.byteCount)
        }
        return meshes
    }
}
