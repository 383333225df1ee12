/// An object that is shown on a map and can be picked.
public class ViewObject {
    package init() {}
}

extension ViewObject: Equatable, Hashable {
    /// Objects are equal only when they are identical.
    public static func == (a: ViewObject, b: ViewObject) -> Bool { a === b }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
