/// Names that are in use, and what a name that was made up becomes where it is: names that users gave never change.
package struct TakenNames {
    private var names: Set<String>

    package init(_ names: some Sequence<String>) {
        self.names = Set(names)
    }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    package mutating func insert(_ name: String) { names.insert(name) }

    /// The name itself, or the first of `name~2`, `name~3` … that is free.
    package func free(_ name: String) -> String {
        guard names.contains(name) else { return name }
        var number = 2
        while names.contains("\(name)~\(number)") { number += 1 }
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
