import WaymarkGeo
import WaymarkScene

/// The overlays, among the visible ones, that a fitted camera shows.
struct FittedOverlays: Sendable {
    let overlays: OverlayTable
    /// The chosen slots; nil for all fitted overlays.
    var chosen: Set<Int32>?
    /// The chosen ids of view overlays.
    var chosenViews: Set<String> = []
    /// Whether the info window counts.
    let hasInfoWindow: Bool

    /// Whether no overlay is left out.
    var isEverything: Bool { chosen == nil && overlays.unfitted.isEmpty }

    /// Whether a view overlay counts.
    func contains(_ view: ReadView) -> Bool { chosen == nil ? view.isFitted : view.id.map(chosenViews.contains) ?? false }

    /// Whether an overlay counts. This is decided by the innermost of the overlay and its containers that is chosen or left out.
    func contains(_ slot: Int32) -> Bool {
        if isEverything { return true }
        var next: Int32? = slot
        while let current = next {
            if chosen?.contains(current) == true { return true }
            if overlays.unfitted.contains(current) { return false }
            next = overlays.parent(current)
        }
        return chosen == nil
    }
}

extension OverlayTable {
    /// The slots of the overlays with these ids.
    /// - Parameters:
    ///   - others: Ids of view overlays.
    ///   - insertions: Indexed by slot.
    /// - Throws: `PropertyError` for an id that no overlay has.
    func slots(ofIDs ids: [String], without others: Set<String>, _ insertions: [UInt32]) throws(PropertyError) -> Set<Int32> {
        var missing = Set(ids).subtracting(others)
        if missing.isEmpty { return [] }
        var slots: Set<Int32> = []
        for slot in types.indices where types[slot] != nil {
            guard let id = givenID(Int32(slot)), missing.remove(id) != nil else { continue }
            slots.insert(Int32(slot))
            if missing.isEmpty { return slots }
        }
        for (slot, name) in OverlayNames(self, insertions, of: present(insertions)).names where missing.remove(name) != nil {
            slots.insert(slot)
        }
        for (index, id) in ids.enumerated() where missing.contains(id) {
            let hint = types.contains(.clusterLayer) ? "; a marker of a cluster layer cannot be fitted by itself" : ""
            throw PropertyError(path: "camera.fit[\(index)]", problem: "no overlay has the id \"\(id)\"\(hint)")
        }
        return slots
    }
}

extension PointExtent {
    /// Creates the extent of coordinates; returns nil if the subject consists of overlays, or has no coordinates.
    init?(_ subject: FitSubject) {
        let positions: [LatLng]
        switch subject {
        case .overlays, .ids: return nil
        case .points(let points): positions = points
        case .bounds(let bounds):
            positions = [bounds.south, bounds.north].map { LatLng(lat: $0, lng: bounds.west) }
        }
        let points = positions.map { position in
            let lat = min(max(position.lat, -WebMercator.maxLatitude), WebMercator.maxLatitude)
            let place = WorldPoint(x: WebMercator.x(lng: position.lng), y: WebMercator.uncheckedY(lat: lat))
            let height = position.altitude * WebMercator.pointsPerMeter(lat: lat, worldSize: 1)
            return PointExtent.Point(place: place, height: height, style: .position)
        }
        guard case .bounds(let bounds) = subject else {
            self.init(points, CaptionColumns())
            return
        }
        let eastern = points.map { point in
            var point = point
            point.place.x += bounds.width / 360
            return point
        }
        self.init(corners: points + eastern)
    }
}
