/// The models that use a mesh or a light, held weakly. Models that no longer use it are removed only when the list has doubled in
/// length, so that adding takes constant amortized time.
struct ModelList {
    private var entries: [Entry] = []
    private var limit = 16

    private struct Entry {
        weak var model: Model?
    }

    /// - Parameter isUser: Whether a model still uses the owner of this list.
    mutating func add(_ model: Model, isUser: (Model) -> Bool) {
        if entries.count == limit {
            var known: Set<ObjectIdentifier> = []
            entries.removeAll { entry in
                guard let model = entry.model, isUser(model) else { return true }
                return !known.insert(ObjectIdentifier(model)).inserted
            }
            limit = max(16, 2 * entries.count)
        }
        entries.append(Entry(model: model))
    }

    /// Visits the models that use it or did, in the order in which they were added; a model may be visited twice.
    func forEach(_ body: (Model) -> Void) {
        for case let model? in entries.lazy.map(\.model) { body(model) }
    }
}
