/// Anything that is shown on a map and can be picked there.
public class ViewObject {
    package init() {}
}

extension ViewObject: Equatable, Hashable {
    /// Objects are equal when they are the same object.
    public static func == (a: ViewObject, b: ViewObject) -> Bool { a === b }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
