import Foundation
import WaymarkGeo
import WaymarkScene

/// Draws a file of features without styles as a complete map, in the map's theme. Areas are drawn as land, and points as pins or, if
/// there are many, as dots, with their names as captions. The names of areas are symbols in the areas, and the names of lines follow the
/// lines.
///
/// Whether the file has styles is known only at its end. When a style is found, everything done until then is undone.
struct PlainFile {
    /// Whether no feature so far has a style.
    private(set) var isPlain = true
    /// The markers made so far.
    private var markers: [Marker] = []
    private var shapes: [Overlay] = []
    /// The areas and lines with names.
    private var areas: [(area: Polygon, name: String)] = []
    private var lines: [(line: Polyline, name: String)] = []

    /// The maximum number of points that are drawn as pins.
    static let mostPins = 100
    /// The maximum number of points for which points have captions. With more points, there is hardly any room for names.
    static let mostNames = 10_000
    /// The maximum numbers of areas and of lines that have names.
    static let (mostAreaNames, mostLineNames) = (5000, 1000)
    /// The size of the names of areas, the width at which they wrap, and the space around them, in pt.
    private static let (areaTextSize, areaTextWidth, areaPadding) = (12.0, 96.0, 3.0)
    /// The distance in pt between two names along a line, and the distance of a name's middle from the line. Names are above their lines.
    private static let (lineTextSpacing, lineTextOffset) = (400.0, -9.0)
    /// The icons of dots and their widths in pt, each up to a number of points.
    private static let dots: [(count: Int, icon: OverlayImage, width: Double)] = [
        (1000, .dot, 9), (20_000, .denseDot, 5), (.max, .denseDot, 3),
    ]
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
        (markers, shapes, areas, lines) = ([], [], [], [])
    }

    /// Styles the marker of a feature.
    mutating func add(_ marker: Marker, _ properties: JSONNode?, _ tape: borrowing JSONTape) {
        guard isPlain else { return }
        markers.append(marker)
        guard markers.count <= Self.mostNames, let properties else { return }
        PointNames(hideSymbols: false).add(to: marker, properties, tape)
    }

    /// Styles the line or the areas of a feature.
    mutating func add(_ shape: Overlay, _ properties: JSONNode?, _ tape: borrowing JSONTape) {
        guard isPlain else { return }
        shapes.append(shape)
        let name = properties.flatMap { Self.name($0, tape) }
        if let polyline = shape as? Polyline {
            polyline.standard = .plainFeature
            if let name { lines.append((polyline, name)) }
        } else if let polygon = shape as? Polygon {
            polygon.standard = .plainFeature
            if let name { areas.append((polygon, name)) }
        }
    }

    /// Chooses the icons, and names the lines, after the last feature.
    func finish() {
        if isPlain, lines.count <= Self.mostLineNames {
            for (line, name) in lines {
                (line.lineText, line.lineTextSpacing, line.lineTextOffset) = (name, Self.lineTextSpacing, Self.lineTextOffset)
            }
        }
        if hasAreaNames { for marker in markers { marker.isHideCollidedSymbols = true } }
        if markers.count > Self.mostNames { for marker in markers { Self.style(marker, named: "") } }
        guard isPlain, markers.count > Self.mostPins else { return }
        guard let dot = Self.dots.first(where: { markers.count <= $0.count }) else { return }
        for marker in markers {
            marker.ownIcon = dot.icon
            marker.anchor = .center
            (marker.width, marker.height) = (dot.width, dot.width)
        }
    }

    /// The names of points.
    struct PointNames {
        /// Whether points hide symbols, which are the names of areas here.
        let hideSymbols: Bool

        /// Gives a marker the name of its feature as the caption.
        func add(to marker: Marker, _ properties: JSONNode, _ tape: borrowing JSONTape) {
            marker.isHideCollidedSymbols = hideSymbols
            if let name = PlainFile.name(properties, tape) { PlainFile.style(marker, named: name) }
        }

        /// The default style of clusters, which hide the names that they cover.
        var clusterTheme: ClusterTheme {
            let (theme, style) = (ClusterTheme(), BasicClusterStyle())
            (style.isHideCollidedCaptions, style.isHideCollidedSymbols) = (true, hideSymbols)
            theme.setStyle(style, forDensityRange: 2...)
            return theme
        }
    }

    private static func style(_ marker: Marker, named name: String) {
        guard marker.captionText != name else { return }
        marker.captionText = name
        marker.captionAligns = name.isEmpty ? [.bottom] : aligns
        marker.captionOffset = name.isEmpty ? 0 : gap
        marker.isHideCollidedCaptions = !name.isEmpty
    }

    /// The name of a feature: the first text or number among the properties in `names`. Nil without a name.
    private static func name(_ properties: JSONNode, _ tape: borrowing JSONTape) -> String? {
        var found: [JSONNode?] = names.map { _ in nil }
        tape.members(names, of: properties, into: &found)
        for case let node? in found {
            if let text = TextTemplate.text(of: node, tape), !text.allSatisfy(\.isWhitespace) { return text }
        }
        return nil
    }

    /// Whether the file has names of areas, which give way to points.
    var hasAreaNames: Bool { isPlain && !areas.isEmpty && areas.count <= Self.mostAreaNames }

    /// The names of areas. Each is shown from the zoom at which it fits into its area. Names of large areas hide names of small areas.
    var areaNames: [Symbol] {
        guard hasAreaNames else { return [] }
        return areas.compactMap { area, name in
            let size = Self.size(of: name)
            guard let place = InnerEllipse(in: area, aspect: size.x / size.y) else { return nil }
            // With 0.71, the corners of the name's box would be on the ellipse. A smaller factor suffices, because there is hardly any
            // ink in the corners.
            let zoom = log2(size.y * 0.6 / place.height / WebMercator.worldSize(zoom: 0))
            guard zoom <= Camera.zoomRange.upperBound else { return nil }
            let x = place.middle.x - place.middle.x.rounded(.down)
            var symbol = Symbol(
                position: LatLng(lat: WebMercator.latitude(fromY: place.middle.y), lng: WebMercator.longitude(fromX: x)),
                captionText: name, rank: -place.height)
            symbol.kind = Self.kindOfAreas
            symbol.minZoom = max(Camera.zoomRange.lowerBound, zoom)
            (symbol.captionTextSize, symbol.captionPadding) = (Self.areaTextSize, Self.areaPadding)
            symbol.captionRequestedWidth = Self.areaTextWidth
            return symbol
        }
    }

    private static let kindOfAreas = "area"

    /// The approximate width and height of the name of an area, in pt.
    private static func size(of name: String) -> SIMD2<Double> {
        func width(_ text: some StringProtocol) -> Double {
            // Letters of Latin, Greek, Cyrillic and similar scripts are about half as wide as Chinese, Japanese and Korean letters.
            text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 0.56 : 1) } * areaTextSize
        }
        let whole = width(name)
        let widest = name.split(whereSeparator: \.isWhitespace).map { width($0) }.max() ?? whole
        let lines = (whole / areaTextWidth).rounded(.up)
        return SIMD2(lines > 1 ? max(whole / lines, widest) : whole, lines * areaTextSize * 1.2)
    }
}

extension SimpleStyle {
    /// Whether the properties of a feature include one that determines its appearance.
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
