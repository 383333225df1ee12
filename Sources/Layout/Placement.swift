import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Where every overlay of a map stands in one picture, or why it does not: quads in drawing order, and reasons by slot.
///
/// It knows no pixels. What is drawn, picked, fitted and reported is all read from here.
public struct Placement {
    public let viewport: Viewport
    /// What this frame could not do as asked.
    public internal(set) var diagnostics: [Diagnostic] = []

    let background: Color
    let columns: Columns
    let rasters: [FrameImage]
    /// The icons in the picture, from bottom to top. `image` counts in `images`, or is `noImage`.
    var icons: [Sprite] = []
    /// Whose each icon is.
    var iconSlots: [Int32] = []
    /// By slot: 0 for what is in the picture, else why not.
    var reasons: [UInt8] = []
    /// The images of the picture, as indices of `rasters`, in the order of their first use.
    var images: [Int32] = []
    /// Runs of icons that are read in the same way.
    var runs: [(range: Range<Int>, sampling: Sampling)] = []
    /// How often each slot is in the picture; empty when at most once, as long as one copy of the world is in view.
    var copies: [UInt8] = []
    /// Which copy of the world each icon stands on; empty as `copies` is.
    var iconCopies: [Int8] = []
    private var hasIconless = false

    static let absent = UInt8.max
    static let noImage = UInt32.max

    init(viewport: Viewport, background: Color, columns: Columns, rasters: [FrameImage]) {
        self.viewport = viewport
        self.background = background
        self.columns = columns
        self.rasters = rasters
    }
}

extension Placement {
    /// What is to be drawn.
    package func frame() -> Frame {
        let camera = viewport.camera
        var frame = Frame(
            width: viewport.deviceWidth, height: viewport.deviceHeight, background: background,
            ground: GroundCamera(
                width: viewport.size.width, height: viewport.size.height, pixelRatio: viewport.pixelRatio, bearing: camera.bearing,
                tilt: camera.tilt, opticalOffsetX: viewport.opticalX - viewport.size.width / 2,
                opticalOffsetY: viewport.opticalY - viewport.size.height / 2))
        frame.images = images.map { rasters[Int($0)] }
        if hasIconless {
            for run in runs {
                let start = frame.sprites.count
                frame.sprites += icons[run.range].lazy.filter { $0.image != Self.noImage }
                if frame.sprites.count > start {
                    frame.commands.append(.sprites(start..<frame.sprites.count, run.sampling))
                }
            }
        } else {
            frame.sprites = icons
            frame.commands = runs.map { .sprites($0.range, $0.sampling) }
        }
        return frame
    }

    /// Places all point overlays in drawing order.
    mutating func placeMarkers(order: DrawOrder, insertions: [Int]) {
        reasons = columns.exclusions
        icons.reserveCapacity(order.slots.count)
        iconSlots.reserveCapacity(order.slots.count)
        let shown = worldCopies()
        var run = Run(rasterCount: rasters.count)
        let placer = IconPlacer(viewport)
        let columns = columns
        columns.places.withUnsafeBufferPointer { places in
            columns.looks.withUnsafeBufferPointer { looks in
                if shown == 0...0 {
                    for slot in order.slots {
                        placeOne(Int(slot), copy: 0, placer, places, looks, &run)
                    }
                } else {
                    copies = [UInt8](repeating: 0, count: places.count)
                    for slot in order.slots {
                        reasons[Int(slot)] = Reason.outOfView.rawValue
                    }
                    placeCopies(shown, order: order, insertions: insertions, placer, places, looks, &run)
                }
            }
        }
        finish(&run)
    }

    /// What is being gathered into the current run.
    private struct Run {
        var start = 0
        var sampling = Sampling.nearest
        /// By raster: its index in `images`, or -1.
        var imageIndices: [Int32]

        init(rasterCount: Int) {
            imageIndices = [Int32](repeating: -1, count: rasterCount)
        }
    }

