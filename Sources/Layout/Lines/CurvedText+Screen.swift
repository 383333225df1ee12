import WaymarkGeo
import WaymarkRaster

extension CurvedText {
    /// Whether a text must run from the end of its line to the start, so that it reads from left to right, or upward on a vertical line.
    /// - Parameter step: The vector on the screen from where the text would start to where it would end.
    static func isReversed(_ step: PlanePoint) -> Bool {
        // A line is also vertical if it deviates by the error of a projection.
        abs(step.x) > 1e-6 * abs(step.y) ? step.x < 0 : step.y > 0
    }

    /// The direction of the unit in the middle of the text.
    var along: PlanePoint { units.isEmpty ? PlanePoint(1, 0) : units[units.count / 2].along }

    /// Whether a part of the text on a narrow bend is upside down: turned by more than 105 degrees.
    func isUpsideDown(_ plane: LabelPlane) -> Bool {
        units.contains { unit in
            var along = unit.along
            if plane.isLevel {
                let step = plane.screenPoint(of: unit.anchor + unit.along * 1e-3) - plane.screenPoint(of: unit.anchor)
                guard step.length > 0 else { return false }
                along = step / step.length
            }
            return along.x < -0.26
        }
    }

    /// The areas that the text covers on the screen, one for each nearly straight stretch. Nil if a corner is behind the camera.
    /// - Parameters:
    ///   - top: The upper edge, measured from the line downward, in units of the plane; `bottom` is the lower edge in the same unit.
    ///   - least: The minimum width of an area, so that a text without a width has an area as well.
    func quads(top: Double, bottom: Double, least: Double, _ plane: LabelPlane) -> [Quad]? {
        var quads: [Quad] = []
        var first = 0
        while first < units.count {
            var last = first
            let along = units[first].along
            while last + 1 < units.count, units[last + 1].along.dot(along) > 0.98 { last += 1 }
            let (a, b) = (units[first], units[last])
            var (start, end) = (a.anchor - a.along * a.half, b.anchor + b.along * b.half)
            let step = end - start
            let direction = step.length > 0 ? step / step.length : along
            if step.length < least {
                let middle = (start + end) / 2
                (start, end) = (middle - direction * (least / 2), middle + direction * (least / 2))
            }
            let down = PlanePoint(-direction.y, direction.x)
            let corners = [start + down * top, end + down * top, end + down * bottom, start + down * bottom]
            guard corners.allSatisfy(plane.isInFront) else { return nil }
            quads.append(Quad(corners.map { plane.screenPoint(of: $0).snapped }))
            first = last + 1
        }
        return quads
    }
}

extension PlanePoint {
    /// The point in device pixels on the grid of positions in a picture.
    var snapped: PlanePoint { PlanePoint(quantized(x), quantized(y)) }
}
