import WaymarkScene

/// The ids that a reader generates for overlays and symbols without one: the type and the index in the list, the index of a feature, or the
/// id of a feature and the index of its part.
///
/// Generated ids differ from one another, but may equal an id that the scene gives, possibly later in the file. They are therefore
/// generated without checking, and conflicts are resolved after everything is read.
struct MadeUpIDs {
    /// The indices of the symbols with generated ids; overlays record this themselves.
    var symbols: [Int] = []
    /// Whether some generated ids are derived from ids given in the scene, and may therefore equal other generated ids.
    var hasPartsOfGiven = false

    /// Gives the generated ids of a map a suffix if they conflict with given ids, symbols first, then overlays in the order of the
    /// document.
    /// - Parameter features: The points of cluster layers' files, whose features may give ids.
    func settle(_ mapView: MapView, given: some Collection<String>, features: [FeaturePoints] = []) {
        var list = mapView.symbols
        var ofFeatures: [String] = []
        if !features.isEmpty {
            let ids = symbols.map { list[$0].id } + mapView.store.slots.lazy.compactMap { $0 }.filter(\.hasMadeUpID).map(\.id)
            ofFeatures = Self.taken(ids + mapView.viewOverlays.filter(\.hasMadeUpID).map(\.id), by: features)
        }
        guard var taken = taken(given, ofFeatures) else { return }
        var isChanged = false
        for index in symbols {
            guard let id = list[index].id, let name = settled(id, &taken) else { continue }
            list[index].id = name
            isChanged = true
        }
        if isChanged { mapView.symbols = list }
        // On a map that was just read, slots are in the order of the document, containers before their contents.
        settle(mapView.store.slots.lazy.compactMap { $0 }, &taken)
        settle(mapView.viewOverlays, &taken)
    }

    private func settle(_ overlays: [ViewOverlay], _ taken: inout TakenNames) {
        for overlay in overlays where overlay.hasMadeUpID {
            if let id = overlay.id, let name = settled(id, &taken) { overlay.setMadeUpID(name) }
        }
    }

    /// Does the same for the contents of a container that is not on a map.
    func settle(_ container: Container, isGiven: @escaping (String) -> Bool) {
        var taken = TakenNames(isGiven)
        settle(container.descendants, &taken)
    }

    /// Does the same for overlays that are added to a map.
    func settle(_ list: OverlayList, isGiven: @escaping (String) -> Bool) {
        var taken = TakenNames(isGiven)
        settle(list.overlays.flatMap { [$0] + $0.descendants }, &taken)
        settle(list.viewOverlays, &taken)
    }

    private func settle(_ overlays: some Sequence<Overlay>, _ taken: inout TakenNames) {
        for overlay in overlays {
            if overlay.hasMadeUpID, let id = overlay.id, let name = settled(id, &taken) {
                overlay.setMadeUpID(name)
                for inner in Self.contents(of: overlay) where inner.hasMadeUpID {
                    if let own = inner.id, own.hasPrefix(id + "/") { inner.setMadeUpID(name + own.dropFirst(id.count)) }
                }
            }
            // The markers of a layer are not in a list of overlays.
            if let layer = overlay as? ClusterLayer {
                settle(Self.contents(of: layer), &taken)
                layer.members.forgetIDs()
            }
        }
    }

    /// The objects whose names are derived from an overlay's name.
    private static func contents(of overlay: Overlay) -> [Overlay] {
        if let layer = overlay as? ClusterLayer { return layer.members.slots.compactMap(\.self) }
        return overlay.descendants
    }

    /// The given ids that may equal generated ids, because they end in a digit; nil if there are none.
    private func taken(_ given: some Collection<String>, _ ofFeatures: [String] = []) -> TakenNames? {
        let taken = TakenNames(given.filter { $0.utf8.last.map { (0x30...0x39).contains($0) } ?? false } + ofFeatures)
        return taken.isEmpty && !hasPartsOfGiven ? nil : taken
    }

    /// Those of the generated ids, and of their variations, that features give.
    private static func taken(_ ids: [String?], by features: [FeaturePoints]) -> [String] {
        func isGiven(_ id: String) -> Bool { features.contains { $0.point(ofFeatureID: id) != nil } }
        return ids.compactMap(\.self).filter(isGiven).flatMap { id in
            [id] + (2...).lazy.map { "\(id)~\($0)" }.prefix(while: isGiven)
        }
    }

    /// The new name for a conflicting generated id; nil if it does not change.
    private func settled(_ id: String, _ taken: inout TakenNames) -> String? {
        let name = taken.free(id)
        // Only ids derived from given ids can equal other generated ids; otherwise, a set of a million names is not needed.
        if hasPartsOfGiven || name != id { taken.insert(name) }
        return name == id ? nil : name
    }
}
