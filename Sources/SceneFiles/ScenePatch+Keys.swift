import WaymarkScene

extension ScenePatch {
    /// Throws for the first key that no scene has or, in an overlay, that its type does not have. The type of a changed overlay depends on
    /// the scene, so the overlay may have the keys of all types. Values are checked when the change is applied.
    /// - Parameter root: The value from which the patch was made.
    func checkKeys(of root: JSONValue) throws(SceneFileError) {
        try root.checkKeys([SceneProperties.table.list], besides: ["change", "add", "remove"])
        let ofOverlays = OverlayType.allCases.map(\.properties) + [ViewOverlayProperties.table.list]
        for (_, patch) in changes { try patch.checkKeys(ofOverlays) }
        guard let additions else { return }
        for addition in try additions.readArray() {
            if addition.kind == .object, addition["type"]?.string == ViewOverlayProperties.type {
                try addition.checkKeys([ViewOverlayProperties.table.list])
            } else {
                try addition.checkKeys([SceneReader.readType(addition)?.properties ?? FeatureSourceProperties.table.list])
            }
        }
    }
}

extension JSONValue {
    /// Throws for the first key of an object that is in none of the given lists.
    fileprivate func checkKeys(_ lists: [PropertyList], besides others: Set<String> = []) throws(SceneFileError) {
        for (key, _) in try readMembers() where !others.contains(key) {
            let properties = lists.flatMap(\.properties)
            guard !properties.contains(where: { $0.name == key }) else { continue }
            let names = properties.filter { if case .refused = $0.type { false } else { true } }.map(\.name)
            let synonyms = lists.reduce(into: [:]) { $0.merge($1.synonyms) { first, _ in first } }
            throw error("unknown key \(key.quotedBriefly)\(hint(for: key, synonyms, among: names))")
        }
    }
}
