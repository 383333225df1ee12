import Foundation
import Waymark
import WaymarkGeo

/// The differences of one overlay, cluster, symbol or view overlay between two pictures.
public struct OverlayDifference: Equatable, Sendable {
    /// The overlay's id, given or generated, as printed by `inspect`; empty for an info window at a coordinate.
    public var id: String
    /// The type of the overlay: `marker`, `polyline` …, `cluster`, `symbol`, `viewOverlay` or `infoWindow`.
    public var type: String
    /// The changes, at least one: first in the placement, then in the drawing order, then in the pixels.
    public var changes: [OverlayChange]
    /// The overlay's position in the expected picture: the corners of the boxes around its parts, in pt.
    public var expectedBoxes: [[Inspection.Point]]
    /// The overlay's position in the actual picture: the corners of the boxes around its parts, in pt.
    public var actualBoxes: [[Inspection.Point]]
    /// The overlay's lines in the `Inspection.description` of the expected picture; nil if the overlay is not on that picture's map.
    public var expectedText: String?
    /// The overlay's lines in the `Inspection.description` of the actual picture; nil if the overlay is not on that picture's map.
    public var actualText: String?
}

extension OverlayDifference: CustomStringConvertible {
    /// One line, such as `marker hall: moved by (1, 0) pt; the caption is hidden by gate`.
    public var description: String {
        let name = id.isEmpty ? type : "\(type) \(id)"
        return "\(name): \(changes.map(\.description).joined(separator: "; "))"
    }
}

/// A part of an overlay that is drawn separately.
public enum OverlayPart: String, Sendable {
    case icon, caption, model, line, area, symbol, view
}

/// One way in which an overlay differs between two pictures.
public enum OverlayChange: Equatable, Sendable {
    /// The overlay is in the actual scene only.
    case added
    /// The overlay is in the expected scene only.
    case removed
    /// The overlay, or just the given part, is drawn in the actual picture but not in the expected one.
    case shown(OverlayPart?)
    /// The overlay, or just the given part, is drawn in the expected picture but not in the actual one. `by` is the id of the overlay that
    /// hides it. `reason` is the reason why it is not drawn. Either may be nil.
    case hidden(OverlayPart?, by: String?, reason: String?)
    /// The overlay, or just the given part, is drawn elsewhere: shifted by `x` pt to the right and `y` pt down.
    case moved(OverlayPart?, x: Double, y: Double)
    /// The part's size or shape differs. `from` and `to` are the sizes of its bounding box, in pt.
    case resized(OverlayPart, from: PointSize, to: PointSize)
    /// The part is rotated in place. `by` is the angle in degrees, clockwise in the picture.
    case turned(OverlayPart, by: Double)
    /// The overlay's text differs.
    case text(from: String, to: String)
    /// The overlay is drawn over the named overlay, but was expected under it.
    case raised(over: String)
    /// The overlay is drawn under the named overlay, but was expected over it.
    case lowered(under: String)
    /// The part is in the expected position but looks different. The values are the number of differing pixels and the largest difference
    /// in any channel.
    case restyled(OverlayPart, pixels: Int, difference: Int)

    /// The name of the change in JSON.
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

extension OverlayChange {
    /// The part that differs; nil if it is the whole overlay.
    var part: OverlayPart? {
        switch self {
        case .added, .removed, .text, .raised, .lowered: nil
        case .shown(let part), .hidden(let part, _, _), .moved(let part, _, _): part
        case .resized(let part, _, _), .turned(let part, _), .restyled(let part, _, _): part
        }
    }

    /// A clause about changes of the same kind and part, such as `moved by up to 3 pt`.
    func clause(with changes: [OverlayChange]) -> String {
        let named = part.map { "the \($0.rawValue) " } ?? ""
        func largest(_ value: (OverlayChange) -> Double) -> String { plain(((changes.map(value).max() ?? 0) * 1000).rounded() / 1000) }
        switch self {
        case .added, .removed, .shown: return description
        case .hidden: return "\(named)is hidden or not drawn"
        case .moved:
            return "\(named)moved by up to \(largest { if case .moved(_, let x, let y) = $0 { hypot(x, y) } else { 0 } }) pt"
        case .resized: return "\(named)has a different size or shape"
        case .turned: return "\(named)is turned by up to \(largest { if case .turned(_, let angle) = $0 { abs(angle) } else { 0 } })°"
        case .text: return "the text is different"
        case .raised: return "is drawn above other overlays; expected below"
        case .lowered: return "is drawn below other overlays; expected above"
        case .restyled:
            let pixels = largest { if case .restyled(_, let pixels, _) = $0 { Double(pixels) } else { 0 } }
            let difference = largest { if case .restyled(_, _, let difference) = $0 { Double(difference) } else { 0 } }
            let (noun, verb) = pixels == "1" ? ("pixel", "differs") : ("pixels", "differ")
            return "restyled: up to \(pixels) \(noun) of \(named)\(verb), by up to \(difference)"
        }
    }
}

extension OverlayChange: CustomStringConvertible {
    /// A clause such as `the caption is hidden by gate`.
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
    /// The number with three decimal places, as in the JSON of the report.
    fileprivate var text: String {
        [width, height].map { plain(($0 * 1000).rounded() / 1000) }.joined(separator: " × ")
    }
}
