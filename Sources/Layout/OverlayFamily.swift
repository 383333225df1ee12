import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// A family of overlays that are read, ordered, placed and described in the same way: points, shapes or models.
///
/// The composer passes each family the changes to its overlays and asks which of them a view shows. How a family stores its overlays,
/// and what it caches between pictures, is private to it; what it contributes to a picture is a value.
///
/// A family does not know the other families. It affects the drawing order among families only through the sort keys of its items.
protocol OverlayFamily: AnyObject {
    /// Reads the changes to the family's overlays, in the order in which they were made.
    func read(_ changes: [OverlayChange], _ pass: inout ReadingPass)
    /// Forgets the overlay in a slot, which may be reused from now on.
    func forget(slot: Int32)
    /// The points that the family shows in a view, to be ordered, placed and drawn with those of the point family.
    func guests(in viewport: Viewport, _ pass: inout ReadingPass) -> [GuestPoint]
    /// Places the overlays that a view shows: adds their primitives to the frame, and returns items with their place in the drawing order.
    func place(_ pass: inout PlacingPass) -> PlacedPart
    /// The extent of what is visible whatever the camera, for `fit`; nil when nothing is.
    func extent(of overlays: FittedOverlays) -> (any ExtentPart)?
    /// Reports warnings about the family's overlays, apart from the problems that exclude an overlay.
    func report(into list: inout DiagnosticList, _ resources: MapResources)
    /// Whether the family cannot be placed without fonts.
    var needsFonts: Bool { get }
    func count(into statistics: inout LayoutStatistics)
    /// What it keeps between pictures and can do without.
    var caches: [any BudgetedCache] { get }
}

extension OverlayFamily {
    func guests(in viewport: Viewport, _ pass: inout ReadingPass) -> [GuestPoint] { [] }
}

/// A point of one picture that is no overlay of the map: a cluster, or a marker that a cluster layer shows alone. Guests have slots, too, in
/// one picture: those after the overlays'.
struct GuestPoint: Sendable {
    var place: WorldPoint
    /// As a fraction of the world's size.
    var height: Double
    var style: IconStyle
    var caption: MeasuredCaption?
    var key: SortKey
    /// The insertion number of its layer.
    var insertion: UInt32
}

/// A change to an overlay.
struct OverlayChange {
    var slot: Int32
    var change: Journal.Change
}

/// A contiguous run of one family's overlays in the drawing order, and the commands that draw it.
struct PlacedItem: Sendable {
    /// The rank of its sort key among all sort keys.
    var rank: Int32
    /// Its position among items of equal rank.
    var sequence: Int64
    /// The number of positions that it takes in the drawing order: one for each overlay, or for a group that shares a depth buffer.
    var count: Int
    /// The range of its commands in the frame, before the items are merged.
    var commands: Range<Int>
    /// The position of its first overlay in the drawing order; valid once all items are merged.
    var firstOrder = 0

    static func < (a: PlacedItem, b: PlacedItem) -> Bool { a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence }
}

/// One family's part of a picture.
struct PlacedPart: Sendable {
    /// From bottom to top.
    var items: [PlacedItem]
    var content: any PlacedContent
}

/// A family's record of a picture, for inspection and `fit`. It is a value: later changes to the map do not affect it.
protocol PlacedContent: Sendable {
    /// The extent of what is visible whatever the camera, for `fit`; nil when nothing is.
    func extent(of overlays: FittedOverlays) -> (any ExtentPart)?
    /// Describes overlays of the family.
    /// - Parameter items: The family's items, with their positions in the drawing order.
    func entries(of slots: [Int32], items: [PlacedItem], _ pass: DescribingPass) -> [Inspection.OverlayEntry]
    func symbolEntries(_ pass: DescribingPass) -> [Inspection.SymbolEntry]
    /// The names of the family's guests, by slot.
    func guestNames(_ pass: DescribingPass) -> [Int32: String]
    /// Describes the family's guests.
    /// - Parameter entries: By slot: where they are, as the point family describes them.
    func describe(_ entries: [Int32: Inspection.OverlayEntry], _ pass: DescribingPass) -> DescribedGuests
    /// What of the family is at a point, in no particular order. Models are found by `Placement.modelHits`.
    func hits(_ pass: PickingPass) -> [PlacedHit]
    /// Where in the picture what is drawn of the family can be picked, in no particular order. The tolerance widens lines.
    func areas(_ pass: PickingPass) -> [PlacedArea]
}

/// What guests are in an inspection.
struct DescribedGuests {
    var clusters: [Inspection.ClusterEntry] = []
    /// By the slot of an overlay: the entries that follow it.
    var followers: [Int32: [Inspection.OverlayEntry]] = [:]
    /// By the slot of an overlay that shows guests: its entry.
    var entries: [Int32: Inspection.OverlayEntry] = [:]

    mutating func add(_ others: DescribedGuests) {
        clusters += others.clusters
        followers.merge(others.followers) { $1 }
        entries.merge(others.entries) { $1 }
    }
}

extension PlacedContent {
    func guestNames(_ pass: DescribingPass) -> [Int32: String] { [:] }
    func describe(_ entries: [Int32: Inspection.OverlayEntry], _ pass: DescribingPass) -> DescribedGuests { DescribedGuests() }
    func symbolEntries(_ pass: DescribingPass) -> [Inspection.SymbolEntry] { [] }
    func hits(_ pass: PickingPass) -> [PlacedHit] { [] }
    func areas(_ pass: PickingPass) -> [PlacedArea] { [] }
}

/// The input of a family while it describes overlays.
struct DescribingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    /// By slot.
    var names: [Int32: String]
}

/// Counters of expensive operations; tests check them.
package struct LayoutStatistics: Equatable, Sendable {
    /// Overlays read from their objects. An overlay read twice counts twice.
    package var refreshedOverlays = 0
    /// Full sorts of the points, and merges of a few moved points into the sorted order.
    package var orderSorts = 0
    package var orderMerges = 0
    package var orderRebuilds: Int { orderSorts + orderMerges }
    /// Rebuilds of the spatial index.
    package var indexBuilds = 0
    /// Reads of a shape's points, and simplifications of a line.
    package var shapeReads = 0
    package var simplifications = 0
    /// The points of shapes in memory.
    package var keptShapePoints = 0
    /// Meshes prepared for frames, and very large meshes cut.
    package var meshPreparations = 0
    package var meshCuts = 0
    /// Caption pieces made; they are rasterized when a frame shows them.
    package var madeCaptionPieces = 0
    /// Indexes of cluster layers built anew, and markers put into one, or taken out, by themselves.
    package var clusterBuilds = 0
    package var clusterEdits = 0
    /// How often the values of a cluster's markers were added up.
    package var clusterSums = 0
    /// How often values of points were read from the source of a cluster layer.
    package var clusterValueReads = 0
    /// Contents of views measured, and those whose pixels were made, which happens when they are first asked for.
    package var measuredContents = 0
    package var drawnContents = 0
}