    /// Places one copy of an icon; gives whether it is in the picture.
    @inline(__always)
    private mutating func placeOne(
        _ slot: Int, copy: Int, _ placer: IconPlacer, _ places: UnsafeBufferPointer<Columns.Place>,
        _ looks: UnsafeBufferPointer<Columns.Look>, _ run: inout Run
    ) {
        let look = looks[slot]
        if look.flags.contains(.zoomRange), columns.zoomRanges[Int32(slot)]?.contains(viewport.camera.zoom) == false {
            reasons[slot] = Reason.outOfZoom.rawValue
            return
        }
        var icon = placer.place(places[slot], copy: Double(copy), look)
        guard icon.reason == 0 else {
            // Of several copies, one in the picture is what counts, else the one nearest the centre, looked at or not.
            if copies.isEmpty || copies[slot] == 0 {
                let nearest = Self.nearestCopy(places[slot].x, viewport.centerX)
                let reason = nearest == copy ? icon.reason : placer.place(places[slot], copy: Double(nearest), look).reason
                reasons[slot] = reason == 0 ? Reason.outOfView.rawValue : reason
            }
            return
        }
        reasons[slot] = 0
        if !copies.isEmpty {
            copies[slot] += 1
            iconCopies.append(Int8(copy))
        }
        if look.raster < 0 {
            icon.sprite.image = Self.noImage
            hasIconless = true
        } else {
            let raster = Int(look.raster)
            if run.imageIndices[raster] < 0 {
                run.imageIndices[raster] = Int32(images.count)
                images.append(look.raster)
            }
            icon.sprite.image = UInt32(bitPattern: run.imageIndices[raster])
        }
        if icon.sprite.sampling != run.sampling {
            finish(&run)
            run.sampling = icon.sprite.sampling
        }
        icons.append(icon.sprite)
        iconSlots.append(Int32(truncatingIfNeeded: slot))
    }

    private mutating func finish(_ run: inout Run) {
        if icons.count > run.start {
            runs.append((run.start..<icons.count, run.sampling))
        }
        run.start = icons.count
    }

    /// Each copy of the world has the same order within itself; together they are merged by it.
    private mutating func placeCopies(
        _ shown: ClosedRange<Int>, order: DrawOrder, insertions: [Int], _ placer: IconPlacer,
        _ places: UnsafeBufferPointer<Columns.Place>, _ looks: UnsafeBufferPointer<Columns.Look>, _ run: inout Run
    ) {
        let slots = order.slots
        var heads = shown.map { (copy: $0, next: 0) }
        func head(_ index: Int) -> (slot: Int32, steps: Int64, copy: Int)? {
            let (copy, next) = heads[index]
            guard next < slots.count else { return nil }
            let shift = (Double(copy) * viewport.sinBearing * DrawOrder.stepsPerWorld + 0.5).rounded(.down)
            return (slots[next], DrawOrder.steps(places[Int(slots[next])], viewport) + Int64(shift), copy)
        }
        var candidates = heads.indices.map(head)
        while true {
            var lowest: Int?
            for (index, candidate) in candidates.enumerated() {
                guard let candidate else { continue }
                if let best = lowest.flatMap({ candidates[$0] }), !order.isBelow(candidate, best, insertions: insertions) { continue }
                lowest = index
            }
            guard let lowest, let chosen = candidates[lowest] else { return }
            placeOne(Int(chosen.slot), copy: chosen.copy, placer, places, looks, &run)
            heads[lowest].next += 1
            candidates[lowest] = head(lowest)
        }
    }

    /// The copy of a place that stands nearest the centre.
    static func nearestCopy(_ x: Double, _ centerX: Double) -> Int {
        Int((centerX - x).rounded(.toNearestOrEven))
    }

    /// Copies of the world of which something may be in the picture, at most three to each side.
    private func worldCopies() -> ClosedRange<Int> {
        // Far up a tilted map one pt of the screen is up to 20 pt of the ground; what is lifted shows from nearer.
        let slack = (viewport.sinTilt > 0 ? 40 : 2) * columns.reach / viewport.worldSize + 8 * columns.topHeight
        let corners = viewport.groundCorners.map { viewport.centerX + $0.x / viewport.worldSize }
        guard let west = corners.min(), let east = corners.max() else { return -3...3 }
        let first = max(-3, min(0, Int((west - slack).rounded(.down))))
        let last = min(3, max(0, Int((east + slack).rounded(.down))))
        return first...last
    }
}
