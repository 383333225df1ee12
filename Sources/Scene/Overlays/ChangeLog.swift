/// The changed properties of an overlay, in groups that are read together.
// Inlinable, because other modules test changes for every marker that they read. Without specialization, each test would be a call through
// the protocol, and each literal an array.
@frozen
@usableFromInline
package struct ChangedProperties: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The overlay was added or removed, or the slot was reused.
    @inlinable package static var membership: ChangedProperties { ChangedProperties(rawValue: 1) }
    @inlinable package static var position: ChangedProperties { ChangedProperties(rawValue: 2) }
    @inlinable package static var icon: ChangedProperties { ChangedProperties(rawValue: 4) }
    /// Size, anchor, angle, alpha or flags, which determine the quad.
    @inlinable package static var style: ChangedProperties { ChangedProperties(rawValue: 8) }
    @inlinable package static var order: ChangedProperties { ChangedProperties(rawValue: 16) }
    @inlinable package static var visibility: ChangedProperties { ChangedProperties(rawValue: 32) }
    /// The id, or whether the overlay is fitted. The code for the overlay's family reads neither of them.
    @inlinable package static var identity: ChangedProperties { ChangedProperties(rawValue: 64) }
    /// Texts and their style.
    @inlinable package static var caption: ChangedProperties { ChangedProperties(rawValue: 128) }
    /// The points of a shape, the properties that determine its course on the ground, or a mesh. This data stays cached while only the
    /// appearance changes.
    @inlinable package static var geometry: ChangedProperties { ChangedProperties(rawValue: 256) }
    /// The user's data, which cluster layers aggregate.
    @inlinable package static var data: ChangedProperties { ChangedProperties(rawValue: 512) }
}

/// The changes on a map or in a cluster layer since the layout last read them. The slot of each changed overlay occurs once, with all its
/// changes. The cost of a frame therefore depends on the number of changes, not on the number of overlays.
package final class ChangeLog {
    // Unchecked: no code that runs while these are being modified calls back into the log, and setters run millions of times.
    /// The changes, indexed by slot.
    @exclusivity(unchecked) private var properties: [ChangedProperties] = []
    /// The changed slots, in the order of their first changes.
    @exclusivity(unchecked) private var slots: [Int32] = []
    private var areSymbolsChanged = false

    /// Whether no overlay has changed since the last `drain`, and no symbol since the last `takeSymbolChange`.
    package var isEmpty: Bool { slots.isEmpty && !areSymbolsChanged }

    /// The number of overlays that have changed since the last `drain`.
    package var count: Int { slots.count }

    package func note(_ slot: Int32, _ change: ChangedProperties) {
        guard !change.isEmpty else { return }
        let index = Int(slot)
        if properties[index].isEmpty { slots.append(slot) }
        properties[index].formUnion(change)
    }

    func noteSymbols() {
        areSymbolsChanged = true
    }

    /// Returns whether the base map's symbols have changed since the last call.
    package func takeSymbolChange() -> Bool {
        defer { areSymbolsChanged = false }
        return areSymbolsChanged
    }

    /// Calls `body` for every changed slot with its changes, in the order of the slots' first changes, and clears them.
    package func drain(_ body: (Int32, ChangedProperties) -> Void) {
        guard !slots.isEmpty else { return }
        let drained = slots
        slots.removeAll(keepingCapacity: drained.count < 4096)
        for slot in drained {
            let change = properties[Int(slot)]
            properties[Int(slot)] = []
            body(slot, change)
        }
    }

    /// Makes room for one more slot.
    func addSlot() { properties.append([]) }

    /// Reserves capacity for the changes of overlays about to be added.
    func reserve(_ additional: Int) {
        properties.reserveCapacity(properties.count + additional)
        slots.reserveCapacity(slots.count + additional)
    }
}
