import Foundation
import Waymark
import WaymarkComparison
import WaymarkImaging

/// The result of a test's drawing: one picture, or the pictures of a sweep on a strip.
package struct DrawnViews {
    var bitmap: Bitmap
    var drawnBy: RendererIdentity
    /// The position of each view in the picture.
    var cells: [(view: SweepView, rectangle: PixelRect, inspection: Inspection?, hitMap: HitMap?)]
    /// The frames, view by view; nil if a picture was given without its frame.
    private var frames: [MapFrame]?

    /// Draws a map, and then restores its camera.
    /// - Parameter findsAreas: Whether to find the areas of the objects, for a comparison that ignores some of them.
    package init(
        _ map: MapView, _ views: [SweepView], fitting: FitOptions?, renderer: Renderer, findsAreas: Bool = false
    ) throws {
        let camera = map.camera
        defer { map.camera = camera }
        let viewport = try map.viewport()
        guard var strip = FilmStrip(views, width: viewport.deviceWidth, height: viewport.deviceHeight) else {
            throw ExpectationError("a sweep may have at most 250 million pixels, which is too few for \(views.count) pictures of this size")
        }
        cells = []
        var frames: [MapFrame] = []
        for (index, view) in views.enumerated() {
            map.camera = view.applied(to: camera)
            if var fitting {
                (fitting.tilt, fitting.bearing) = (map.camera.tilt, map.camera.bearing)
                map.camera = try map.camera(fitting: fitting)
            }
            let frame = try map.makeFrame()
            strip.lay(try renderer.render(frame).bitmap, at: index)
            frames.append(frame)
            cells.append((view, strip.cells[index], try map.inspection(), findsAreas ? try map.hitMap() : nil))
        }
        bitmap = strip.bitmap
        drawnBy = try renderer.identity(fontSource: map.fontSource)
        self.frames = frames
    }

    /// Creates the result for a picture that was drawn in another way.
    package init(_ bitmap: Bitmap, _ inspection: Inspection?, frame: MapFrame? = nil, drawnBy: RendererIdentity) {
        self.bitmap = bitmap
        self.drawnBy = drawnBy
        cells = [(.unchanged, PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height), inspection, nil)]
        frames = frame.map { [$0] }
    }

    /// The frames as text; in a sweep, each view under its name.
    var text: String? {
        guard let frames, let first = frames.first else { return nil }
        guard frames.count > 1 else { return first.description }
        return zip(cells, frames).map { "\(FrameTextDifference.heading)\($0.view.name)\n\($1)" }.joined()
    }

    /// The same data as an expectation.
    var expectation: Expectation {
        Expectation(
            bitmap: bitmap,
            record: ExpectationRecord(
                drawnBy: drawnBy, pixels: ExpectationRecord.hash(bitmap),
                views: cells.map { .init(name: $0.view.name, inspection: $0.inspection) }), text: text)
    }
}

/// The renderer shared by all tests of the process, because opening a driver takes longer than drawing most pictures.
final class TestRenderer: @unchecked Sendable {
    // Unchecked: the lock lets one test draw at a time.
    private static let shared = TestRenderer()
    private let lock = NSLock()
    private var renderer: Renderer?

    /// Runs `body` with a given renderer, or with the shared one.
    static func use<Value>(_ renderer: Renderer?, _ body: (Renderer) throws -> Value) throws -> Value {
        if let renderer { return try body(renderer) }
        return try shared.lock.withLock {
            let renderer = try shared.renderer ?? Renderer()
            shared.renderer = renderer
            return try body(renderer)
        }
    }
}
