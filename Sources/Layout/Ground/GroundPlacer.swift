import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// Computes the place of a ground image for a camera.
struct GroundPlacer {
    private let image: GroundImage
    private let viewport: Viewport
    private let camera: ShapeCamera

    /// The copies of the world that may be in a picture.
    static let copies = -3...3

    /// The distance in pt from the view's center beyond which an image is cut. Within it, a `Float` is accurate to 1/256 pt.
    private static let farthest = 65_536.0
    /// The number of texels kept around the visible part, for filtering.
    private static let margin = 2

    init(_ image: GroundImage, _ viewport: Viewport) {
        self.image = image
        self.viewport = viewport
        camera = ShapeCamera(viewport, height: image.height * viewport.worldSize)
    }

    /// The corners on a copy of the world, in pt from the view's center, clockwise from the image's upper left.
    func corners(copy: Int) -> [PlanePoint] {
        let (size, ratio) = (viewport.worldSize, viewport.pixelRatio)
        let center = PlanePoint(image.center.x - viewport.centerX + Double(copy), image.center.y - viewport.centerY)
        return image.corners.map { corner in
            let point = (center + corner) * size
            return PlanePoint(quantized(point.x * ratio) / ratio, quantized(point.y * ratio) / ratio)
        }
    }

    /// The part on a copy of the world that the camera sees, in pt from the view's center; empty when nothing is visible.
    /// - Parameter margin: The distance around the picture that also counts, in pt.
    func seen(copy: Int, margin: Double = 0) -> [PlanePoint] {
        var ring = corners(copy: copy)
        var scratch: [PlanePoint] = []
        camera.region(margin: margin).clip(&ring, scratch: &scratch)
        return ring.count > 2 ? ring : []
    }

    /// The part on a copy of the world that is in the picture, in device pixels.
    func area(copy: Int) -> [PlanePoint] { seen(copy: copy).map(camera.project) }

    /// The sprite on a copy of the world; nil when it is not in the picture.
    func sprite(copy: Int, of texture: FrameImage, _ frame: inout FrameBuilder) -> Sprite? {
        guard !seen(copy: copy).isEmpty else { return nil }
        var corners = corners(copy: copy)
        var texture = texture
        if corners.contains(where: { max(abs($0.x), abs($0.y)) > Self.farthest }) {
            let rect = Self.part(of: texture, corners, around: seen(copy: copy, margin: Double(Self.margin)))
            if rect.width < texture.width || rect.height < texture.height {
                let (across, down) = ((corners[1] - corners[0]) / Double(texture.width), (corners[3] - corners[0]) / Double(texture.height))
                let origin = corners[0] + across * Double(rect.x) + down * Double(rect.y)
                let (right, below) = (across * Double(rect.width), down * Double(rect.height))
                corners = [origin, origin + right, origin + right + below, origin + below]
                texture = texture.groundPart(rect)
            }
        }
        let (across, down) = (corners[1] - corners[0], corners[3] - corners[0])
        return Sprite(
            x: Float(corners[0].x), y: Float(corners[0].y), z: Float(camera.height), across: (Float(across.x), Float(across.y)),
            down: (Float(down.x), Float(down.y)), alpha: image.alpha, image: Int(frame.index(of: texture)), plane: .ground)
    }

    /// The texels of the visible part of an image.
    private static func part(of texture: FrameImage, _ corners: [PlanePoint], around ring: [PlanePoint]) -> PixelRect {
        let (across, down) = (corners[1] - corners[0], corners[3] - corners[0])
        func range(along edge: PlanePoint, _ count: Int) -> Range<Int> {
            // The edges of the image are perpendicular.
            let shares = ring.map { (($0 - corners[0]) * edge).sum() / (edge * edge).sum() * Double(count) }
            guard let low = shares.min(), let high = shares.max() else { return 0..<count }
            let first = max(0, Int(max(0, low).rounded(.down)) - margin)
            return first..<max(first + 1, min(count, Int(min(Double(count), high).rounded(.up)) + margin))
        }
        let (columns, rows) = (range(along: across, texture.width), range(along: down, texture.height))
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// The corners on the screen in pt; nil when one is behind the camera.
    func quad(copy: Int) -> [Inspection.Point]? {
        var quad: [Inspection.Point] = []
        for corner in corners(copy: copy) {
            let point = viewport.projection.project(x: corner.x, y: corner.y, height: camera.height)
            guard point.depth > viewport.projection.near else { return nil }
            quad.append(viewport.inspected(point.x, point.y))
        }
        return quad
    }

    /// The copy of the world on which the image's center is nearest to the view's center.
    var nearestCopy: Int { viewport.nearestCopy(of: image.center) }

    /// The reason why an image is outside the picture.
    var unseenReason: Reason {
        let isBehind = corners(copy: nearestCopy).allSatisfy { corner in
            viewport.projection.project(x: corner.x, y: corner.y, height: camera.height).depth <= viewport.projection.near
        }
        return isBehind ? .behindCamera : .outOfView
    }
}
