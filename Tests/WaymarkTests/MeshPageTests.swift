import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The Swift code of docs/Waymark.docc/Meshes.md, compiled and run exactly as printed there.
@Suite(.serialized) struct MeshPageTests {
    init() { PinnedRasterizer.pin }

    @Test func theMeshesAreDrawn() throws {
        let mapView = MapView(size: CGSize(width: 240, height: 180))
        defer { try? FileManager.default.removeItem(atPath: "house.png") }

        let house = FloatMesh(
            vertices: [
                [-6, -4, 0], [6, -4, 0], [6, 4, 0], [-6, 4, 0],  // 0…3: the walls on the ground
                [-6, -4, 5], [6, -4, 5], [6, 4, 5], [-6, 4, 5],  // 4…7: the walls beneath the roof
                [-6, 0, 8], [6, 0, 8],  // 8, 9: the ridge
            ],
            triangles: [
                [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5],  // the south and the east wall
                [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7],  // the north and the west wall
                [5, 6, 9], [7, 4, 8],  // the gables
                [4, 5, 9], [4, 9, 8], [6, 7, 8], [6, 8, 9],  // the roof
            ])
        house.surfaces = [
            FloatMesh.Surface(triangles: 0..<10, diffuse: Color(css: "#f4ead8")!),
            FloatMesh.Surface(triangles: 10..<14, diffuse: Color(css: "#b5452f")!),
        ]

        let model = LocalModel(mesh: house, coordinates: LatLng(37.5670, 126.9784))
        model.yaw = 20  // degrees counterclockwise, seen from above
        model.isDoubleSided = false  // the house is closed, so its back faces are never seen
        model.addLight(DirectionalLight(direction: [0.5, 0.7, -0.7]))  // where the light goes: to the northeast, and down
        mapView.add(model)

        mapView.camera = Camera(center: LatLng(37.5670, 126.9784), zoom: 18.5, bearing: 40, tilt: 60)
        try Renderer().render(mapView).write(to: "house.png")

        // The walls and the roof have the colors of their surfaces, darkened by the light.
        let bitmap = try Bitmap(contentsOf: "house.png")
        var shades: Set<Bitmap.Pixel> = []
        for y in 0..<bitmap.height { for x in 0..<bitmap.width { shades.insert(bitmap[x, y]) } }
        let opaque = shades.filter { $0.alpha == 255 }
        #expect(opaque.contains { Int($0.red) > 2 * Int($0.green) } && opaque.contains { Int($0.red) < Int($0.green) + 20 })

        let tower = FloatMesh()
        let sides: UInt32 = 24
        for side in 0..<sides {
            let angle = 2 * Float.pi * Float(side) / Float(sides)
            let foot = SIMD3(5 * cos(angle), 5 * sin(angle), 0)
            tower.vertices += [foot, foot + [0, 0, 30]]
            let (a, b) = (2 * side, 2 * ((side + 1) % sides))  // the feet of this side and of the next one
            tower.triangles += [[a, b, b + 1], [a, b + 1, a + 1], [2 * sides, a + 1, b + 1]]
        }
        tower.vertices.append([0, 0, 38])  // the tip of the roof

        let castle = LocalModel(mesh: tower, coordinates: LatLng(37.5671, 126.9786))
        castle.smoothingAngle = 30
        castle.material.diffuse = Color(css: "#c9c2b4")
        castle.addLight(DirectionalLight(direction: [0.5, 0.7, -0.7]))
        mapView.add(castle)

        let square = GeoMesh(
            vertices: [[126.9781, 37.5668, 0.1], [126.9788, 37.5668, 0.1], [126.9788, 37.5673, 0.1], [126.9781, 37.5673, 0.1]],
            triangles: [[0, 1, 2], [0, 2, 3]])
        let lawn = GeoModel(mesh: square)
        lawn.material.diffuse = Color(css: "#9cc28a")
        mapView.add(lawn)

        let picture = try Renderer().render(mapView)
        #expect(picture.diagnostics.isEmpty, "\(picture.diagnostics)")
        #expect(try mapView.inspection().overlays.allSatisfy(\.isVisible))
    }

    @Test func aMistakeIsReported() {
        let broken = FloatMesh(vertices: [[0, 0, 0], [1, 0, 0]], triangles: [[0, 1, 2]])
        print(broken.firstProblem()!)  // triangles[0]: 2 is outside 0…1

        #expect("\(broken.firstProblem()!)" == "triangles[0]: 2 is outside 0…1")
    }

    @Test func theCodeOfThisTestIsThePages() throws {
        try expectCode(ofPage: "docs/Waymark.docc/Meshes.md")
    }
}
