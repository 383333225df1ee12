import WaymarkGeo

/// The part of a picture that is open to captions. Captions that avoid the picture's edges stay inside the picture, and captions that avoid
/// elements stay beside the elements.
struct CaptionRoom {
    private let width: Double
    private let height: Double
    private let avoidsEdges: Bool
    /// The boxes of the elements that captions avoid, in device pixels.
    private let elements: [PixelBox]

    init(_ viewport: Viewport, avoidsEdges: Bool, elements: [PixelBox]) {
        (width, height) = (Double(viewport.deviceWidth), Double(viewport.deviceHeight))
        (self.avoidsEdges, self.elements) = (avoidsEdges, elements)
    }

    /// Whether captions may be anywhere.
    var isUnlimited: Bool { !avoidsEdges && elements.isEmpty }

    /// Whether a box in device pixels is not completely inside.
    @inline(__always)
    func cuts(_ box: PixelBox) -> Bool {
        if avoidsEdges, box.left < 0 || box.top < 0 || box.right > width || box.bottom > height { return true }
        return !elements.isEmpty && elements.contains { $0.overlaps(box, by: 0) }
    }
}
