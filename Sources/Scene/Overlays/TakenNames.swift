/// The names in use. A generated name that conflicts with one of them gets a suffix; names given by users never change.
package struct TakenNames {
    private var names: Set<String>
    /// Whether a name is in use elsewhere.
    private let isTaken: ((String) -> Bool)?

    package init(_ names: some Sequence<String>) {
        self.names = Set(names)
        isTaken = nil
    }

    /// - Parameter isTaken: Returns whether a name is in use elsewhere. This is for owners of very many names that look up only a few.
    package init(_ isTaken: @escaping (String) -> Bool) {
        names = []
        self.isTaken = isTaken
    }

    /// Whether no name is in use.
    package var isEmpty: Bool { names.isEmpty && isTaken == nil }

    package func contains(_ name: String) -> Bool { names.contains(name) || isTaken?(name) == true }

    package mutating func insert(_ name: String) { names.insert(name) }

    /// The name itself or, if it is in use, the first unused name among `name~2`, `name~3` …
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
