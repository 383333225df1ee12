import WaymarkGeo
import WaymarkScene

/// A family of overlays that are read, ordered, placed and described alike: points, shapes, models.
///
/// The composer hands each family what changed of its overlays, and asks it for what a view shows of them. How a family keeps its
/// overlays, and which caches it has from picture to picture, is its own affair; what it has put into one picture is a value.
///
/// A family does not know the other families, and takes no part in the order among them beyond the keys of its items.
protocol OverlayFamily: AnyObject {
    /// Reads what changed of overlays of the family, in the order in which they changed.
    func read(_ changes: [OverlayChange], _ pass: inout ReadingPass)
    /// Another overlay may have the slot from now on.
    func forget(slot: Int32)
    /// Places what a view shows: primitives go into the frame, and items say where they come in the drawing order.
    func place(_ pass: inout PlacingPass) -> PlacedPart
    /// What `fit` needs of what is visible whatever the camera; nil when that is nothing.
    var extent: (any ExtentPart)? { get }
    /// Reports what its overlays lack, beside the problems that keep an overlay out.
    func report(into list: inout DiagnosticList, _ resources: MapResources)
    /// Whether it cannot be placed without fonts.
    var needsFonts: Bool { get }
    func count(into statistics: inout LayoutStatistics)
}

/// What changed of an overlay.
struct OverlayChange {
    var slot: Int32
    var change: Journal.Change
}

/// A stretch of the drawing order, given by one family: what is drawn there, and how many overlays that is.
struct PlacedItem: Sendable {
    /// The place of its sort key among all.
    var rank: Int32
    /// Its place among items of equal rank.
    var sequence: Int64
    /// How many places in the drawing order it takes.
    var count: Int
    /// The range of its commands in the frame as the families left it.
    var commands: Range<Int>
    /// The place of its first overlay in the drawing order, once all items are merged.
    var firstOrder = 0

    static func < (a: PlacedItem, b: PlacedItem) -> Bool { a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence }
}

/// What one family put into a picture.
struct PlacedPart: Sendable {
    /// From bottom to top.
    var items: [PlacedItem]
    var content: any PlacedContent
}

/// What a family tells of a picture afterwards. It is a value: the map may change, and it tells of before.
protocol PlacedContent: Sendable {
    /// What `fit` needs of what is visible whatever the camera; nil when that is nothing.
    var extent: (any ExtentPart)? { get }
    /// Describes overlays of the family.
    /// - Parameter items: The family's, with their places in the drawing order.
    func entries(of slots: [Int32], items: [PlacedItem], _ pass: DescribingPass) -> [Inspection.OverlayEntry]
    func symbolEntries(_ pass: DescribingPass) -> [Inspection.SymbolEntry]
}

extension PlacedContent {
    func symbolEntries(_ pass: DescribingPass) -> [Inspection.SymbolEntry] { [] }
}

/// What a family has at hand while it describes overlays.
struct DescribingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    /// By slot.
    let names: [Int32: String]
}

/// How often things were done that should be done seldom: what tests count.
package struct LayoutStatistics: Equatable, Sendable {
    /// Overlays read from their objects.
    package var refreshedOverlays = 0
    /// How often all points were sorted, and how often a few were put into new places.
    package var orderSorts = 0
    package var orderMerges = 0
    package var orderRebuilds: Int { orderSorts + orderMerges }
    /// How often the spatial index was made.
    package var indexBuilds = 0
    /// How often the points of a shape were read, and how often a line was simplified.
    package var shapeReads = 0
    package var simplifications = 0
    /// How often a mesh was prepared for frames, and how often a very large one was cut.
    package var meshPreparations = 0
    package var meshCuts = 0
    /// How many pieces of captions were drawn.
    package var drawnCaptionPieces = 0
}
