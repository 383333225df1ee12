/// Names that are in use, and what a name that was made up becomes where it is: names that users gave never change.
package struct TakenNames {
    private var names: Set<String>
    /// Whether a name is in use elsewhere.
    private let isTaken: ((String) -> Bool)?

    package init(_ names: some Sequence<String>) {
        self.names = Set(names)
        isTaken = nil
    }

    /// - Parameter isTaken: Whether a name is in use: for very many names that something else has, and of which few are asked for.
    package init(_ isTaken: @escaping (String) -> Bool) {
        names = []
        self.isTaken = isTaken
    }

    /// Whether no name is in use.
    package var isEmpty: Bool { names.isEmpty && isTaken == nil }

    package func contains(_ name: String) -> Bool { names.contains(name) || isTaken?(name) == true }

    package mutating func insert(_ name: String) { names.insert(name) }

    /// The name itself, or the first of `name~2`, `name~3` … that is free.
    package func free(_ name: String) -> String {
        guard contains(name) else { return name }
        var number = 2
        while contains("\(name)~\(number)") { number += 1 }
        return "\(name)~\(number)"
    }

    /// Takes the name, or the first of its variations that is free, and returns it.
    package mutating func take(_ name: String) -> String {
        let free = free(name)
        names.insert(free)
        return free
    }

    /// A made-up name as it was before it stepped aside.
    package static func original(_ name: Substring) -> Substring {
        guard let mark = name.lastIndex(of: "~"), name[mark...].dropFirst().allSatisfy(\.isNumber) else { return name }
        return name[..<mark]
    }
}
