/// Names in use, and the variations of generated names that conflict with them: names given by users never change.
package struct TakenNames {
    private var names: Set<String>
    /// Whether a name is in use elsewhere.
    private let isTaken: ((String) -> Bool)?

    package init(_ names: some Sequence<String>) {
        self.names = Set(names)
        isTaken = nil
    }

    /// - Parameter isTaken: Whether a name is in use elsewhere, for owners with very many names of which few are looked up.
    package init(_ isTaken: @escaping (String) -> Bool) {
        names = []
        self.isTaken = isTaken
    }

    /// Whether no name is in use.
    package var isEmpty: Bool { names.isEmpty && isTaken == nil }

    package func contains(_ name: String) -> Bool { names.contains(name) || isTaken?(name) == true }

    package mutating func insert(_ name: String) { names.insert(name) }

    /// The name itself, or the first unused one of `name~2`, `name~3` …
    package func free(_ name: String) -> String {
        guard contains(name) else { return name }
        var number = 2
        while contains("\(name)~\(number)") { number += 1 }
        return "\(name)~\(number)"
    }

    /// Reserves the name, or its first unused variation, and returns it.
    package mutating func take(_ name: String) -> String {
        let free = free(name)
        names.insert(free)
        return free
    }
}
