import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// The areas of a picture in which objects can be picked. Waymark makes HTML image maps, whose areas are links, from a hit map. A program
/// that has only the picture and its hit map can find the object under a click.
public struct HitMap {
    /// The area of one drawn part of an object.
    public struct Area {
        public let object: ViewObject
        public let part: HitPart
        /// The area, clipped at the picture's edges, as the union of polygons in pt from the picture's upper left, y down. Polygons have no
        /// holes: where an area has a hole, a cut connects its outline to the hole.
        public let polygons: [[CGPoint]]
    }

    /// The size of the picture in pt.
    public let size: CGSize
    /// The areas, topmost first. A tap hits the first area that contains the point.
    public let areas: [Area]

    /// The distance in pt by which the areas of lines are widened on each side. It equals the tolerance of taps.
    public static let lineTolerance = HitOptions().tolerance
}

extension HitMap {
    /// The problem with a URI for links; nil if the URI is valid. A URI may contain `{id}` and `{type}`, which stand for the id and the
    /// type of an object, but no other names in braces and no unpaired braces.
    public static func problem(ofLink link: String) -> String? {
        var rest = link[...]
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[start] == "{" else { return "a } has no matching {; use {id} and {type}" }
            guard let end = rest[start...].firstIndex(of: "}") else { return "a { has no matching }; use {id} and {type}" }
            let name = rest[start...end]
            if name != "{id}", name != "{type}" { return "\(name) is unknown; use {id} and {type}" }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }
}

extension Placement {
    /// The areas of the picture.
    /// - Parameter mapView: The map that was laid out. It must not have changed since then.
    package func hitMap(on mapView: MapView) -> HitMap {
        HitMap(
            size: CGSize(width: viewport.size.width, height: viewport.size.height),
            areas: areas(lineTolerance: HitMap.lineTolerance).compactMap { area in
                mapView.object(area.hit.target, in: self).map { object in
                    HitMap.Area(
                        object: object, part: area.hit.part, polygons: area.polygons.map { $0.map { CGPoint(x: $0.x, y: $0.y) } })
                }
            })
    }
}
