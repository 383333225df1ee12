import Foundation
import Waymark
import WaymarkImaging

/// Content that a comparison of pictures ignores.
public enum IgnoredContent: Hashable, Sendable {
    /// The pixels on which an object is drawn, and the differences of that object. The object is an overlay, a cluster, a symbol, a view
    /// overlay or a map element; the value is its id, as `inspect` prints it. The id of a container or a cluster layer stands for its
    /// contents. The id of a marker includes its info window.
    case overlay(String)
    /// The pixels on which any object of a type is drawn, and the differences of these objects. The type is an overlay type, `cluster`,
    /// `symbol`, `viewOverlay`, `infoWindow`, or the type of a map element, such as `legend`. The types `container` and `clusterLayer`
    /// stand for the contents of all containers and of all cluster layers.
    case type(String)
    /// A rectangle in device pixels. A part of the rectangle outside the picture has no effect.
    case rectangle(PixelRect)
}

extension IgnoredContent {
    /// The types that can be ignored.
    static let types =
        OverlayType.allCases.map(\.rawValue) + ["cluster", "symbol", "viewOverlay", "infoWindow"] + ElementType.allCases.map(\.rawValue)

    /// The reason why this value is invalid; nil if it is valid.
    package var problem: String? {
        switch self {
        case .overlay(let id): id.isEmpty ? "an id must not be empty" : nil
        case .type(let type):
            Self.types.contains(type)
                ? nil : "\(type.quotedBriefly) is not a type; the types are \(Self.types.joined(separator: ", "))"
        case .rectangle(let rectangle):
            rectangle.x >= 0 && rectangle.y >= 0 && rectangle.width > 0 && rectangle.height > 0
                ? nil : "x and y must be at least 0, and the width and the height at least 1"
        }
    }
}

/// The objects that a comparison ignores, in two placements.
struct IgnoredItems {
    private var ids: Set<String> = []
    private var types: Set<String> = []
    /// The requested ids that name something in one of the placements.
    private(set) var foundIDs: Set<String> = []

    init(_ ignored: [IgnoredContent], in inspections: [Inspection]) {
        for content in ignored {
            switch content {
            case .overlay(let id): ids.insert(id)
            case .type(let type): types.insert(type)
            case .rectangle: break
            }
        }
        guard !isEmpty else { return }
        let requested = ids
        for inspection in inspections {
            // A container comes before its contents.
            for overlay in inspection.overlays {
                if requested.contains(overlay.id) { foundIDs.insert(overlay.id) }
                guard let members = overlay.members, contains(type: overlay.type.rawValue, id: overlay.id) else { continue }
                ids.formUnion(members)
            }
            for cluster in inspection.clusters where ids.contains(cluster.layer) || types.contains(OverlayType.clusterLayer.rawValue) {
                ids.insert(cluster.id)
            }
            let names =
                inspection.clusters.map(\.id) + inspection.symbols.map(\.id) + inspection.viewOverlays.compactMap(\.id)
                + inspection.elements.map(\.id)
            foundIDs.formUnion(requested.intersection(names))
        }
    }

    /// Whether nothing is ignored.
    var isEmpty: Bool { ids.isEmpty && types.isEmpty }

    func contains(_ key: PlacedItem.Key) -> Bool { contains(type: key.type, id: key.id) }

    private func contains(type: String, id: String) -> Bool { types.contains(type) || ids.contains(id) }
}

extension ComparedPicture {
    /// The drawn parts of the ignored objects: the areas of the hit map, or the parts in the inspection if the picture has no hit map or
    /// the hit map lacks the object.
    func parts(of ignored: IgnoredItems) -> [PlacedItem.Part] {
        guard let inspection, !ignored.isEmpty else { return [] }
        return PlacedItem.items(of: inspection).filter { $0.isVisible && ignored.contains($0.key) }.flatMap { item in
            areas[item.key] ?? item.parts.filter(\.isVisible)
        }
    }
}

extension PlacedItem {
    /// The areas of a hit map, by object. Areas of objects without an id are left out.
    static func areas(of hitMap: HitMap) -> [Key: [Part]] {
        var areas: [Key: [Part]] = [:]
        for area in hitMap.areas {
            var (id, type) = area.object.programName
            guard let id else { continue }
            // The area of a marker's window belongs to the marker, but the inspection lists the window as an object.
            if area.part == .infoWindow { type = Key.infoWindowType }
            let (name, margin) = part(area.part)
            // The polygons of an area may overlap.
            areas[Key(type: type, id: id), default: []] += area.polygons.map { polygon in
                Part(
                    name: name, isVisible: true, paths: [polygon.map { Inspection.Point(x: Double($0.x), y: Double($0.y)) }],
                    margin: margin)
            }
        }
        return areas
    }
}

extension ComparisonReport {
    /// The pixels that are not compared; nil if all are.
    func leftOut(_ expected: ComparedPicture, _ actual: ComparedPicture, _ items: IgnoredItems) -> PixelMask? {
        let (old, new) = (expected.bitmap, actual.bitmap)
        guard !ignored.isEmpty, old.width == new.width, old.height == new.height else { return nil }
        var mask = PixelMask(width: new.width, height: new.height)
        for case .rectangle(let rectangle) in ignored { mask.insert(rectangle) }
        for picture in [expected, actual] {
            guard let ratio = picture.inspection?.viewport.pixelRatio else { continue }
            for part in picture.parts(of: items) { mask.insert(part, pixelRatio: ratio) }
        }
        return mask.count > 0 ? mask : nil
    }
}
