import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// The input of families while they place overlays, and the frame that they fill.
struct PlacingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    let order: DrawingOrder
    let rasters: [FrameImage]
    /// nil when there is no text.
    let fonts: FontLibrary?
    let language: String
    /// Samples per pixel for the edges of models.
    let modelSamples: Int
    /// Whether captions that the picture's edge would cut are placed elsewhere or hidden.
    let captionsAvoidEdges: Bool
    /// Whether the picture is placed to find what is at points of it.
    let isForPicking: Bool
    var frame: FrameBuilder
    /// What could not be drawn as requested.
    var diagnostics: [Diagnostic] = []

    func isShown(_ slot: Int32) -> Bool { overlays.isShown(slot, atZoom: viewport.camera.zoom) }
}
