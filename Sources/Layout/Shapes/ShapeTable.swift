/// The shapes of a map by slot: a value whose copies share the shapes.
///
/// A dictionary of the shapes themselves would take 600 bytes for each, and as much again for the free places of its table.
struct ShapeTable: Sendable {
    private final class Box: Sendable {
        let shape: Shape

        init(_ shape: Shape) { self.shape = shape }
    }

    private var boxes: [Int32: Box] = [:]

    var slots: some Sequence<Int32> { boxes.keys }
    var shapes: some Sequence<Shape> { boxes.values.lazy.map(\.shape) }

    subscript(slot: Int32) -> Shape? { boxes[slot]?.shape }

    /// Stores a shape; returns whether it is new.
    mutating func update(_ shape: Shape, slot: Int32) -> Bool { boxes.updateValue(Box(shape), forKey: slot) == nil }

    /// Removes a shape; returns whether there was one.
    mutating func remove(slot: Int32) -> Bool { boxes.removeValue(forKey: slot) != nil }
}
