/// Anything that stands on a map and can be met there: overlays, and later clusters and what the base map shows.
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
