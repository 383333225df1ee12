import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// The areas of a picture that can be picked: for image maps, whose areas are links, and for programs that look up a click without the
/// scene.
public struct HitMap {
    /// The area of one part of an object that is drawn.
    public struct Area {
        public let object: ViewObject
        public let part: HitPart
        /// Polygons in pt from the picture's upper left, y down, whose union is the area, clipped at the picture's edges. They have no
        /// holes: the outline is connected to each hole by a cut.
        public let polygons: [[CGPoint]]
    }

    /// The size of the picture in pt.
    public let size: CGSize
    /// Topmost first: a tap hits the first area that contains the point.
    public let areas: [Area]

    /// The distance in pt by which lines are widened on each side: the tolerance of a tap.
    public static let lineTolerance = HitOptions().tolerance
}

extension HitMap {
    /// The error in the URI of links; nil if its only names in braces are `{id}` and `{type}`, which stand for the id and type of an
    /// object.
    public static func problem(ofLink link: String) -> String? {
        var rest = link[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = rest[start...end]
            if name != "{id}", name != "{type}" { return "\(name) is unknown; use {id} and {type}" }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }
}

extension Placement {
    /// The areas of the picture.
    /// - Parameter mapView: The map that was placed, in its state at that time.
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
