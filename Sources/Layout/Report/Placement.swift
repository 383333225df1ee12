import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Where every overlay of a map stands in one picture, or why it does not: quads in drawing order, and reasons on demand.
///
/// It knows no pixels. What is drawn, picked, fitted and reported is all read from here.
public struct Placement {
    public let viewport: Viewport
    /// What this frame could not do as asked.
    public internal(set) var diagnostics: [Diagnostic] = []

    let background: Color
    let columns: Columns
    /// What containers hand down to what is in them.
    var groups = Groups()
    let rasters: [FrameImage]
    /// The sprites of the picture, from bottom to top, with their images and in their runs. `image` may be `noImage`.
    private var sprites: [Sprite] = []
    private var images: [FrameImage] = []
    var commands: [Command] = []
    private var hasIconless = false
    /// The overlays in the picture, from bottom to top.
    private(set) var shownSlots: [Int32] = []
    /// Which copy of the world each stands on; empty when all stand on the same.
    private(set) var shownCopies: [Int8] = []
    /// What takes part where there are captions or collisions, shown or not, from bottom to top; and which of them each of the
    /// shown overlays is.
    private(set) var candidates: [Candidate] = []
    private(set) var shownCandidates: [Int32] = []
    private(set) var claims: ClaimGrid?
    private(set) var symbols: [PlacedSymbol] = []
    /// Lines and areas.
    var shapes = ShapeDrawing.empty
    var shapeStore: ShapeStore?
    var models = ModelDrawing()
    var modelStore: ModelStore?

    static let noImage = UInt32.max

    init(viewport: Viewport, background: Color, columns: Columns, rasters: [FrameImage]) {
        self.viewport = viewport
        self.background = background
        self.columns = columns
        self.rasters = rasters
    }
}

extension Placement {
    /// What is to be drawn. The placement is used up, so that its sprites need not be copied.
    package consuming func frame() -> Frame {
        let camera = viewport.camera
        var frame = Frame(
            width: viewport.deviceWidth, height: viewport.deviceHeight, background: background,
            ground: GroundCamera(
                width: viewport.size.width, height: viewport.size.height, pixelRatio: viewport.pixelRatio, bearing: camera.bearing,
                tilt: camera.tilt, opticalOffsetX: viewport.opticalX - viewport.size.width / 2,
                opticalOffsetY: viewport.opticalY - viewport.size.height / 2))
        frame.images = images
        swap(&frame.pathPoints, &shapes.points)
        swap(&frame.contours, &shapes.contours)
        swap(&frame.parts, &shapes.parts)
        swap(&frame.paths, &shapes.paths)
        takeModels(into: &frame)
        guard hasIconless else {
            swap(&frame.sprites, &sprites)
            frame.commands = commands
            return frame
        }
        for command in commands {
            guard case .sprites(let range, let sampling) = command else {
                frame.commands.append(command)
                continue
            }
            let start = frame.sprites.count
            frame.sprites += sprites[range].lazy.filter { $0.image != Self.noImage }
            if frame.sprites.count > start {
                frame.commands.append(.sprites(start..<frame.sprites.count, sampling))
            }
        }
        return frame
    }

    /// Places markers of which none has a caption or hides others, in drawing order.
    mutating func placeIcons(_ ordered: OrderedColumns, _ shown: ClosedRange<Int>, _ order: DrawOrder, insertions: [UInt32]) {
        var gathering = Gathering(self, capacity: ordered.count)
        let looks = columns.looks.looks
        looks.withUnsafeBufferPointer { looks in
            if shown == 0...0 {
                gathering.placeAll(ordered, looks)
            } else {
                gathering.placeCopies(CopyOrder(shown, ordered, order, viewport, insertions: insertions), ordered, looks)
            }
        }
        gathering.finishRun()
        sprites = gathering.icons
        shownSlots = gathering.slots
        shownCopies = gathering.copies
        images = gathering.images.map { rasters[Int($0)] }
        commands = gathering.commands
        hasIconless = gathering.hasIconless
    }

    /// Takes over markers and symbols whose collisions are decided, and what is drawn of them.
    mutating func take(_ candidates: [Candidate], _ claims: ClaimGrid?, symbols: [PlacedSymbol], _ list: SpriteList) {
        self.candidates = candidates
        self.claims = claims
        self.symbols = symbols
        (sprites, images, commands) = (list.sprites, list.images, list.commands)
        for (index, candidate) in candidates.enumerated() where candidate.isSeen(in: viewport) {
            shownCandidates.append(Int32(index))
            shownSlots.append(candidate.slot)
            shownCopies.append(candidate.copy)
        }
    }

