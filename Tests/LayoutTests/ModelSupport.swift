import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

extension MapView {
    /// A map of a city, at a zoom for buildings.
    static func city(_ overlays: Overlay..., zoom: Double = 17, tilt: Double = 60, bearing: Double = 0) -> MapView {
        let map = MapView(300, 200, Camera(center: .city, zoom: zoom, bearing: bearing, tilt: tilt))
        map.add(overlays)
        return map
    }
}

extension Frame {
    /// The vertices of an instance, computed in floats as on a GPU: pt from the view's center, east, south, up.
    func corners(_ instance: MeshInstance) -> [SIMD3<Float>] {
        meshes[Int(instance.mesh)].vertices.map {
            instance.origin + instance.axisX * $0.x + instance.axisY * $0.y + instance.axisZ * $0.z
        }
    }

    /// The groups of models, from bottom to top.
    var meshGroups: [Group] {
        commands.compactMap { if case .beginGroup(let group) = $0, group.depths != nil { group } else { nil } }
    }
}
