import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct WeldingTests {
    @Test func pointsWithinTheToleranceAreOne() {
        let points: [SIMD3<Float>] = [[0, 0, 0], [1, 0, 0], [5e-7, 0, 0], [0, 5e-6, 0], [1, 0, 8e-7], [0, 0, -1]]
        #expect(VertexWelding.weld(points) == [0, 1, 0, 3, 1, 5])
        #expect(VertexWelding.weld([]) == [])
        #expect(VertexWelding.weld([[3, 3, 3], [3, 3, 3]]) == [0, 0])
    }

    @Test(arguments: [Float(1e-30), 1e-6, 1, 1e6, 1e9]) func theSizeOfTheMeshIsTheMeasure(scale: Float) {
        let points: [SIMD3<Float>] = [[0, 0, 0], [1, 1, 1], [3e-7, 3e-7, 3e-7], [2e-6, 0, 0]]
        #expect(VertexWelding.weld(points.map { $0 * scale }) == [0, 1, 0, 3])
    }

    /// Against all pairs: a large tolerance, so that much is welded.
    @Test(arguments: Seeds.all) func isWhatComparingAllGives(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let points = (0..<400).map { _ in SIMD3<Float>(random.vector()) } + [[1, 1, 1], [-1, -1, -1]]
        let share = random.one(of: [1e-3, 0.02, 0.1])
        let extent = 2.0
        let welded = VertexWelding.weld(points, within: share)
        func distance(_ a: Int, _ b: Int) -> Double {
            let off = SIMD3<Double>(points[a]) - SIMD3<Double>(points[b])
            return (off * off).sum().squareRoot()
        }
        var leaders: [Int] = []
        for index in points.indices {
            let near = leaders.filter { distance($0, index) <= extent * share }
            if near.isEmpty {
                #expect(welded[index] == UInt32(index))
                leaders.append(index)
            } else {
                #expect(near.contains(Int(welded[index])))
            }
        }
    }

    @Test func denseMeshesTakeNoLonger() {
        // A hundred thousand points in a grain, and one far away.
        var random = SplitMix64(seed: 1)
        let points = (0..<100_000).map { _ in SIMD3<Float>(random.vector() * 1e-6) } + [[1, 1, 1]]
        let welded = VertexWelding.weld(points)
        #expect(Set(welded).count < 100)
        #expect(welded.last == 100_000)
    }
}
