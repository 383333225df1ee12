import WaymarkFrame
import WaymarkGeo
import WaymarkImaging

/// A frame under construction. Families add their primitives: runs of sprites with equal sampling, distinct images, paths, meshes, and
/// the commands that draw them. The commands of an item are contiguous, so the items can be ordered afterwards.
struct FrameBuilder {
    var frame: Frame
    /// The indices in `frame.images`, keyed by image.
    private var imageIndices: [UInt64: UInt32] = [:]
    private var runStart = 0
    private var sampling = Sampling.nearest

    init(_ viewport: Viewport, background: Color) {
        let (camera, size) = (viewport.camera, viewport.size)
        frame = Frame(
            width: viewport.deviceWidth, height: viewport.deviceHeight, background: background,
            ground: GroundCamera(
                width: size.width, height: size.height, pixelRatio: viewport.pixelRatio, bearing: camera.bearing, tilt: camera.tilt,
                opticalOffsetX: viewport.opticalX - size.width / 2, opticalOffsetY: viewport.opticalY - size.height / 2))
    }

    /// Begins an item and a new run of sprites; returns the index of its first command.
    mutating func beginItem() -> Int {
        finishRun()
        return frame.commands.count
    }

    /// Ends an item; returns the range of its commands.
    mutating func endItem(from start: Int) -> Range<Int> {
        finishRun()
        return start..<frame.commands.count
    }

    /// Adds an image at whole device pixels, one texel per pixel.
    mutating func append(_ image: FrameImage, x: Int, y: Int, alpha: Float) {
        guard !image.isEmpty else { return }
        append(
            Sprite(x: x, y: y, width: image.width, height: image.height, alpha: alpha, image: Int(index(of: image))))
    }

    /// Reserves capacity for sprites about to be added.
    mutating func reserve(sprites count: Int) { frame.sprites.reserveCapacity(frame.sprites.count + count) }

    mutating func index(of image: FrameImage) -> UInt32 {
        if let known = imageIndices[image.key] { return known }
        let index = UInt32(frame.images.count)
        imageIndices[image.key] = index
        frame.images.append(image)
        return index
    }

    mutating func append(_ command: Command) {
        finishRun()
        frame.commands.append(command)
    }

    /// Adds a sprite whose `image` is an index in `frame.images`.
    mutating func append(_ sprite: Sprite) {
        if sprite.sampling != sampling {
            finishRun()
            sampling = sprite.sampling
        }
        frame.sprites.append(sprite)
    }

    private mutating func finishRun() {
        if frame.sprites.count > runStart { frame.commands.append(.sprites(runStart..<frame.sprites.count, sampling)) }
        runStart = frame.sprites.count
    }
}

extension FrameBuilder {
    /// Merges the items of all families into the drawing order, reorders the frame's commands accordingly, and sets each item's
    /// `firstOrder`.
    /// - Parameter families: The items of each family, in order. Equal items are drawn in the order of the families.
    mutating func merge(_ families: inout [[DrawItem]]) {
        finishRun()
        let given = frame.commands
        frame.commands = []
        frame.commands.reserveCapacity(given.count)
        var next = [Int](repeating: 0, count: families.count)
        var order = 0
        while true {
            var lowest: Int?
            for index in families.indices where next[index] < families[index].count {
                if let best = lowest, !(families[index][next[index]] < families[best][next[best]]) { continue }
                lowest = index
            }
            guard let lowest else { return }
            families[lowest][next[lowest]].firstOrder = order
            let item = families[lowest][next[lowest]]
            next[lowest] += 1
            order += item.count
            for command in given[item.commands] { frame.join(command) }
        }
    }
}

extension Frame {
    /// Appends a command, or extends the last command if both draw adjacent primitives with the same state.
    mutating func join(_ command: Command) {
        let last = commands.count - 1
        switch (commands.last, command) {
        case (.sprites(let before, let sampling)?, .sprites(let range, let other))
        where sampling == other && before.upperBound == range.lowerBound:
            commands[last] = .sprites(before.lowerBound..<range.upperBound, sampling)
        case (.paths(let before)?, .paths(let range))
        where before.upperBound == range.lowerBound && paths[before.lowerBound].fades == paths[range.lowerBound].fades:
            commands[last] = .paths(before.lowerBound..<range.upperBound)
        default:
            commands.append(command)
        }
    }
}

/// A contiguous range of one family's overlays in the drawing order, and the commands that draw it.
struct DrawItem: Sendable {
    /// The rank of the item's sort key among all sort keys.
    var rank: Int32
    /// The item's position among items of equal rank.
    var sequence: Int64
    /// The number of the item's positions in the drawing order: one for each overlay, or one for a group that shares a depth buffer.
    var count: Int
    /// The range of the item's commands in the frame, before the items are merged.
    var commands: Range<Int>
    /// The position of the item's first overlay in the drawing order, valid once all items are merged.
    var firstOrder = 0

    static func < (a: DrawItem, b: DrawItem) -> Bool { a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence }
}
