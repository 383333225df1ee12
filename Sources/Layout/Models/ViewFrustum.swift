import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkMeshes

/// The depth range and screen bounds of a visible box.
struct BoxView {
    /// The depths in pt, along the optical axis, of the box's center, its nearest point and its farthest point.
    var depth: Double
    var nearest: Double
    var farthest: Double
    /// The bounding box on the screen in pt, clipped at the camera's near limit.
    var box: ScreenBox
}

/// The region that a camera sees, bounded by its near and far limits and the edges of the picture.
struct ViewFrustum {
    private let viewport: Viewport
    private let projection: ViewProjection

    enum Visibility {
        case seen(BoxView)
        /// The whole box is nearer than the near limit.
        case behind
        case outside
    }

    init(_ viewport: Viewport) {
        self.viewport = viewport
        projection = viewport.projection
    }

    /// The visibility of an oriented box.
    /// - Parameters:
    ///   - center: The box's center, in pt from the view's center: east, south, up.
    ///   - halves: The box's half axes, in pt.
    func visibility(_ center: SIMD3<Double>, _ halves: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) -> Visibility {
        let middle = projection.cameraSpace(center)
        let (a, b, c) = (projection.turned(halves.0), projection.turned(halves.1), projection.turned(halves.2))
        func spread(_ plane: SIMD3<Double>) -> Double { abs((plane * a).sum()) + abs((plane * b).sum()) + abs((plane * c).sum()) }
        let halfDepth = spread([0, 0, 1])
        let (nearest, farthest) = (middle.z - halfDepth, middle.z + halfDepth)
        guard farthest > projection.near else { return .behind }
        guard nearest < projection.far else { return .outside }
        let distance = projection.distance
        // Whether the whole box is outside an edge of the picture.
        func isBeyond(_ edge: SIMD3<Double>) -> Bool { (edge * middle).sum() + spread(edge) <= 0 }
        if isBeyond([distance, 0, projection.opticalX]) || isBeyond([-distance, 0, viewport.size.width - projection.opticalX])
            || isBeyond([0, -distance, projection.opticalY]) || isBeyond([0, distance, viewport.size.height - projection.opticalY])
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
            if corner.z >= projection.near { box.extend(to: projection.screenPoint(corner)) }
        }
        if nearest < projection.near {
            for (first, second) in MeshBounds.edges {
                extend(&box, toEdge: corner(first), corner(second))
            }
        }
        guard box.left < viewport.size.width, box.right > 0, box.top < viewport.size.height, box.bottom > 0 else { return .outside }
        return .seen(BoxView(depth: middle.z, nearest: nearest, farthest: farthest, box: box))
    }

    /// Extends a screen box by the point where an edge crosses the near limit, if it does.
    /// - Parameters:
    ///   - a: One end of the edge, in camera space.
    ///   - b: The other end.
    func extend(_ box: inout ScreenBox, toEdge a: SIMD3<Double>, _ b: SIMD3<Double>) {
        let near = projection.near
        guard (a.z < near) != (b.z < near) else { return }
        var place = a + (b - a) * ((near - a.z) / (b.z - a.z))
        place.z = near
        box.extend(to: projection.screenPoint(place))
    }
}

extension Viewport {
    /// The depth range of a group of meshes, widened by 0.1 % so that rounding clips nothing, within the viewport's limits.
    func depths(_ nearest: Double, _ farthest: Double) -> ClosedRange<Double> {
        let near = max(nearDepth, nearest * 0.999)
        return near...max(near * 1.001, min(farDepth, farthest * 1.001))
    }

    /// The device pixels that a screen box touches, plus one on each side, within the picture.
    func pixels(_ box: ScreenBox) -> PixelRect {
        func pixel(_ place: Double, _ size: Int) -> Int { Int(min(max(place, 0), Double(size))) }
        let left = pixel((box.left * pixelRatio).rounded(.down) - 1, deviceWidth)
        let top = pixel((box.top * pixelRatio).rounded(.down) - 1, deviceHeight)
        return PixelRect(
            x: left, y: top, width: pixel((box.right * pixelRatio).rounded(.up) + 1, deviceWidth) - left,
            height: pixel((box.bottom * pixelRatio).rounded(.up) + 1, deviceHeight) - top)
    }
}
