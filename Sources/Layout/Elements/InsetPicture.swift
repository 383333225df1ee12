import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// The border of an inset and the space inside it, in whole device pixels.
struct InsetEdge: Sendable {
    let border: Double
    private let padding: PixelMargins
    /// The size of the map.
    private let width: Double
    private let height: Double

    init(_ inset: InsetElement, _ viewport: Viewport) {
        func pixels(_ length: Double) -> Double { wholePixels(length * viewport.pixelRatio) }
        let line = inset.borderWidth ?? 1
        border = line > 0 ? max(1, pixels(line)) : 0
        padding = PixelMargins(inset.insets, pixelRatio: viewport.pixelRatio)
        (width, height) = (pixels(inset.map.size.width), pixels(inset.map.size.height))
    }

    /// The size of the inset as a whole.
    var outerWidth: Double { width + 2 * border + padding.left + padding.right }
    var outerHeight: Double { height + 2 * border + padding.top + padding.bottom }
    /// Whether there is space between the border and the map.
    var hasPadding: Bool { outerWidth > width + 2 * border || outerHeight > height + 2 * border }
    /// The upper left of the map, from the upper left of the inset.
    var left: Double { border + padding.left }
    var top: Double { border + padding.top }
}

/// The map of an inset as laid out for one picture.
struct InsetPicture: Sendable {
    /// The frame of the map, as an image.
    var image: FrameImage
    var edge: InsetEdge
    var borderColor: Color
    var panelColor: Color
    /// The outline of the main map's area on the inset, relative to the inset's upper left.
    var extent: ExtentOutline?
    /// The outline of the inset's area on the main map.
    var extentOnMap: ExtentOutline?
    /// Problems of the inset's map, with the path of the element.
    var diagnostics: [Diagnostic] = []

    /// Draws the inset above the contents of a frame.
    func add(to frame: inout Frame, in box: PixelBox) {
        let first = frame.paths.count
        if edge.hasPadding, panelColor.alpha > 0 { frame.add([box.corners.map(\.pathPoint)], color: panelColor) }
        if edge.border > 0, borderColor.alpha > 0 {
            let inner = box.grown(by: -edge.border)
            frame.add([box.corners.map(\.pathPoint), inner.corners.map(\.pathPoint)], rule: .evenOdd, color: borderColor)
        }
        if frame.paths.count > first { frame.commands.append(.paths(first..<frame.paths.count)) }
        frame.add(image, x: Int(box.left + edge.left), y: Int(box.top + edge.top))
        extent?.add(to: &frame, x: box.left + edge.left, y: box.top + edge.top)
    }
}

/// The outline of the area that one map covers in another, as contours that are ready to be drawn.
struct ExtentOutline: Sendable {
    private var fill: [PlanePoint] = []
    private var casing: [[PlanePoint]] = []
    private var line: [[PlanePoint]] = []
    private let color: Color
    private let casingColor: Color

    /// The widths of the line, and of the casing beneath it, in pt.
    private static let (lineWidth, casingWidth) = (1.5, 3.5)
    /// The minimum length in pt of the area's sides. A smaller area is drawn larger.
    private static let leastSide = 6.0
    /// The opacity of the area.
    private static let fillOpacity = 0.15

