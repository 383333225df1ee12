import Foundation
import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct PreciseMeshTests {
    private func area(_ mesh: PreciseMesh) -> Double {
        mesh.triangles.reduce(0) { sum, triangle in
            let (a, b, c) = (mesh.positions[Int(triangle.x)], mesh.positions[Int(triangle.y)], mesh.positions[Int(triangle.z)])
            return sum + ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2
        }
    }

    /// A sheet over a square, its heights and texture coordinates linear in the place.
    private func sheet(_ random: inout SplitMix64, side count: Int) -> PreciseMesh {
        var mesh = PreciseMesh()
        for y in 0...count {
            for x in 0...count {
                func off(_ place: Int) -> Double { place == 0 || place == count ? 0 : random.number(-0.2...0.2) }
                let place = SIMD2((Double(x) + off(x)) / Double(count), (Double(y) + off(y)) / Double(count))
                mesh.positions.append(SIMD3(place.x, place.y, 3 * place.x - 2 * place.y))
                mesh.textureCoordinates.append(SIMD2(Float(place.x), Float(1 - place.y)))
                mesh.normals.append([0, 0, 1])
                mesh.colors.append(SIMD4<UInt8>(SIMD4(100 + 100 * place.x, 50, 200 - 100 * place.y, 255).rounded(.toNearestOrAwayFromZero)))
            }
        }
        for y in 0..<count {
            for x in 0..<count {
                let first = UInt32(y * (count + 1) + x)
                let above = first + UInt32(count + 1)
                mesh.triangles += [[first, first + 1, above + 1], [first, above + 1, above]]
            }
        }
        return mesh
    }

    @Test(arguments: Seeds.all) func aCutSheetCoversWhatIsInTheSquare(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let mesh = sheet(&random, side: random.integer(1...12))
        let (low, high) = (
            SIMD2(random.number(-0.2...0.4), random.number(-0.2...0.4)), SIMD2(random.number(0.5...1.2), random.number(0.5...1.2))
        )
        let cut = mesh.clipped(low: low, high: high)
        let size = pointwiseMin(high, [1, 1]) - pointwiseMax(low, [0, 0])
        #expect(abs(area(cut) - size.x * size.y) < 1e-12)
        #expect(cut.normals.count == cut.positions.count && cut.textureCoordinates.count == cut.positions.count)
        #expect(cut.colors.count == cut.positions.count)
        #expect(cut.sources.count == cut.triangles.count)
        for (index, position) in cut.positions.enumerated() {
            #expect(position.x >= low.x && position.x <= high.x && position.y >= low.y && position.y <= high.y)
            #expect(abs(position.z - (3 * position.x - 2 * position.y)) < 1e-12)
            #expect(abs(Double(cut.textureCoordinates[index].x) - position.x) < 1e-6)
            #expect(abs(Double(cut.textureCoordinates[index].y) - (1 - position.y)) < 1e-6)
            // Rounded at the corners, and once for each side that cuts.
            let color = SIMD4<Double>(cut.colors[index])
            #expect(abs(color.x - (100 + 100 * position.x)) <= 1.5 && abs(color.z - (200 - 100 * position.y)) <= 1.5)
            #expect(color.y == 50 && color.w == 255)
        }
        // Each piece lies in the triangle that it is of.
        for (triangle, source) in zip(cut.triangles, cut.sources) {
            let whole = mesh.triangles[Int(source)]
            let corners = [whole.x, whole.y, whole.z].map { mesh.positions[Int($0)] }
            for index in 0..<3 {
                let point = cut.positions[Int(triangle[index])]
                for side in 0..<3 {
                    let (a, b) = (corners[side], corners[(side + 1) % 3])
                    #expect((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > -1e-12)
                }
            }
        }
        #expect(cut.triangles.allSatisfy { max($0.x, $0.y, $0.z) < UInt32(cut.positions.count) })
    }

    @Test func whatIsInsideOrOutsideIsAsItWas() {
        var random = SplitMix64(seed: 5)
        let mesh = sheet(&random, side: 4)
        let whole = mesh.clipped(low: [-1, -1], high: [2, 2])
        #expect(whole.triangles.count == mesh.triangles.count)
        #expect(whole.positions.count == mesh.positions.count)
        #expect(area(whole) == area(mesh))
        #expect(mesh.clipped(low: [2, 2], high: [3, 3]).triangles.isEmpty)
    }

    @Test func cornersComeNearTheOrigin() {
        let mesh = PreciseMesh(positions: [[1e8 + 0.25, 5, 7], [1e8 + 0.5, 5, 8]], triangles: [])
        #expect(mesh.relative(to: [1e8, 5, 7], unit: 0.5).positions == [[0.5, 0, 0], [1, 0, 2]])
    }
}
