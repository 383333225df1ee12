import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// One line for the picture, and one for each overlay, cluster, symbol, view overlay, info window, element and diagnostic, in the order of
/// the lists:
///
///     400 × 300 pt at 1, center 37.566600000 126.978400000, zoom 14.000000000, bearing 30.000000000, tilt 45.000000000
///     marker hall: order 3 at (200.000, 150.000), icon (180.000, 110.000) 40.000 × 40.000, caption bottom (…) "City Hall"
///     marker gate: not drawn, collided, icon hidden by hall
///
/// Equal inspections have equal texts, so texts can be stored and compared.
extension Inspection: CustomStringConvertible {
    public var description: String {
        let camera = viewport.camera
        let size = "\(plain(viewport.size.width)) × \(plain(viewport.size.height)) pt at \(plain(viewport.pixelRatio))"
        let degrees = [("zoom", camera.zoom), ("bearing", camera.bearing), ("tilt", camera.tilt)].map { "\($0) \(fixed($1, 9))" }
        let head = "\(size), center \(fixed(camera.center.lat, 9)) \(fixed(camera.center.lng, 9)), \(degrees.joined(separator: ", "))"
        var lines = [head] + overlays.map(\.description) + clusters.map(\.description) + symbols.map(\.description)
        lines += viewOverlays.map { "viewOverlay \($0)" }
        if let infoWindow { lines.append("infoWindow \(infoWindow)") }
        lines += elements.map(\.description)
        lines += diagnostics.map { "\($0.severity.rawValue): \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Inspection.OverlayEntry: CustomStringConvertible {
    /// One line, without a newline: the overlay's type, id and position, or the reason why it is not drawn.
    public var description: String {
        var parts = [place(isVisible: isVisible, reason: reason, order: order, anchor: anchor)]
        if let icon { parts.append("icon \(icon)") }
        if let caption { parts.append("caption \(caption)") }
        if isOccluded == true { parts.append("behind a model") }
        if let quad { parts.append("box \(quad.boxText)") }
        if let rect { parts.append("box \(rect)") }
        if let lines { parts.append("\(lines.count) \(lines.count == 1 ? "line" : "lines") of \(lines.joined().count) points") }
        if let rings { parts.append("\(rings.count) \(rings.count == 1 ? "ring" : "rings") of \(rings.joined().count) points") }
        if let lineText { parts.append("text \(lineText)") }
        if let lineImage { parts.append("image \(lineImage)") }
        if let triangles { parts.append("\(triangles) \(triangles == 1 ? "triangle" : "triangles")") }
        if copies > 1 { parts.append("\(copies) copies") }
        if let members { parts.append("of \(members.count)") }
        return "\(type.rawValue) \(id): " + parts.joined(separator: ", ")
    }
}

extension Inspection.ClusterEntry: CustomStringConvertible {
    /// One line, without a newline: the cluster's id, position, number of markers and text.
    public var description: String {
        var parts = [place(isVisible: order != nil, reason: order == nil ? .collided : nil, order: order, anchor: anchor)]
        if let icon { parts.append("icon \(icon)") }
        return "cluster \(id): " + (parts + ["\(count) markers", "\"\(text)\""]).joined(separator: ", ")
    }
}

extension Inspection.SymbolEntry: CustomStringConvertible {
    /// One line, without a newline: the symbol's id and position, and the reason why it is hidden.
    public var description: String {
        var parts = [place(isVisible: isVisible, reason: nil, order: nil, anchor: anchor)]
        if let rect { parts.append("box \(rect)") }
        if let text { parts.append("\"\(text)\"") }
        if let angle { parts.append("turned by \(plain(angle))°") }
        if let hiddenBy { parts.append("hidden by \(hiddenBy)") }
        if isCutByEdge { parts.append("cut by the edge") }
        if isOccluded == true { parts.append("behind a building") }
        return "\(role ?? "symbol") \(id): " + parts.joined(separator: ", ")
    }
}

extension Inspection.ViewEntry: CustomStringConvertible {
    /// One line, without a newline. It does not say whether the view is a view overlay or the info window.
    public var description: String {
        var parts = [place(isVisible: isVisible, reason: reason, order: order, anchor: anchor)]
        if let rect { parts.append("box \(rect)") }
        return "\(id ?? "at a coordinate"): " + parts.joined(separator: ", ")
    }
}

extension Inspection.ElementEntry: CustomStringConvertible {
    /// One line, without a newline: the element's type, place and box, or the reason why it is not drawn.
    public var description: String {
        let end = rect.map { "box \($0)" } ?? "not drawn" + (reason.map { ", \($0.rawValue)" } ?? "")
        return "element \(id): \(place.rawValue), \(end)"
    }
}

extension Inspection.Icon: CustomStringConvertible {
    public var description: String {
        [quad?.boxText ?? "behind the camera", isVisible ? nil : "not drawn", hiddenBy.map { "hidden by \($0)" }].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension Inspection.Caption: CustomStringConvertible {
    public var description: String {
        let text = "\"" + lines.joined(separator: " / ") + "\""
        let parts = [
            [align?.rawValue, rect?.description, text].compactMap(\.self).joined(separator: " "), isVisible ? nil : "not drawn",
            hiddenBy.map { "hidden by \($0)" }, isCutByEdge ? "cut by the edge" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension Inspection.LineLabel: CustomStringConvertible {
    public var description: String {
        let visible = places.filter(\.isVisible)
        guard !visible.isEmpty else { return "not drawn" + (reason.map { ", \($0.rawValue)" } ?? "") }
        return "at " + visible.map(\.description).joined(separator: " ")
    }
}

extension Inspection.LabelPlace: CustomStringConvertible {
    /// The anchor in pt and the angle in degrees, such as `(12.500, 40.000) 30.000°`.
    public var description: String { "\(anchor) \(fixed(angle, 3))°" }
}

extension Inspection.Point: CustomStringConvertible {
    /// The position in pt, such as `(12.500, 40.000)`.
    public var description: String { "(\(fixed(x, 3)), \(fixed(y, 3)))" }
}

extension Inspection.Rect: CustomStringConvertible {
    /// The upper left corner and the size in pt, such as `(12.500, 40.000) 20.000 × 30.000`.
    public var description: String { "\(Inspection.Point(x: x, y: y)) \(fixed(width, 3)) × \(fixed(height, 3))" }
}

extension [Inspection.Point] {
    /// The corner and the size of an upright box, or all corners of another quad.
    fileprivate var boxText: String {
        // As printed, so that a printed inspection that is read again has the same size.
        let corners = map { Inspection.Point(x: ($0.x * 1000).rounded() / 1000, y: ($0.y * 1000).rounded() / 1000) }
        guard count == 4, corners[0].y == corners[1].y, corners[1].x == corners[2].x, corners[2].y == corners[3].y,
            corners[3].x == corners[0].x
        else { return map(\.description).joined(separator: " ") }
        let (from, to) = (corners[0], corners[2])
        return Inspection.Rect(x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y).description
    }
}

/// The position in the picture, or the reason why it is not in the picture.
private func place(isVisible: Bool, reason: Reason?, order: Int?, anchor: Inspection.Point?) -> String {
    guard isVisible else { return "not drawn" + (reason.map { ", \($0.name)" } ?? "") }
    let place = order.map { "order \($0)" } ?? "drawn"
    return anchor.map { "\(place) at \($0)" } ?? place
}
