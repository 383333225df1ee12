import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// Where every overlay of a map stands in one picture, or why it does not.
///
/// It is a value: what is drawn, fitted and reported is read from it and from nothing else, and one that was made before an edit of the
/// map describes the map before. It knows no pixels.
public struct Placement: Sendable {
    public let viewport: Viewport
    /// What this picture could not do as asked.
    public let diagnostics: [Diagnostic]
    private let overlays: OverlayTable
    private let containers: ContainerStates
    /// By family.
    private let parts: [PlacedPart]
    private let placedFrame: Frame

    init(_ pass: consuming PlacingPass, _ containers: ContainerStates, _ parts: [PlacedPart], _ diagnostics: [Diagnostic]) {
        viewport = pass.viewport
        overlays = pass.overlays
        placedFrame = pass.frame.frame
        self.containers = containers
        self.parts = parts
        self.diagnostics = diagnostics
    }

    /// What is to be drawn.
    package func frame() -> Frame { placedFrame }

    /// Everything visible whatever the camera, as `fit` needs it; nil when there is nothing.
    package var extent: Extent? { Extent(parts.compactMap(\.content.extent)) }

    /// What the family of a kind of content put into the picture.
    func content<Content: PlacedContent>(_ type: Content.Type) -> Content? { parts.lazy.compactMap { $0.content as? Content }.first }
}

extension Placement {
    /// Describes every overlay and symbol of the map.
    package func inspection() -> Inspection {
        let listing = OverlayListing(overlays)
        var names = OverlayNames(overlays)
        let pass = DescribingPass(
            viewport: viewport, overlays: overlays,
            names: Dictionary(uniqueKeysWithValues: listing.slots.map { ($0, names.name(of: $0)) }))
        var entries: [Int32: Inspection.OverlayEntry] = [:]
        for (index, part) in parts.enumerated() {
            let slots = listing.slots.filter { overlays.types[Int($0)]?.family?.rawValue == index }
            for (slot, entry) in zip(slots, part.content.entries(of: slots, items: part.items, pass)) { entries[slot] = entry }
        }
        // Inner containers stand after outer ones.
        for slot in listing.slots.reversed() where entries[slot] == nil {
            entries[slot] = entry(ofContainer: slot, (listing.children[slot] ?? []).compactMap { entries[$0] }, pass)
        }
        return Inspection(
            viewport: viewport, overlays: listing.slots.compactMap { entries[$0] },
            symbols: parts.flatMap { $0.content.symbolEntries(pass) }, diagnostics: diagnostics)
    }

    /// A container is in the picture when something in it is.
    private func entry(
        ofContainer slot: Int32, _ children: [Inspection.OverlayEntry], _ pass: DescribingPass
    ) -> Inspection.OverlayEntry {
        let isVisible = children.contains(where: \.isVisible)
        var entry = Inspection.OverlayEntry(
            id: pass.names[slot] ?? "", type: .container, isVisible: isVisible,
            reason: isVisible ? nil : containers.reason(slot: slot, zoom: viewport.camera.zoom),
            copies: children.map(\.copies).max() ?? 0)
        entry.members = children.map(\.id)
        return entry
    }
}
