import WaymarkScene

/// The scales of the overlays that a change of a scene removes or replaces.
struct ChangedScales {
    /// The ids of the overlays that are removed or replaced, whose scales no longer apply.
    private var removedIDs: Set<String> = []
    /// The scales of replacements, with the ids of the overlays that they replace, in the order of the change.
    private var replacements: [(id: String, scales: [MapScale])] = []

    var isEmpty: Bool { removedIDs.isEmpty }

    /// Records that the overlays with the given ids are removed or replaced.
    mutating func remove(scalesOf ids: [String]) {
        removedIDs.formUnion(ids)
        for index in replacements.indices { replacements[index].scales.removeAll { scale in ids.contains { scale.isOf($0) } } }
    }

    /// Takes the scales of the overlay that replaces the overlay with the given id.
    mutating func take(_ scales: inout [MapScale], of id: String) {
        if !scales.isEmpty { replacements.append((id, scales)) }
        scales = []
    }

    /// The scales of a document with its overlays removed or replaced, in the order of the overlays.
    func applied(to scales: [MapScale], of document: JSONDocument) -> [MapScale] {
        var result = scales.filter { scale in !removedIDs.contains { scale.isOf($0) } }
        let replacements = replacements.filter { !$0.scales.isEmpty }
        guard !replacements.isEmpty else { return result }
        let order = Self.order(of: document)
        for (id, scales) in replacements {
            // An unknown overlay is in a container that the change has replaced.
            let place = order[id].flatMap { place in result.firstIndex { (order[$0.overlay] ?? -1) > place } } ?? result.endIndex
            result.insert(contentsOf: scales, at: place)
        }
        return result
    }

    /// The position of each overlay of a scene by its name, depth first.
    private static func order(of document: JSONDocument) -> [String: Int] {
        var order: [String: Int] = [:]
        func add(_ list: JSONValue?, _ prefix: String) {
            guard let elements = list?.elements else { return }
            for (index, value) in elements.enumerated() {
                let name = value["id"]?.string ?? "\(prefix)\(value["type"]?.string ?? "")-\(index)"
                order[name] = order.count
                add(value["children"], "\(name)/")
            }
        }
        add(document.root["overlays"], "")
        return order
    }
}

extension MapScale {
    /// Whether the scale applies to the overlay with the given id, or to features of a file in that container.
    fileprivate func isOf(_ id: String) -> Bool { overlay == id || overlay.hasPrefix("\(id)/\(SceneReader.featureSourceType)-") }
}
