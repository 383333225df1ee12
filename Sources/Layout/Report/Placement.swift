import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// The positions of all overlays of a map in one picture, or the reasons why they are not in it.
///
/// It is a value: drawing, fitting and reporting read only from it, and it keeps describing the map as it was when it was placed. It
/// contains no rendered pixels.
package struct Placement: Sendable {
    package let viewport: Viewport
    /// What could not be drawn as requested.
    package let diagnostics: [Diagnostic]
    let overlays: OverlayTable
    let order: DrawingOrder
    private let containers: ContainerStates
    /// By family.
    let parts: [PlacedPart]
    /// The credits that the picture shows.
    private let attribution: String?
    /// The primitives to draw.
    package private(set) var frame: Frame
    /// The number that `PictureClock` gave it.
    package let picture: UInt64

    init(
        _ pass: consuming PlacingPass, _ containers: ContainerStates, _ parts: [PlacedPart], _ diagnostics: [Diagnostic],
        attribution: String?,
        picture: UInt64
    ) {
        self.picture = picture
        viewport = pass.viewport
        overlays = pass.overlays
        order = pass.order
        frame = pass.frame.frame
        self.containers = containers
        self.parts = parts
        self.diagnostics = diagnostics
        self.attribution = attribution
    }

    /// The same without the primitives, for picking.
    consuming func withoutFrame() -> Placement {
        _ = takeFrame()
        return self
    }

    /// The primitives to draw, which are empty afterwards: who changes them then has the only reference and copies nothing.
    package mutating func takeFrame() -> Frame {
        var taken = Frame(width: 0, height: 0)
        swap(&taken, &frame)
        return taken
    }

    /// The extent of what a fitted camera shows, whatever the camera; nil when there is nothing.
    /// - Throws: `PropertyError` for an id that no overlay has.
    package func extent(of subject: FitSubject = .overlays, withInfoWindow hasInfoWindow: Bool = false) throws(PropertyError) -> Extent? {
        let views = content(PlacedWindows.self)?.views.map(\.id) ?? []
        return try overlays.extent(of: subject, views: views, withInfoWindow: hasInfoWindow) { fitted in
            parts.compactMap { $0.content.extent(of: fitted) }
        }
    }

    /// The content of a family, by its type.
    func content<Content: PlacedContent>(_ type: Content.Type) -> Content? { parts.lazy.compactMap { $0.content as? Content }.first }
}

extension Placement {
    /// Describes every overlay and symbol of the map.
    package func inspection() -> Inspection {
        let listing = OverlayListing(overlays)
        var pass = DescribingPass(viewport: viewport, overlays: overlays, names: OverlayNames(overlays, of: listing.slots).names)
        for part in parts { pass.names.merge(part.content.guestNames(pass)) { $1 } }
        let guests = describedGuests(pass)
        var entries = guests.entries
        for (index, part) in parts.enumerated() {
            let slots = listing.slots.filter { overlays.types[Int($0)]?.family?.rawValue == index }
            for (slot, entry) in zip(slots, part.content.entries(of: slots, items: part.items, pass)) { entries[slot] = entry }
        }
        // Inner containers come after outer ones, so in reverse the children's entries exist already.
        for slot in listing.slots.reversed() where entries[slot] == nil {
            entries[slot] = entry(ofContainer: slot, (listing.children[slot] ?? []).compactMap { entries[$0] }, pass)
        }
        var inspection = Inspection(
            viewport: viewport, overlays: listing.slots.flatMap { [entries[$0]].compactMap(\.self) + (guests.followers[$0] ?? []) },
            clusters: guests.clusters, symbols: parts.flatMap { $0.content.symbolEntries(pass) }, diagnostics: diagnostics)
        inspection.attribution = attribution
        for part in parts {
            guard let windows = part.content as? PlacedWindows else { continue }
            inspection.viewOverlays = windows.viewOverlayEntries(part.items)
            inspection.infoWindow = windows.infoWindowEntry(part.items, name: windows.window.flatMap { name(of: $0, pass) })
        }
        return inspection
    }

    /// The name of the marker whose info window is open; nil for one at a coordinate, and for a marker without an id in a cluster layer that
    /// is hidden.
    private func name(of window: ReadWindow, _ pass: DescribingPass) -> String? {
        if let slot = window.slot { return pass.names[slot] }
        guard window.id == nil, let member = window.member else { return window.id }
        let shown = content(PlacedClusters.self)?.layers.first { $0.slot == member.layer }
        guard let layer = pass.names[member.layer], let place = shown?.snapshot.table.present.firstIndex(of: member.slot) else {
            return nil
        }
        return "\(layer)/marker-\(place)"
    }

    /// The clusters in the picture, from bottom to top.
    package func clusters() -> [ShownCluster] {
        guard let content = content(PlacedClusters.self), !content.layers.isEmpty else { return [] }
        let names = OverlayNames(overlays, of: content.layers.map(\.slot)).names
        let orders = describedEntries(DescribingPass(viewport: viewport, overlays: overlays, names: names)).compactMap { slot, entry in
            entry.order.map { (slot, $0) }
        }
        return orders.sorted { $0.1 < $1.1 }.compactMap { content.guest(slot: $0.0, names)?.cluster }
    }

    /// By slot: guests, as the point family describes them.
    private func describedEntries(_ pass: DescribingPass) -> [Int32: Inspection.OverlayEntry] {
        let slots = (overlays.count..<overlays.insertions.count).map { Int32($0) }
        let points = parts[OverlayFamilyID.points.rawValue]
        return Dictionary(uniqueKeysWithValues: zip(slots, points.content.entries(of: slots, items: points.items, pass)))
    }

    /// Describes the points of cluster layers.
    private func describedGuests(_ pass: DescribingPass) -> DescribedGuests {
        let entries = describedEntries(pass)
        return parts.reduce(into: DescribedGuests()) { guests, part in
            guests.add(part.content.describe(entries, pass))
        }
    }

    /// Describes a container, which is in the picture when one of its overlays is.
    private func entry(
        ofContainer slot: Int32, _ children: [Inspection.OverlayEntry], _ pass: DescribingPass
    ) -> Inspection.OverlayEntry {
        let isVisible = children.contains(where: \.isVisible)
        var entry = Inspection.OverlayEntry(
            id: pass.names[slot] ?? "", type: .container, isVisible: isVisible,
            reason: isVisible ? nil : containers.reason(slot: slot, contents: children.map(\.reason), zoom: viewport.camera.zoom),
            copies: children.map(\.copies).max() ?? 0)
        entry.members = children.map(\.id)
        return entry
    }
}
