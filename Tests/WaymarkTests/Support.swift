import Foundation
import Testing
import Waymark
import WaymarkLayout
import WaymarkTestSupport

/// One renderer for all tests of this module: they run one after another.
@MainActor enum Drawing {
    static let shared: Result<Renderer, RenderError> = {
        PinnedRasterizer.pin
        return Result { () throws(RenderError) in try Renderer() }
    }()
}

@MainActor func draw(_ mapView: MapView) throws -> Bitmap {
    try Drawing.shared.get().render(mapView).bitmap
}

extension Bitmap {
    func cropped(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width { bitmap[column, row] = self[x + column, y + row] }
        }
        return bitmap
    }

    /// The smallest rectangle around all pixels that are not clear: left, top, right, bottom, the latter two excluded.
    var inked: [Int]? {
        var box: [Int]?
        for y in 0..<height {
            for x in 0..<width where self[x, y] != .clear {
                let old = box ?? [x, y, x + 1, y + 1]
                box = [min(old[0], x), min(old[1], y), max(old[2], x + 1), max(old[3], y + 1)]
            }
        }
        return box
    }
}
