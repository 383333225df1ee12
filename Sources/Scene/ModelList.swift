/// The models that use a mesh or a light. It keeps none of them alive, and those that use it no more stay in it until it has
/// doubled, so that adding takes the same time however many there are.
struct ModelList {
    private var entries: [Entry] = []
    private var limit = 16

    private struct Entry {
        weak var model: Model?
    }

    /// - Parameter isUser: Whether a model uses the thing that has this list.
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

    /// Goes through models that use it or did, in the order in which they came to; one may come twice.
    func forEach(_ body: (Model) -> Void) {
        for case let model? in entries.lazy.map(\.model) { body(model) }
    }
}