    /// The area of one view on the picture of another; nil if it is outside.
    /// - Parameter isFilled: Whether the area is tinted. The area is not tinted if the colors of the map represent values.
    init?(of view: Viewport, on picture: Viewport, color: Color, casing casingColor: Color, isFilled: Bool) {
        (self.color, self.casingColor) = (color, casingColor.withAlpha(casingColor.alpha * 0.8))
        let ratio = picture.pixelRatio
        let size = PlanePoint(Double(picture.deviceWidth), Double(picture.deviceHeight))
        let corners = Self.corners(of: view, on: picture)
        guard corners.count > 2 else { return nil }
        var low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
        var high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
        var ring = corners
        let least = Self.leastSide * ratio
        if high.x - low.x < least, high.y - low.y < least {
            let middle = (low + high) / 2
            (low, high) = (middle - PlanePoint(repeating: least / 2), middle + PlanePoint(repeating: least / 2))
            ring = [low, PlanePoint(high.x, low.y), high, PlanePoint(low.x, high.y)]
        }
        // The line is cut outside the picture, where its ends are not visible.
        let margin = PlanePoint(repeating: 4 * Self.casingWidth * ratio)
        ring = AreaPolygons.clipped(ring.map { $0 + margin }, to: size + margin * 2).map { $0 - margin }
        ring = ring.enumerated().filter { index, point in point != ring[index > 0 ? index - 1 : ring.count - 1] }.map(\.element)
        guard ring.count > 2 else { return nil }
        fill = isFilled ? AreaPolygons.clipped(ring, to: size) : []
        casing = Self.stroke(ring, width: Self.casingWidth * ratio, size)
        line = Self.stroke(ring, width: Self.lineWidth * ratio, size)
        guard !line.isEmpty || fill.count > 2 else { return nil }
    }

    private static func stroke(_ ring: [PlanePoint], width: Double, _ size: PlanePoint) -> [[PlanePoint]] {
        var stroker = Stroker(StrokeStyle(width: max(1, width)))
        stroker.add(ring, isClosed: true)
        return (0..<stroker.contours.count).map { AreaPolygons.clipped(Array(stroker.contours[$0]), to: size) }.filter { $0.count > 2 }
    }

    /// Draws the outline, moved by a number of pixels.
    func add(to frame: inout Frame, x: Double = 0, y: Double = 0) {
        func moved(_ points: [PlanePoint]) -> [PathPoint] { points.map { ($0 + PlanePoint(x, y)).pathPoint } }
        let first = frame.paths.count
        if fill.count > 2 { frame.add([moved(fill)], color: color.withAlpha(color.alpha * Self.fillOpacity)) }
        if !casing.isEmpty { frame.add(casing.map(moved), color: casingColor) }
        if !line.isEmpty { frame.add(line.map(moved), color: color) }
        if frame.paths.count > first { frame.commands.append(.paths(first..<frame.paths.count)) }
    }

    /// The corners of a view's ground on a picture, in quantized device pixels, clipped to what the picture's camera sees.
    static func corners(of view: Viewport, on picture: Viewport) -> [PlanePoint] {
        let ground = view.groundCorners
        guard ground.count == 4 else { return [] }
        // The copy of the world that is nearest the picture's center.
        let middle = ground.reduce(0) { $0 + view.centerX + $1.x / view.worldSize } / 4
        let shift = (picture.centerX - middle).rounded()
        let places = ground.map { corner in
            let y = min(max(view.centerY + corner.y / view.worldSize, 0), 1)
            return PlanePoint(
                (view.centerX + corner.x / view.worldSize + shift - picture.centerX) * picture.worldSize,
                (y - picture.centerY) * picture.worldSize)
        }
        func depth(_ place: PlanePoint) -> Double { picture.project(offsetX: place.x, offsetY: place.y, height: 0).depth }
        // Depth is linear on the ground, so edges are cut where they reach a limit.
        let limits = [(picture.nearDepth * 1.001, 1.0), (picture.farDepth * 0.999, -1.0)]
        let seen = limits.reduce(places) { ring, limit in
            var cut: [PlanePoint] = []
            for index in ring.indices {
                let (a, b) = (ring[index], ring[(index + 1) % ring.count])
                let (from, to) = ((depth(a) - limit.0) * limit.1, (depth(b) - limit.0) * limit.1)
                if from >= 0 { cut.append(a) }
                if (from < 0) != (to < 0) { cut.append(a + (b - a) * (from / (from - to))) }
            }
            return cut
        }
        return seen.map { place in
            let point = picture.project(offsetX: place.x, offsetY: place.y, height: 0)
            return PlanePoint(quantized(point.x * picture.pixelRatio), quantized(point.y * picture.pixelRatio))
        }
    }
}

extension PlanePoint {
    fileprivate var pathPoint: PathPoint { PathPoint(Float(x), Float(y)) }
}
