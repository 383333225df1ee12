import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// The positions of all overlays of a map in one picture, or the reasons why they are not in it.
///
/// Drawing, fitting and reporting read only from this value, which keeps describing the map at the time of its placement. It contains no
/// rendered pixels.
package struct Placement: Sendable {
    package let viewport: Viewport
    /// Diagnostics for everything that could not be drawn as requested.
    package let diagnostics: [Diagnostic]
    /// The advice about icons whose automatic side distorts the image, for an inspection.
    let distortions: [ImageCatalog.ShownRaster: Diagnostic]
    let overlays: OverlayTable
    let order: DrawingOrder
    let points: PlacedPoints
    let labels: PlacedLabels
    let shapes: PlacedShapes
    let models: PlacedModels
    let clusters: PlacedClusters
    let windows: PlacedWindows
    let ground: PlacedGround
    let elements: PlacedElements
    /// The images of icons, for picking.
    let rasters: [FrameImage]
    /// The credits that the picture shows.
    let attribution: String?
    /// The primitives to draw.
    package var frame: Frame
    /// The picture's number from `PictureClock`.
    package let picture: UInt64
    /// The time that the layout has waited for tiles in vain.
    package let waited: Duration

    /// A copy without the primitives, for picking and describing.
    package consuming func withoutFrame() -> Placement {
        _ = frame.take()
        return self
    }
}

/// The input of families while they describe overlays.
struct DescribingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    /// Names by slot, and by the numbers of the points that cluster layers show.
    var names: [Int32: String]
}

extension Placement {
    /// Describes every overlay and symbol of the map.
    /// - Parameter listsBaseMapSymbols: Whether the labels of the base map in the picture are among the symbols.
    package func inspection(listsBaseMapSymbols: Bool = false) -> Inspection {
        var overlays: [Inspection.OverlayEntry] = []
        var inspection = describe(listsBaseMapSymbols: listsBaseMapSymbols) { overlays += $0 }
        inspection.overlays = overlays
        return inspection
    }

    /// Diagnostics for everything that could not be drawn as requested, and advice.
    package var inspectionDiagnostics: [Diagnostic] { diagnostics + points.advice(distortions) + elements.advice }

    /// The maximum number of parts in which overlays are described. It is small, because each family repeats some work for every part.
    private static let mostParts = 32
    private static let fewestInPart = 4096

    /// Describes every overlay and symbol of the map.
    /// - Parameter overlays: Receives the overlays in parts, so that not all descriptions are in memory at once. Together, the parts are
    ///   `Inspection.overlays`.
    /// - Returns: The inspection without the overlays.
    package func describe<Problem>(
        listsBaseMapSymbols: Bool, overlays body: ([Inspection.OverlayEntry]) throws(Problem) -> Void
    ) throws(Problem) -> Inspection {
        let listing = OverlayListing(overlays, order.insertions)
        var pass = DescribingPass(
            viewport: viewport, overlays: overlays, names: OverlayNames(overlays, order.insertions, of: listing.slots).names)
        pass.names.merge(clusters.names(pass)) { $1 }
        let nearest = points.nearestCopies()
        let layers = clusters.describe(points.entries(of: clusters.numbers, nearest, pass), pass)
        let length = max(Self.fewestInPart, (listing.slots.count + Self.mostParts - 1) / Self.mostParts)
        var first = 0
        while first < listing.slots.count {
            var end = min(first + length, listing.slots.count)
            // A container is described together with its contents.
            while end < listing.slots.count, overlays.parent(listing.slots[end]) != nil { end += 1 }
            try body(entries(of: listing.slots[first..<end], listing, layers, nearest, pass))
            first = end
        }
        var inspection = Inspection(
            viewport: viewport, overlays: [], clusters: layers.clusters,
            symbols: points.symbolEntries(pass) + (listsBaseMapSymbols ? labels.entries(points, pass) : []),
            diagnostics: inspectionDiagnostics)
        inspection.attribution = attribution
        inspection.elements = elements.entries(viewport)
        inspection.viewOverlays = windows.viewOverlayEntries()
        inspection.infoWindow = windows.infoWindowEntry(name: windows.window.flatMap { name(of: $0, pass) })
        return inspection
    }

