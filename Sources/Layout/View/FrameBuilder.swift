import WaymarkFrame
import WaymarkGeo
import WaymarkImaging

/// A frame that families add their primitives to: runs of sprites that are read alike, images each once, paths, meshes, and the
/// commands that draw them. The commands of an item are a range, so that items can be put into their order afterwards.
struct FrameBuilder {
    var frame: Frame
    /// Indices in `frame.images`, by the images' keys.
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

    /// Begins an item: nothing that it draws shares a run with what came before.
    mutating func beginItem() -> Int {
        finishRun()
        return frame.commands.count
    }

    /// Ends an item; gives its commands.
    mutating func endItem(from start: Int) -> Range<Int> {
        finishRun()
        return start..<frame.commands.count
    }

    /// Adds an image laid on whole device pixels, texel for pixel.
    mutating func append(_ image: FrameImage, x: Int, y: Int, alpha: Float) {
        guard image.bitmap.width > 0, image.bitmap.height > 0 else { return }
        append(
            Sprite(
                x: Float(x), y: Float(y), across: (Float(image.bitmap.width), 0), down: (0, Float(image.bitmap.height)), alpha: alpha,
                image: Int(index(of: image)), sampling: .nearest))
    }

    /// Adds many sprites that are drawn alike, whose `image` counts in `frame.images`; what they were in is left empty.
    mutating func take(_ sprites: inout [Sprite]) -> Int {
        finishRun()
        let start = frame.sprites.count
        if start == 0 { swap(&frame.sprites, &sprites) } else { frame.sprites += sprites }
        sprites = []
        runStart = frame.sprites.count
        return start
    }

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

    /// Adds a sprite, whose `image` counts in `frame.images`.
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
    /// Puts the items of all families into one order, and the commands of the frame with them. Each family's items are in order
    /// already, and are told where they stand in the whole.
    mutating func merge(_ parts: inout [PlacedPart]) {
        finishRun()
        let given = frame.commands
        frame.commands = []
        frame.commands.reserveCapacity(given.count)
        var next = [Int](repeating: 0, count: parts.count)
        var order = 0
        while true {
            var lowest: Int?
            for index in parts.indices where next[index] < parts[index].items.count {
                if let best = lowest, !(parts[index].items[next[index]] < parts[best].items[next[best]]) { continue }
                lowest = index
            }
            guard let lowest else { return }
            parts[lowest].items[next[lowest]].firstOrder = order
            let item = parts[lowest].items[next[lowest]]
            next[lowest] += 1
            order += item.count
            for command in given[item.commands] { frame.commands.join(command) }
        }
    }
}

extension [Command] {
    /// Adds a command, as one with the last where they draw neighbouring primitives alike.
    fileprivate mutating func join(_ command: Command) {
        switch (last, command) {
        case (.sprites(let before, let sampling)?, .sprites(let range, let other))
        where sampling == other && before.upperBound == range.lowerBound:
            self[count - 1] = .sprites(before.lowerBound..<range.upperBound, sampling)
        case (.paths(let before)?, .paths(let range)) where before.upperBound == range.lowerBound:
            self[count - 1] = .paths(before.lowerBound..<range.upperBound)
        default:
            append(command)
        }
    }
}
