import WaymarkFrame
import WaymarkGeo

/// The icons of a picture in which no point has a caption or hides others. They are collected in flat arrays, because the loop runs over
/// every point in every frame.
struct IconCollector {
    /// The points in the picture, from bottom to top.
    private(set) var slots: [Int32] = []
    /// The copy of the world of each point; empty when all are on copy 0.
    private(set) var copies: [Int8] = []

    /// A run of points with equal sort keys.
    private struct RankRun {
        var rank: Int32
        var count: Int
        /// The end of its range in `commands`.
        var end: Int
    }

    private var sprites: [Sprite] = []
    /// Ranges of `sprites` with equal sampling.
    private var commands: [(range: Range<Int>, sampling: Sampling)] = []
    private var ranks: [RankRun] = []
    /// `images`: the rasters in use, in order of first use. `imageIndices`: for each raster, its index in `images`, or -1.
    private var images: [Int32] = []
    private var imageIndices: [Int32]

    private let placer: IconPlacer
    private let overlays: OverlayTable
    private let order: DrawingOrder
    private let zoom: Double
    private var runStart = 0
    private var sampling = Sampling.nearest

    init(_ pass: PlacingPass, capacity: Int) {
        placer = IconPlacer(pass.viewport)
        overlays = pass.overlays
        order = pass.order
        zoom = pass.viewport.camera.zoom
        imageIndices = [Int32](repeating: -1, count: pass.rasters.count)
        sprites.reserveCapacity(capacity)
        slots.reserveCapacity(capacity)
    }

    /// Gathers points in drawing order.
    mutating func collect(_ ordered: OrderedColumns, _ styles: [IconStyle]) {
        let hasHeights = !ordered.heights.isEmpty
        styles.withUnsafeBufferPointer { styles in
            ordered.places.withUnsafeBufferPointer { places in
                ordered.styleIDs.withUnsafeBufferPointer { styleIDs in
                    ordered.slots.withUnsafeBufferPointer { slots in
                        forEachRank(slots.count, { slots[$0] }) { collector, range in
                            for index in range {
                                let height = hasHeights ? ordered.heights[index] : 0
                                _ = collector.place(slots[index], places[index], height, 0, styles[Int(styleIDs[index])])
                            }
                        }
                    }
                }
            }
        }
    }

    /// Gathers points on several copies of the world, in drawing order.
    mutating func collect(_ copies: CopyOrder, _ ordered: OrderedColumns, _ styles: [IconStyle]) {
        styles.withUnsafeBufferPointer { styles in
            forEachRank(copies.entries.count, { ordered.slots[Int(copies.entries[$0].index)] }) { collector, range in
                for entry in copies.entries[range] {
                    let index = Int(entry.index)
                    let height = ordered.heights.isEmpty ? 0 : ordered.heights[index]
                    let style = styles[Int(ordered.styleIDs[index])]
                    if collector.place(ordered.slots[index], ordered.places[index], height, Int(entry.copy), style) {
                        collector.copies.append(entry.copy)
                    }
                }
            }
        }
    }

    /// Moves the sprites into a frame; returns the items that draw them.
    mutating func finish(_ frame: inout FrameBuilder, _ rasters: [FrameImage]) -> [DrawItem] {
        let indices = images.map { frame.index(of: rasters[Int($0)]) }
        if indices.indices.contains(where: { indices[$0] != UInt32($0) }) {
            for index in sprites.indices { sprites[index].image = indices[Int(sprites[index].image)] }
        }
        let start = frame.take(&sprites)
        var next = 0
        return ranks.map { run in
            let first = frame.beginItem()
            for command in commands[next..<run.end] {
                frame.append(.sprites(command.range.lowerBound + start..<command.range.upperBound + start, command.sampling))
            }
            next = run.end
            return DrawItem(rank: run.rank, sequence: 1, count: run.count, commands: frame.endItem(from: first))
        }
    }

    /// Calls `body` for each run of points with equal sort keys. The end of a run is found by exponential search, which reads few keys.
    private mutating func forEachRank(_ count: Int, _ slot: (Int) -> Int32, _ body: (inout IconCollector, Range<Int>) -> Void) {
        var start = 0
        while start < count {
            let rank = order.rank(slot(start))
            var (low, high) = (start + 1, count)
            if order.keys.hasManyRanks {
                var step = 1
                while start + step < count, order.rank(slot(start + step)) == rank {
                    low = start + step + 1
                    step *= 2
                }
                high = min(start + step, count)
                while low < high {
                    let middle = (low + high) / 2
                    if order.rank(slot(middle)) == rank { low = middle + 1 } else { high = middle }
                }
            } else {
                low = count
            }
            let shown = slots.count
            body(&self, start..<low)
            finishRun()
            if slots.count > shown { ranks.append(RankRun(rank: rank, count: slots.count - shown, end: commands.count)) }
            start = low
        }
    }

    private mutating func finishRun() {
        if sprites.count > runStart { commands.append((runStart..<sprites.count, sampling)) }
        runStart = sprites.count
    }

    /// Places one copy of an icon; returns whether it is in the picture.
    @inline(__always)
    private mutating func place(_ slot: Int32, _ place: WorldPoint, _ height: Double, _ copy: Int, _ style: IconStyle) -> Bool {
        if style.flags.contains(.zoomRange), !overlays.isShown(slot, atZoom: zoom) { return false }
        var icon = placer.place(place, height: height, copy: Double(copy), style)
        guard icon.reason == nil else { return false }
        slots.append(slot)
        guard style.raster >= 0 else { return true }
        let raster = Int(icon.sprite.image)
        if imageIndices[raster] < 0 {
            imageIndices[raster] = Int32(images.count)
            images.append(Int32(raster))
        }
        icon.sprite.image = UInt32(bitPattern: imageIndices[raster])
        if icon.sprite.sampling != sampling {
            finishRun()
            sampling = icon.sprite.sampling
        }
        sprites.append(icon.sprite)
        return true
    }
}
