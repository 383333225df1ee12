import Testing
import WaymarkGPU

@Suite struct MatrixTests {
    /// The closed form of the camera, by docs/Waymark.docc/CoordinateSystems.md.
    private func closedForm(
        _ offset: SIMD3<Double>, width: Double, height: Double, tilt: Double, bearing: Double, centre: SIMD2<Double>
    ) -> (screen: SIMD2<Double>, depth: Double) {
        let (sinB, cosB) = sineAndCosine(degrees: bearing)
        let (sinT, cosT) = sineAndCosine(degrees: tilt)
        let distance = 1.5 * height
        let dx = offset.x * cosB + offset.y * sinB
        let u = offset.x * sinB - offset.y * cosB
        let depth = distance + u * sinT - offset.z * cosT
        let x = width / 2 + centre.x + distance * dx / depth
        let y = height / 2 + centre.y - distance * (u * cosT + offset.z * sinT) / depth
        return ([x, y], depth)
    }

    @Test func viewProjectionEqualsTheClosedForm() {
        var random = SystemRandomNumberGenerator()
        var compared = 0
        while compared < 2000 {
            let width = Double.random(in: 10...4000, using: &random)
            let height = Double.random(in: 10...4000, using: &random)
            let tilt = Double.random(in: 0...80, using: &random)
            let bearing = Double.random(in: -720...720, using: &random)
            let centre = SIMD2(Double.random(in: -width / 2...width / 2), Double.random(in: -height / 2...height / 2))
            let offset = SIMD3(Double.random(in: -2...2), Double.random(in: -2...2), Double.random(in: 0...1)) * height
            let (near, far) = (height / 50, 30 * height)
            let (screen, depth) = closedForm(offset, width: width, height: height, tilt: tilt, bearing: bearing, centre: centre)
            guard depth > near else { continue }
            let matrix = Matrix4.viewProjection(
                width: width, height: height, distance: 1.5 * height, tilt: tilt, bearing: bearing, offset: centre, near: near, far: far)
            let clip = matrix * SIMD4(offset, 1)
            let ndc = clip / clip.w
            #expect(abs(clip.w - depth) <= 1e-9 * 30 * height)
            #expect(abs(ndc.x - (2 * screen.x / width - 1)) <= 1e-9 * max(1, abs(ndc.x)))
            #expect(abs(ndc.y - (2 * screen.y / height - 1)) <= 1e-9 * max(1, abs(ndc.y)))
            #expect(abs(ndc.z - ((far + near) / (far - near) - 2 * far * near / (far - near) / depth)) <= 1e-9)
            compared += 1
        }
    }

    @Test func depthSpansNearToFar() {
        let matrix = Matrix4.viewProjection(width: 300, height: 200, distance: 1.5 * 200, tilt: 0, bearing: 0, near: 10, far: 1000)
        for (depth, expected) in [(10.0, -1.0), (1000, 1)] {
            let clip = matrix * [0, 0, 300 - depth, 1]
            #expect(abs(clip.z / clip.w - expected) < 1e-12)
        }
    }

    @Test func quarterTurnsAreExact() {
        let expected: [(Double, Double)] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        for turn in -40...40 {
            let (sine, cosine) = sineAndCosine(degrees: Double(turn) * 90)
            let index = ((turn % 4) + 4) % 4
            #expect(sine == expected[index].0 && cosine == expected[index].1)
            #expect(sine.sign == .plus || sine != 0)
        }
        #expect(abs(sineAndCosine(degrees: 30).sine - 0.5) < 1e-16)
        #expect(sineAndCosine(degrees: 390).sine == sineAndCosine(degrees: 30).sine)
        #expect(sineAndCosine(degrees: .nan).sine.isNaN && sineAndCosine(degrees: .infinity).cosine.isNaN)
    }

    @Test func bearingsOfQuarterTurnsAreExact() {
        let matrix = Matrix4.viewProjection(width: 200, height: 200, distance: 1.5 * 200, tilt: 0, bearing: 90, near: 1, far: 1000)
        let clip = matrix * [0, 7, 0, 1]
        #expect(clip.x == 3 * 7 && clip.y == 0 && clip.w == 300)
    }
}
