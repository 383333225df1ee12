import Synchronization

/// A tile source with a number that no other source of the process has, as used by frames and caches.
package struct TileSet: Sendable {
    /// Equal numbers mean the same source, and therefore equal tiles.
    package let number: UInt64
    /// The name in messages and printed frames.
    package let name: String
    package let info: TileSetInfo
    package let source: any TileSource

    /// - Parameter name: The name in messages; nil for the name that the set declares.
    package init(_ source: any TileSource, name: String? = nil) {
        info = source.info
        self.source = source
        self.name = name ?? info.name ?? "the tile source"
        number = SourceNumbers.number(of: source)
    }
}

/// The numbers of the process's tile sources. An object's address would not suffice, because another object may get the address after the
/// first is gone.
private enum SourceNumbers {
    private struct NumberedSource {
        weak var source: (any TileSource)?
        var number: UInt64
    }

    private static let known = Mutex<(sources: [ObjectIdentifier: NumberedSource], next: UInt64)>(([:], 1))

    static func number(of source: any TileSource) -> UInt64 {
        known.withLock { known in
            let id = ObjectIdentifier(source)
            if let found = known.sources[id], found.source === source { return found.number }
            known.sources = known.sources.filter { $0.value.source != nil }
            let number = known.next
            known.next += 1
            known.sources[id] = NumberedSource(source: source, number: number)
            return number
        }
    }
}
