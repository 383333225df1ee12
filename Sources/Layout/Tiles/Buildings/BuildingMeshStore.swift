import Dispatch
import Synchronization
import WaymarkImaging
import WaymarkSystem
import WaymarkTiles
import WaymarkVectorTiles

/// The process's meshes of extruded buildings, by the number of the tile's buildings.
package final class BuildingMeshStore: Sendable {
    package static let shared = {
        let store = BuildingMeshStore()
        CacheBudget.addProcessCache(store.cache)
        return store
    }()

    let cache = ProcessCache<UInt64, BuildingMesh>()

    package init() {}

    /// The meshes of tiles; nil for a tile without buildings. Meshes that are not cached are made by several threads.
    func meshes(of tiles: [ShownTile]) -> [BuildingMesh?] {
        var meshes = tiles.map { cache.value(for: $0.geometry.buildings.number) }
        let absent = meshes.indices.filter { meshes[$0] == nil && !tiles[$0].geometry.buildings.isEmpty }
        guard !absent.isEmpty else { return meshes }
        let results = Mutex([BuildingMesh?](repeating: nil, count: absent.count))
        let threads = min(absent.count, ProcessorCount.usualThreadCount)
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < absent.count else { return }
                let tile = tiles[absent[index]]
                let mesh = BuildingMesh(tile.geometry.buildings, tile.cell.address)
                results.withLock { $0[index] = mesh }
            }
        }
        for (index, mesh) in zip(absent, results.withLock { $0 }) {
            meshes[index] = mesh
            if let mesh { cache.insert(mesh, for: tiles[index].geometry.buildings.number, byteCount: mesh.byteCount) }
        }
        return meshes
    }
}
