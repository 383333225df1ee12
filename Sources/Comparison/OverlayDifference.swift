import Waymark
import WaymarkGeo

/// The differences of one overlay, cluster, symbol or view overlay between two pictures.
public struct OverlayDifference: Equatable, Sendable {
    /// Its id, or the generated name, as printed by `inspect`; empty for an info window at a coordinate.
    public var id: String
    /// `marker`, `polyline` …, `cluster`, `symbol`, `viewOverlay` or `infoWindow`.
    public var type: String
    /// At least one, the most significant first.
    public var changes: [OverlayChange]
    /// Its position in the expected and in the actual picture: the corners of the boxes of its parts, in pt.
    public var expectedBoxes: [[Inspection.Point]]
    public var actualBoxes: [[Inspection.Point]]
    /// Its lines of `Inspection.description`; nil if it is not on the map.
    public var expectedText: String?
    public var actualText: String?
}

extension OverlayDifference: CustomStringConvertible {
    /// `marker hall: moved by (1, 0) pt; the caption is hidden by gate`.
    public var description: String {
        let name = id.isEmpty ? type : "\(type) \(id)"
        return "\(name): \(changes.map(\.description).joined(separator: "; "))"
    }
}

/// A separately drawn part of an overlay.
public enum OverlayPart: String, Sendable {
    case icon, caption, model, line, area, symbol, view
}

/// One difference of an overlay between two pictures.
public enum OverlayChange: Equatable, Sendable {
    /// It is in the actual scene only.
    case added
    /// It is in the expected scene only.
    case removed
    /// It, or only the part, is drawn only in the actual picture.
    case shown(OverlayPart?)
    /// It, or only the part, is drawn only in the expected picture. Includes the overlay that hides it, or the reason why it is not drawn.
    case hidden(OverlayPart?, by: String?, reason: String?)
    /// It, or only the part, is drawn elsewhere, by pt to the right and down.
    case moved(OverlayPart?, x: Double, y: Double)
    /// A part has another size or shape; the sizes are of its bounding boxes, in pt.
    case resized(OverlayPart, from: PointSize, to: PointSize)
    /// A part is turned about itself, by degrees clockwise on the picture.
    case turned(OverlayPart, by: Double)
    /// It has another text.
    case text(from: String, to: String)
    /// It is drawn over another overlay, given by name, but expected under it.
    case raised(over: String)
    /// It is drawn under another overlay, given by name, but expected over it.
    case lowered(under: String)
    /// It is in the expected position but looks different. Includes the number of differing pixels and the largest difference of a channel.
    case restyled(OverlayPart, pixels: Int, difference: Int)

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .shown: "shown"
        case .hidden: "hidden"
        case .moved: "moved"
        case .resized: "resized"
        case .turned: "turned"
        case .text: "text"
        case .raised: "raised"
        case .lowered: "lowered"
        case .restyled: "restyled"
        }
    }
}

extension OverlayChange: CustomStringConvertible {
    /// `the caption is hidden by gate`.
    public var description: String {
        switch self {
        case .added: "is new"
        case .removed: "is missing"
        case .shown(let part): (part.map { "the \($0.rawValue) " } ?? "") + "is drawn, but should not be"
        case .hidden(let part, let by, let reason):
            (part.map { "the \($0.rawValue) " } ?? "")
                + (by.map { "is hidden by \($0)" } ?? "is not drawn" + (reason.map { ": \($0)" } ?? ""))
        case .moved(let part, let x, let y): (part.map { "the \($0.rawValue) " } ?? "") + "moved by (\(plain(x)), \(plain(y))) pt"
        case .resized(let part, let from, let to):
            from.text == to.text
                ? "the \(part.rawValue) has a different shape"
                : "the \(part.rawValue) is \(to.text) pt; expected \(from.text)"
        case .turned(let part, let angle): "the \(part.rawValue) is turned by \(plain(angle))°"
        case .text(let from, let to): "the text is \"\(to)\"; expected \"\(from)\""
        case .raised(let other): "is drawn above \(other); expected below"
        case .lowered(let other): "is drawn below \(other); expected above"
        case .restyled(let part, let pixels, let difference):
            "restyled: \(pixels) \(pixels == 1 ? "pixel" : "pixels") of the \(part.rawValue) \(pixels == 1 ? "differs" : "differ"), by up to \(difference)"
        }
    }
}

extension PointSize {
    /// To three decimals, as in the JSON of the report.
    fileprivate var text: String {
        [width, height].map { plain(($0 * 1000).rounded() / 1000) }.joined(separator: " × ")
    }
}
