import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes

/// A box in front of a camera: how a model's bounds are seen.
struct ModelSight {
    /// pt from the camera to the middle of the box, along its axis, and to what is nearest and farthest of it.
    var depth: Double
    var nearest: Double
    var farthest: Double
    /// What it covers of the screen, in pt; what is nearer than the camera's near limit left out.
    var box: ScreenBox

    enum Answer {
        case seen(ModelSight)
        /// Wholly nearer than the near limit.
        case behind
        case outside
    }

    /// - Parameters:
    ///   - center: The middle of the box, in pt from the view's centre: east, south, up.
    ///   - halves: From there to the middles of three of its sides.
    static func look(_ center: SIMD3<Double>, _ halves: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), _ viewport: Viewport) -> Answer {
        let camera = CameraAxes(viewport)
        let middle = camera.place(center)
        let (a, b, c) = (camera.turn(halves.0), camera.turn(halves.1), camera.turn(halves.2))
        func spread(_ plane: SIMD3<Double>) -> Double { abs((plane * a).sum()) + abs((plane * b).sum()) + abs((plane * c).sum()) }
        let reach = spread([0, 0, 1])
        let (nearest, farthest) = (middle.z - reach, middle.z + reach)
        guard farthest > viewport.nearDepth else { return .behind }
        guard nearest < viewport.farDepth else { return .outside }
        let distance = viewport.cameraDistance
        // Whether all is beyond an edge of the picture.
        func isBeyond(_ edge: SIMD3<Double>) -> Bool { (edge * middle).sum() + spread(edge) <= 0 }
        if isBeyond([distance, 0, viewport.opticalX]) || isBeyond([-distance, 0, viewport.size.width - viewport.opticalX])
            || isBeyond([0, -distance, viewport.opticalY]) || isBeyond([0, distance, viewport.size.height - viewport.opticalY])
        {
            return .outside
        }
        func corner(_ number: Int) -> SIMD3<Double> {
            let alongA: SIMD3<Double> = number & 1 == 0 ? -a : a
            let alongB: SIMD3<Double> = number & 2 == 0 ? -b : b
            let alongC: SIMD3<Double> = number & 4 == 0 ? -c : c
            return middle + alongA + alongB + alongC
        }
        var box = ScreenBox.none
        for number in 0..<8 {
            let corner = corner(number)
            if corner.z >= viewport.nearDepth { box.extend(to: camera.screen(corner)) }
        }
        if nearest < viewport.nearDepth {
            for (first, second) in MeshBounds.edges {
                camera.extend(&box, toEdge: corner(first), corner(second))
            }
        }
        guard box.left < viewport.size.width, box.right > 0, box.top < viewport.size.height, box.bottom > 0 else { return .outside }
        return .seen(ModelSight(depth: middle.z, nearest: nearest, farthest: farthest, box: box))
    }
}

/// The camera's axes: from (east, south, up) to (right, up the screen, depth) in pt.
struct CameraAxes {
    private let viewport: Viewport

    init(_ viewport: Viewport) {
        self.viewport = viewport
    }

    @inline(__always)
    func turn(_ step: SIMD3<Double>) -> SIMD3<Double> {
        let right = step.x * viewport.cosBearing + step.y * viewport.sinBearing
        let up = step.x * viewport.sinBearing - step.y * viewport.cosBearing
        return SIMD3(
            right, up * viewport.cosTilt + step.z * viewport.sinTilt, up * viewport.sinTilt - step.z * viewport.cosTilt)
    }

    @inline(__always)
    func place(_ offset: SIMD3<Double>) -> SIMD3<Double> { turn(offset) + SIMD3(0, 0, viewport.cameraDistance) }

    /// Where on the screen a place in front of the camera is, in pt.
    @inline(__always)
    func screen(_ place: SIMD3<Double>) -> SIMD2<Double> {
        let scale = viewport.cameraDistance / place.z
        return SIMD2(viewport.opticalX + place.x * scale, viewport.opticalY - place.y * scale)
    }

    func screen(_ place: SIMD3<Double>) -> ScreenBox {
        let point: SIMD2<Double> = screen(place)
        return ScreenBox(left: point.x, top: point.y, right: point.x, bottom: point.y)
    }

    /// Takes in where an edge comes out at the near limit, if it does.
    func extend(_ box: inout ScreenBox, toEdge a: SIMD3<Double>, _ b: SIMD3<Double>) {
        let near = viewport.nearDepth
        guard (a.z < near) != (b.z < near) else { return }
        var place = a + (b - a) * ((near - a.z) / (b.z - a.z))
        place.z = near
        box.extend(to: screen(place))
    }

    /// The ray through a point of the screen: from the camera, by steps of 1 pt of depth; east, south, up.
    func ray(through point: SIMD2<Double>) -> (origin: SIMD3<Double>, direction: SIMD3<Double>) {
        func world(_ right: Double, _ up: Double, _ height: Double) -> SIMD3<Double> {
            SIMD3(
                right * viewport.cosBearing + up * viewport.sinBearing, right * viewport.sinBearing - up * viewport.cosBearing, height)
        }
        let distance = viewport.cameraDistance
        let (x, y) = ((point.x - viewport.opticalX) / distance, (viewport.opticalY - point.y) / distance)
        return (
            world(0, -distance * viewport.sinTilt, distance * viewport.cosTilt),
            world(x, y * viewport.cosTilt + viewport.sinTilt, y * viewport.sinTilt - viewport.cosTilt)
        )
    }
}
