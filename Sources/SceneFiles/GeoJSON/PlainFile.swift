import Foundation
import WaymarkScene

/// Draws a file of features without styles as a map of its own, in the theme of the map: areas as land, a few points as pins and many as
/// dots, with their names as captions.
///
/// Whether the file has styles is known only at its end. The first style undoes what was done until then.
struct PlainFile {
    /// Whether no feature so far has a style.
    private(set) var isPlain = true
    /// The markers made so far.
    private var markers: [Marker] = []
    private var shapes: [Overlay] = []

    /// The maximum number of points that are drawn as pins.
    static let mostPins = 100
    /// The maximum number of points that have captions. Between more points, there is hardly any room for names.
    static let mostNames = 10_000
    /// The widths of dots in pt, each up to a number of points.
    private static let dots: [(count: Int, width: Double)] = [(1000, 9), (20_000, 6), (.max, 4)]
    /// The properties that may have a feature's name, in order of preference.
    private static let names = ["name", "name_en", "name:en", "Name", "NAME", "title", "Title", "label"].map { Array($0.utf8) }
    /// The space between a point and its name in pt.
    private static let gap = 2.0
    /// The placements of names, in order of preference.
    private static let aligns: [AlignType] = [.right, .left, .bottom, .top, .bottomRight, .topRight, .bottomLeft, .topLeft]
}

extension PlainFile {
    /// Checks whether a feature has a style.
    mutating func check(_ properties: JSONNode?, _ tape: borrowing JSONTape) {
        guard isPlain, let properties, SimpleStyle.isIn(properties, tape) else { return }
        isPlain = false
        for marker in markers { Self.style(marker, named: "") }
        for shape in shapes {
            (shape as? Polyline)?.standard = .feature
            (shape as? Polygon)?.standard = .feature
        }
        (markers, shapes) = ([], [])
    }

    /// Styles the marker of a feature.
    mutating func add(_ marker: Marker, _ properties: JSONNode?, _ tape: borrowing JSONTape) {
        guard isPlain else { return }
        markers.append(marker)
        guard markers.count <= Self.mostNames, let properties else { return }
        Self.addName(to: marker, properties, tape)
    }

    /// Styles the line or the areas of a feature.
    mutating func add(_ shape: Overlay) {
        guard isPlain else { return }
        shapes.append(shape)
        (shape as? Polyline)?.standard = .plainFeature
        (shape as? Polygon)?.standard = .plainFeature
    }

    /// Chooses the icons after the last feature.
    func finish() {
        if markers.count > Self.mostNames { for marker in markers { Self.style(marker, named: "") } }
        guard isPlain, markers.count > Self.mostPins else { return }
        let width = Self.dots.first { markers.count <= $0.count }?.width ?? 0
        for marker in markers {
            marker.ownIcon = .dot
            marker.anchor = .center
            (marker.width, marker.height) = (width, width)
        }
    }

    /// Gives a marker the name of its feature as the caption.
    static func addName(to marker: Marker, _ properties: JSONNode, _ tape: borrowing JSONTape) {
        if let name = Self.name(properties, tape) { style(marker, named: name) }
    }

    private static func style(_ marker: Marker, named name: String) {
        guard marker.captionText != name else { return }
        marker.captionText = name
        marker.captionAligns = name.isEmpty ? [.bottom] : aligns
        marker.captionOffset = name.isEmpty ? 0 : gap
        marker.isHideCollidedCaptions = !name.isEmpty
    }

    /// The name of a feature: the first text or number among the properties of names; nil if there is none.
    private static func name(_ properties: JSONNode, _ tape: borrowing JSONTape) -> String? {
        var found: [JSONNode?] = names.map { _ in nil }
        tape.members(names, of: properties, into: &found)
        for case let node? in found {
            if let text = TextTemplate.text(of: node, tape), !text.allSatisfy(\.isWhitespace) { return text }
        }
        return nil
    }
}

extension SimpleStyle {
    /// Whether the properties of a feature contain any that determines its appearance.
    static func isIn(_ properties: JSONNode, _ tape: borrowing JSONTape) -> Bool {
        guard var members = tape.members(of: properties) else { return false }
        while let (key, value) = members.next(in: tape) {
            let first = tape.withUTF8(of: key) { $0.isEmpty ? 0 : $0[0] } ?? 0
            guard first == UInt8(ascii: "m") || first == UInt8(ascii: "s") || first == UInt8(ascii: "f") else { continue }
            if isName(key, tape), tape.kind(of: value) != .null { return true }
        }
        return false
    }

    private static func isName(_ key: JSONNode, _ tape: borrowing JSONTape) -> Bool {
        tape.isString(key, "marker-color") || tape.isString(key, "marker-size") || tape.isString(key, "marker-symbol")
            || tape.isString(key, "stroke") || tape.isString(key, "stroke-width") || tape.isString(key, "stroke-opacity")
            || tape.isString(key, "fill") || tape.isString(key, "fill-opacity")
    }
}
