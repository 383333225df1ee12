import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// Where in a picture what can be picked: for image maps, whose areas are links, and for programs that look up a click without the scene.
public struct HitMap {
    /// The area of one part of an object that is drawn.
    public struct Area {
        public let object: ViewObject
        public let part: HitPart
        /// Polygons in pt from the picture's upper left, y down, that together are the area, cut at the picture's edges. They have no holes:
        /// one that would have is cut open to its hole.
        public let polygons: [[CGPoint]]
    }

    /// The size of the picture in pt.
    public let size: CGSize
    /// Topmost first: of those around a point, the first is what a tap there hits.
    public let areas: [Area]

    /// How much wider lines are on each side than they are drawn, in pt: as far as a tap may be beside them.
    public static let lineTolerance = HitOptions().tolerance
}

extension HitMap {
    /// What is wrong with the URI of links; nil when it has no names in braces but `{id}` and `{type}`, which stand for those of an object.
    public static func problem(ofLink link: String) -> String? {
        var rest = link[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = rest[start...end]
            if name != "{id}", name != "{type}" { return "\(name) stands for nothing; {id} and {type} stand for those of the object" }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }
}

extension Placement {
    /// The areas of the picture.
    /// - Parameter mapView: The map that was placed, as it was then.
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
