import WaymarkFrame
import WaymarkMeshes

/// The models of one picture.
struct ModelDrawing {
    /// Models that share a depth buffer.
    struct MeshGroup {
        /// The slot of the lowest model that is seen.
        var first: Int32
        var commands: [Command]
    }

    /// A model on a copy of the world, as it is drawn.
    struct Seen {
        var slot: Int32
        var copy: Int
        /// Where the mesh's origin and axes go: (east, south, up) in pt from the view's centre.
        var origin: SIMD3<Double>
        var axisX: SIMD3<Double>
        var axisY: SIMD3<Double>
        var axisZ: SIMD3<Double>
        var content: Content

        enum Content {
            case whole(ModelMesh)
            case piece(ModelMesh.Piece)
        }
    }

    var meshes: [FrameMesh] = []
    /// Their `texture` counts in `textures`.
    var instances: [MeshInstance] = []
    /// The catalog's rasters.
    var textures: [Int32] = []
    var lightings: [Lighting] = []
    var groups: [MeshGroup] = []
    /// In drawing order.
    var seen: [Seen] = []
}
