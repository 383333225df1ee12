import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkScene

/// Draws a measured view.
struct ContentPixels: PixelSource {
    let node: ContentPainter.Node
    let painter: ContentPainter
    /// The frame around it; nil for the view alone.
    let frame: InfoWindowFrame?
    let count: Count

    /// Counts the views drawn.
    final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    /// In device pixels.
    var width: Int { frame?.canvasWidth ?? max(1, painter.pixels(node.size.width)) }
    var height: Int { frame?.canvasHeight ?? max(1, painter.pixels(node.size.height)) }

    func makePixels() -> Bitmap {
        count.value.add(1, ordering: .relaxed)
        var canvas = ContentCanvas(width: width, height: height)
        if let frame {
            frame.draw(node, painter, into: &canvas)
        } else {
            painter.draw(node, x: 0, y: 0, clip: canvas.bounds, into: &canvas)
        }
        return canvas.bitmap
    }
}

extension FrameImage {
    /// The image of a view. An image that is shown as it is needs no pixels beside its own.
    init(_ pixels: ContentPixels, name: String) {
        if pixels.frame == nil, case .image(let image, _) = pixels.node, image.width == pixels.width, image.height == pixels.height {
            self = image
            self.name = name
        } else {
            self.init(key: OverlayImage.nextTextureKey(), name: name, width: pixels.width, height: pixels.height, pixels: pixels)
        }
    }
}
