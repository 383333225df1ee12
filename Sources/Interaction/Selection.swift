import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// An object found at a point of the picture, and its part at that point.
public struct MapHit: Equatable {
    public let object: ViewObject
    public let part: HitPart
    /// Whether the object is drawn in the picture. An object with an alpha of 0 counts as drawn.
    public let isVisible: Bool
    /// For a marker, the number of the copy of the world that contains it. In copy 0, longitudes are in [-180, 180).
    let copy: Int
}

/// Options for finding objects at a point.
public struct HitOptions: Hashable, Sendable {
    /// The maximum distance in pt of an object from the point, valid in 0…100. Default 2.
    public var tolerance = 2.0
    /// Whether to also find objects that are not drawn (hidden, outside their zoom range, or hidden by a collision). These objects are
    /// found where their icon or shape would be. Default false.
    public var includesInvisible = false
    /// Whether to ignore the transparent pixels of icons. If true, the tolerance does not apply to icons. Default false.
    public var ignoresTransparentPixels = false

    public init(tolerance: Double = 2, includesInvisible: Bool = false, ignoresTransparentPixels: Bool = false) {
        (self.tolerance, self.includesInvisible) = (tolerance, includesInvisible)
        self.ignoresTransparentPixels = ignoresTransparentPixels
    }

    /// The valid tolerances in pt.
    public static let toleranceRange = 0.0...100.0
}

extension MapView {
    /// All objects at a point, topmost first. Objects that are not drawn (hidden, outside their zoom range, or hidden by a collision) are
    /// also found, where their icon or shape would be. View overlays are found only if they are selectable.
    /// - Parameter tolerance: The maximum distance in pt of an object from the point. Default 2.
    public func objects(at point: CGPoint, tolerance: Double = 2) -> [ViewObject] {
        hits(at: point, HitOptions(tolerance: tolerance, includesInvisible: true)).map(\.object)
    }

    /// The objects drawn at a point, topmost first, including those drawn with alpha 0.
    /// - Parameter tolerance: The maximum distance in pt of an object from the point. Default 2.
    public func visibleObjects(at point: CGPoint, tolerance: Double = 2) -> [ViewObject] {
        hits(at: point, HitOptions(tolerance: tolerance)).map(\.object)
    }

    /// The objects at a point, topmost first. Each object occurs once, with the topmost of its parts.
    ///
    /// The result is empty if the point is outside the picture, if the tolerance is out of range, or if the map cannot be laid out. A
    /// diagnostic of the next frame gives the reason.
    /// - Parameter point: The point in pt from the picture's upper left, y down.
    public func hits(at point: CGPoint, _ options: HitOptions = HitOptions()) -> [MapHit] {
        guard isInPicture(point, "pick"), isValid(options) else { return [] }
        return hits(
            PickRequest(
                point, tolerance: options.tolerance, includesInvisible: options.includesInvisible,
                ignoresTransparentPixels: options.ignoresTransparentPixels))
    }

    /// The objects that an event at a point of the picture hits, topmost first: all objects drawn there, including view overlays that are
    /// not selectable but have a handler for taps.
    func hits(ofEventAt point: CGPoint) -> [MapHit] {
        let tolerance = HitOptions().tolerance
        return hits(PickRequest(point, tolerance: tolerance, includesTapHandlers: true))
    }

    private func hits(_ request: PickRequest) -> [MapHit] {
        do throws(PlacementError) {
            let (hits, placement) = try Composer.of(self).hits(request, on: self)
            // A marker is also hit by its info window.
            var seen = Set<ObjectIdentifier>()
            let found = hits.compactMap { hit in
                object(hit.target, in: placement).map { MapHit(object: $0, part: hit.part, isVisible: hit.isVisible, copy: hit.copy) }
            }
            return found.filter { seen.insert(ObjectIdentifier($0.object)).inserted }
        } catch {
            let problem: String
            switch error {
            case .range(let error): problem = error.description
            case .fonts(let error): problem = error.description
            case .reentered: problem = PlacementError.reentrance
            }
            report(Diagnostic(path: "pick", message: problem))
            return []
        }
    }

    private func isValid(_ options: HitOptions) -> Bool {
        let (range, tolerance) = (HitOptions.toleranceRange, options.tolerance)
        guard let problem = range.problem(of: tolerance, text: plain(tolerance)) else { return true }
        report(Diagnostic(path: "tolerance", message: problem))
        return false
    }

    /// Whether a point is in the picture. If it is not, adds a diagnostic.
    func isInPicture(_ point: CGPoint, _ event: String) -> Bool {
        let (width, height) = (size.width, size.height)
        if point.x >= 0, point.y >= 0, point.x <= width, point.y <= height { return true }
        report(
            Diagnostic(
                path: event,
                message: "(\(plain(point.x)), \(plain(point.y))) is outside the picture of \(plain(width)) × \(plain(height)) pt"))
        return false
    }

    /// The object that was hit, looked up in a layout of the map's current state.
    func object(_ target: PlacedHit.Target, in placement: Placement) -> ViewObject? {
        switch target {
        case .overlay(let slot): store.slots[Int(slot)]
        case .cluster(let number): placement.cluster(number).flatMap(cluster)
        case .member(let layer, let number): (store.slots[Int(layer)] as? ClusterLayer)?.marker(numbered: number)
        case .symbol(let number): symbolObject(number)
        case .label(let number): labelObject(placement.label(number))
        case .viewOverlay(let number): viewOverlays[number]
        case .infoWindow: infoWindow.map { $0.marker ?? $0 }
        case .element(let index): placement.element(index).map { ElementObject($0.type, index: index, name: $0.name) }
        }
    }

    /// The object for a cluster of a picture; nil if the cluster's layer has been removed from the map since.
    fileprivate func cluster(_ shown: ShownCluster) -> Cluster? {
        guard store.slots.indices.contains(Int(shown.layer)), let layer = store.slots[Int(shown.layer)] as? ClusterLayer else { return nil }
        return Cluster(layer: layer, id: shown.id, count: shown.count, position: shown.position, contents: shown.contents)
    }
}

extension Placement {
    /// The objects for the clusters in the picture, from bottom to top.
    /// - Parameter mapView: The map that was laid out. Clusters of layers that have been removed since then are omitted.
    package func clusters(on mapView: MapView) -> [Cluster] { shownClusters().compactMap(mapView.cluster) }
}