    /// Describes the overlays in a part of the listing, which contains the contents of each of its containers.
    private func entries(
        of slots: ArraySlice<Int32>, _ listing: OverlayListing, _ layers: PlacedClusters.Description,
        _ nearest: [Int32: PlacedPoints.NearestCopy], _ pass: DescribingPass
    ) -> [Inspection.OverlayEntry] {
        var entries = layers.layers
        for family in OverlayType.Family.allCases {
            let own = slots.filter { overlays.types[Int($0)]?.family == family }
            guard !own.isEmpty else { continue }
            let described: [Inspection.OverlayEntry] =
                switch family {
                case .point: points.entries(of: own, nearest, pass)
                case .shape: shapes.entries(of: own, pass)
                case .model: models.entries(of: own, pass)
                case .ground: ground.entries(of: own, pass)
                // Cluster layers are described together with their points, and containers by their contents.
                case .clusters, .container: []
                }
            for (slot, entry) in zip(own, described) { entries[slot] = entry }
        }
        // Inner containers come after outer ones. In reverse order, the children's entries therefore already exist.
        for slot in slots.reversed() where entries[slot] == nil {
            entries[slot] = entry(ofContainer: slot, (listing.children[slot] ?? []).compactMap { entries[$0] }, pass)
        }
        return slots.flatMap { [entries[$0]].compactMap(\.self) + (layers.followers[$0] ?? []) }
    }

    /// The name of the marker whose info window is open. Nil for a window at a coordinate, and for a marker without an id in a hidden
    /// cluster layer.
    private func name(of window: ReadWindow, _ pass: DescribingPass) -> String? {
        if let slot = window.slot { return pass.names[slot] }
        guard window.id == nil, let member = window.member else { return window.id }
        let shown = clusters.layers.first { $0.slot == member.layer }
        guard let layer = pass.names[member.layer], let place = shown?.markers.places[member.slot] else { return nil }
        return "\(layer)/marker-\(place)"
    }

    /// The clusters in the picture, from bottom to top.
    package func shownClusters() -> [ShownCluster] {
        guard !clusters.layers.isEmpty else { return [] }
        let names = layerNames
        let entries = points.entries(
            of: clusters.numbers, points.nearestCopies(), DescribingPass(viewport: viewport, overlays: overlays, names: names))
        let orders = zip(clusters.numbers, entries).compactMap { number, entry in entry.order.map { (number, $0) } }
        return orders.sorted { $0.1 < $1.1 }.compactMap { clusters.cluster($0.0, names) }
    }

    /// The cluster that was hit.
    /// - Parameter number: The number in the hit's target.
    package func cluster(_ number: Int32) -> ShownCluster? { clusters.cluster(number, layerNames) }

    /// The names of the layers, keyed by slot.
    private var layerNames: [Int32: String] { OverlayNames(overlays, order.insertions, of: clusters.layers.map(\.slot)).names }

    /// Describes a container. It is visible when one of its overlays is.
    private func entry(
        ofContainer slot: Int32, _ children: [Inspection.OverlayEntry], _ pass: DescribingPass
    ) -> Inspection.OverlayEntry {
        let isVisible = children.contains(where: \.isVisible)
        var entry = Inspection.OverlayEntry(
            id: pass.names[slot] ?? "", type: .container, isVisible: isVisible,
            reason: isVisible ? nil : overlays.containers.reason(slot: slot, contents: children.map(\.reason), zoom: viewport.camera.zoom),
            copies: children.map(\.copies).max() ?? 0)
        entry.members = children.map(\.id)
        return entry
    }
}
