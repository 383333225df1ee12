import WaymarkGeo

/// An automatic side that distorts an image by more than a tenth, because the other side is set. Lengths are in pt.
struct DistortingSide {
    /// `width` or `height`.
    let name: String
    /// The lengths of this side and of the other one in the image.
    private let own: Double
    private let other: Double

    /// Nil if the image keeps its proportions within a tenth.
    /// - Parameters:
    ///   - width: The width of the shown image; 0 if it is automatic.
    ///   - height: The height of the shown image; 0 if it is automatic.
    ///   - natural: The image's own size.
    init?(width: Double, height: Double, of natural: (width: Double, height: Double)) {
        guard (width == 0) != (height == 0), natural.width > 0, natural.height > 0 else { return nil }
        (name, own, other) = height == 0 ? ("height", natural.height, natural.width) : ("width", natural.width, natural.height)
        let scale = (height == 0 ? width : height) / other
        guard max(scale, 1 / scale) > 1.1 else { return nil }
    }

    /// The advice to set this side, too.
    /// - Parameter length: The length of the other side as drawn.
    func advice(otherSide length: Double) -> String {
        func rounded(_ length: Double) -> String { plain((length * 10).rounded() / 10) }
        return "\"auto\" means the image's own \(name), \(rounded(own)) pt, which distorts the image; with a "
            + "\(name == "height" ? "width" : "height") of \(rounded(length)) pt, "
            + "a \(name) of \(rounded(own * (length / other))) pt keeps the image's proportions"
    }
}
