import Foundation
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkSceneFiles

/// The file format of a hit map.
public enum HitMapFormat: String, CaseIterable, Sendable {
    /// HTML with an image and an image map. It can be part of a page or an e-mail, or be opened directly in a browser.
    case html
    /// JSON with a list of areas, for programs.
    case json

    /// Finds the format for the extension of a file name; returns nil if no format has that extension.
    public init?(path: String) {
        let name = path.lowercased()
        switch true {
        case name.hasSuffix(".html"), name.hasSuffix(".htm"): self = .html
        case name.hasSuffix(".json"): self = .json
        default: return nil
        }
    }
}

extension MapView {
    /// The areas of the map's picture in which objects can be picked.
    /// - Throws: The errors of `inspection()`.
    public func hitMap() throws(RenderError) -> HitMap { try placement().hitMap(on: self) }
}

extension HitMap {
    /// The default URI for the link of an area.
    public static let standardLink = "#{id}"

    /// The picture's size in pt and the areas, as JSON. The areas are listed topmost first. Each area has an `id`, `type`, `part`, `title`
    /// and `polygons`.
    public var json: String {
        let object = JSONText.object([
            ("size", .object([("width", .length(size.width)), ("height", .length(size.height))])),
            ("areas", .array(areas.map(\.json))),
        ])
        return object.text + "\n"
    }

    /// HTML with an image and an image map. The areas are links, except for areas that only cover the areas beneath them. These are the
    /// map elements and, if `link` contains `{id}`, the info windows at a coordinate, because they have no id.
    ///
    /// The HTML contains only ASCII, and therefore works in a page with any encoding. Coordinates are in whole pt, which are CSS pixels.
    /// - Parameters:
    ///   - picture: The URI of the picture. It is used unchanged.
    ///   - name: The name of the image map, which must be unique in a page. Spaces become hyphens.
    ///   - link: The URI for the link of each area. `{id}` and `{type}` are replaced by the id and the type of the area's object.
    public func html(picture: String, name: String, link: String = standardLink) -> String {
        let (width, height) = (Int(size.width.rounded()), Int(size.height.rounded()))
        // HTML allows no white space in map names.
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: "-")
        var text = "<img src=\"\(picture.html)\" width=\"\(width)\" height=\"\(height)\" alt=\"\" usemap=\"#\(name.html)\">\n"
        text += "<map name=\"\(name.html)\">\n"
        for area in areas {
            let (id, type) = area.object.programName
            let target = link.replacingOccurrences(of: "{id}", with: (id ?? "").percentEncoded)
                .replacingOccurrences(of: "{type}", with: type.percentEncoded)
            let title = area.title.html
            // Elements are not links, but they cover the links beneath. HTML allows `alt` only on links.
            let isLink = area.part != .element && (id != nil || !link.contains("{id}"))
            let linked = !isLink ? "" : " href=\"\(target.html)\" alt=\"\(title)\""
            for coordinates in area.wholeCoordinates {
                text += "<area shape=\"poly\" coords=\"\(coordinates)\"\(linked) title=\"\(title)\">\n"
            }
        }
        return text + "</map>\n"
    }

    /// The content of a hit map file.
    /// - Parameters:
    ///   - picture: The URI of the picture; used for HTML.
    ///   - name: The name of the image map; used for HTML.
    package func text(_ format: HitMapFormat, picture: String, name: String, link: String) -> String {
        switch format {
        case .html: html(picture: picture, name: name, link: link)
        case .json: json
        }
    }
}

extension HitMap.Area {
    /// A readable name for the area's object: a title, a caption, the number of markers in a cluster, or the first text of other content.
    /// Otherwise the id, or for map elements and info windows an empty text.
    var title: String {
        switch object {
        case let marker as Marker:
            [marker.title, marker.captionText].compactMap { $0 }.first { !$0.allSatisfy(\.isWhitespace) } ?? marker.id ?? ""
        case let symbol as SymbolObject: symbol.placeName.isEmpty ? symbol.id : symbol.placeName
        case let cluster as Cluster: "\(cluster.count)"
        case let view as ViewOverlay: view.content.firstText ?? view.id ?? ""
        case let window as InfoWindow: window.view.firstText ?? ""
        case let element as ElementObject: element.name
        default: object.programName.id ?? ""
        }
    }

    fileprivate var json: JSONText {
        let (id, type) = object.programName
        return .object([
            ("id", id.map { .string($0) } ?? .null), ("type", .string(type)), ("part", .string(part.rawValue)), ("title", .string(title)),
            ("polygons", .array(polygons.map { .array($0.map { .array([.length($0.x), .length($0.y)]) }) })),
        ])
    }

    /// The polygons in integer pt, as image maps require, without those whose area is then 0.
    fileprivate var wholeCoordinates: [String] {
        polygons.compactMap { polygon in
            var points: [(x: Int, y: Int)] = []
            for point in polygon {
                let next = (x: Int(point.x.rounded()), y: Int(point.y.rounded()))
                if points.last.map({ $0 != next }) ?? true { points.append(next) }
            }
            if let first = points.first, let last = points.last, points.count > 1, first == last { points.removeLast() }
            let (xs, ys) = (Set(points.map(\.x)), Set(points.map(\.y)))
            guard points.count > 2, xs.count > 1, ys.count > 1 else { return nil }
            return points.map { "\($0.x),\($0.y)" }.joined(separator: ",")
        }
    }
}

extension OverlayContent {
    /// The text of the first label with a text.
    fileprivate var firstText: String? {
        switch self {
        case .label(let label): label.text.allSatisfy(\.isWhitespace) ? nil : label.text
        case .stack(let stack): stack.contents.lazy.compactMap(\.firstText).first
        case .image, .drawing: nil
        }
    }
}

extension String {
    /// The text as an attribute of an HTML element, in ASCII.
    fileprivate var html: String { escapedForMarkup(.ascii) }

    /// The string percent-encoded for a URI. Only the unreserved characters of RFC 3986 are left unchanged.
    package var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}

extension InfoWindowView {
    fileprivate var firstText: String? {
        switch self {
        case .window(let content), .contents(let content): content.firstText
        }
    }
}