    /// The copy of a place that stands nearest the centre.
    func nearestCopy(_ place: Columns.Place) -> Int {
        Int((viewport.centerX - place.x).rounded(.toNearestOrEven))
    }

    /// One overlay as it stands on a copy of the world, in the picture or not; nil when it has no place.
    /// - Parameter copy: nil is the one nearest the centre.
    func icon(slot: Int, copy: Int? = nil) -> IconPlacer.Icon? {
        let place = columns.places[slot]
        guard !place.y.isNaN else { return nil }
        return IconPlacer(viewport).place(
            place, height: columns.height(slot), copy: Double(copy ?? nearestCopy(place)), columns.look(slot))
    }

    /// Why an overlay that is not in the picture is not.
    func reason(slot: Int) -> Reason {
        if let exclusion = Reason(rawValue: columns.exclusions[slot]) { return exclusion }
        if columns.zoomVisibilities[Int32(slot)]?.contains(viewport.camera.zoom) == false { return .outOfZoom }
        return icon(slot: slot).flatMap { Reason(rawValue: $0.reason) } ?? .outOfView
    }
}

/// The icons of a picture being gathered, in flat arrays of its own: the loop runs for every overlay and frame.
private struct Gathering {
    var icons: [Sprite] = []
    var slots: [Int32] = []
    var copies: [Int8] = []
    var images: [Int32] = []
    var commands: [Command] = []
    var hasIconless = false

    private let placer: IconPlacer
    private let zoomVisibilities: [Int32: ZoomVisibility]
    private let zoom: Double
    private var runStart = 0
    private var sampling = Sampling.nearest
    /// By raster: its index in `images`, or -1.
    private var imageIndices: [Int32]

    init(_ placement: Placement, capacity: Int) {
        placer = IconPlacer(placement.viewport)
        zoomVisibilities = placement.columns.zoomVisibilities
        zoom = placement.viewport.camera.zoom
        imageIndices = [Int32](repeating: -1, count: placement.rasters.count)
        icons.reserveCapacity(capacity)
        slots.reserveCapacity(capacity)
    }

    mutating func placeAll(_ ordered: OrderedColumns, _ looks: UnsafeBufferPointer<Look>) {
        let hasHeights = !ordered.heights.isEmpty
        ordered.places.withUnsafeBufferPointer { places in
            ordered.lookIDs.withUnsafeBufferPointer { lookIDs in
                ordered.slots.withUnsafeBufferPointer { slots in
                    for index in 0..<slots.count {
                        let height = hasHeights ? ordered.heights[index] : 0
                        _ = place(slots[index], places[index], height, 0, looks[Int(lookIDs[index])])
                    }
                }
            }
        }
    }

    mutating func placeCopies(_ order: CopyOrder, _ ordered: OrderedColumns, _ looks: UnsafeBufferPointer<Look>) {
        for entry in order.entries {
            let index = Int(entry.index)
            let height = ordered.heights.isEmpty ? 0 : ordered.heights[index]
            if place(ordered.slots[index], ordered.places[index], height, Int(entry.copy), looks[Int(ordered.lookIDs[index])]) {
                copies.append(entry.copy)
            }
        }
    }

    mutating func finishRun() {
        if icons.count > runStart {
            commands.append(.sprites(runStart..<icons.count, sampling))
        }
        runStart = icons.count
    }

    /// Places one copy of an icon; gives whether it is in the picture.
    @inline(__always)
    private mutating func place(_ slot: Int32, _ place: Columns.Place, _ height: Double, _ copy: Int, _ look: Look) -> Bool {
        if look.flags.contains(.zoomRange), zoomVisibilities[slot]?.contains(zoom) == false { return false }
        var icon = placer.place(place, height: height, copy: Double(copy), look)
        guard icon.reason == 0 else { return false }
        if look.raster < 0 {
            icon.sprite.image = Placement.noImage
            hasIconless = true
        } else {
            let raster = Int(icon.sprite.image)
            if imageIndices[raster] < 0 {
                imageIndices[raster] = Int32(images.count)
                images.append(Int32(raster))
            }
            icon.sprite.image = UInt32(bitPattern: imageIndices[raster])
        }
        if icon.sprite.sampling != sampling {
            finishRun()
            sampling = icon.sprite.sampling
        }
        icons.append(icon.sprite)
        slots.append(slot)
        return true
    }
}
