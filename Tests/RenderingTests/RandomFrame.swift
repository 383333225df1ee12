import Foundation
import WaymarkFrame
import WaymarkImaging
import WaymarkRaster
import WaymarkTestSupport

/// Frames of everything that a picture is made of, at random.
enum RandomFrame {
    /// Sprites of every kind, dense enough to hide one another.
    static func sprites(_ random: inout SplitMix64, firstKey: UInt64) -> Frame {
        let (width, height) = (random.integer(20...160), random.integer(20...90))
        var frame = Frame(
            width: width, height: height, background: random.one(of: [.clear, .white, Color(red: 0, green: 0.4, blue: 1, alpha: 0.5)]),
            ground: GroundCamera(
                width: Double(width) / 1.5, height: Double(height) / 1.5, pixelRatio: 1.5, bearing: random.number(0...360),
                tilt: random.number(0...70)))
        let sizes = [(1, 1), (2, 9), (24, 30), (63, 20), (64, 12), (65, 40), (150, 31), (0, 0)]
        for (index, (width, height)) in sizes.enumerated() {
            let isOpaque = !random.once(in: 3)
            var bitmap = Bitmap.noise(width, height, &random, isOpaque: isOpaque)
            // Pins: opaque within, clear corners.
            if isOpaque, random.once(in: 2), width > 4 {
                for y in 0..<height { for x in 0..<min(width, abs(y - height / 2) / 2) { bitmap[x, y] = .clear } }
            }
            let key = firstKey + UInt64(index)
            let reduction = ImageReduction(rawValue: UInt8(index % 3)) ?? .none
            frame.images.append(FrameImage(key: key, name: "\(index)", bitmap: bitmap).reduced(reduction, key: key))
        }
        var depth = 0
        for _ in 0..<random.integer(1...9) {
            if depth < 2, random.once(in: 4) {
                let bounds = PixelRect(
                    x: random.integer(-9...30), y: random.integer(-9...30), width: random.integer(1...120), height: random.integer(1...90))
                let alpha = random.one(of: [1, Float(random.number(0...1))])
                frame.commands.append(.beginGroup(Group(alpha: alpha, bounds: bounds, samples: random.one(of: [1, 4]))))
                depth += 1
            }
            let start = frame.sprites.count
            let sampling = random.one(of: [Sampling.nearest, .nearest, .linear])
            for _ in 0..<random.integer(1...40) { frame.sprites.append(sprite(sampling, frame, &random)) }
            frame.commands.append(.sprites(start..<frame.sprites.count, sampling))
            if depth > 0, random.once(in: 2) {
                frame.commands.append(.endGroup)
                depth -= 1
            }
        }
        for _ in 0..<depth { frame.commands.append(.endGroup) }
        return frame
    }

    private static func sprite(_ sampling: Sampling, _ frame: Frame, _ random: inout SplitMix64) -> Sprite {
        func number(_ range: ClosedRange<Double>) -> Float { Float(random.number(range)) }
        let image = random.integer(0...frame.images.count - 1)
        let bitmap = frame.images[image].bitmap
        let isFar = random.once(in: 12)
        let x = isFar ? random.one(of: [-9000, 9000]) : random.integer(-bitmap.width...frame.width)
        let y = isFar ? random.one(of: [0, 9000]) : random.integer(-bitmap.height...frame.height)
        var sprite = Sprite(
            x: Float(x), y: Float(y), across: (Float(bitmap.width), 0), down: (0, Float(bitmap.height)), image: image, sampling: sampling)
        if sampling == .linear {
            sprite.x += number(0...1)
            sprite.y += number(0...1)
            let angle = random.one(of: [0, random.number(0...(2 * .pi))])
            let (s, c) = (Float(sin(angle)), Float(cos(angle)))
            let (width, height) = (number(0...40), random.one(of: [0, number(0...40), number(0...40)]))
            (sprite.acrossX, sprite.acrossY, sprite.downX, sprite.downY) = (width * c, width * s, -height * s, height * c)
            if random.once(in: 4) {
                sprite.plane = .ground
                sprite.z = number(0...9)
                (sprite.x, sprite.y) = (number(-50...50), number(-50...50))
            }
        }
        sprite.alpha = random.one(of: [1, 1, 1, 0, number(0...1)])
        if random.once(in: 4) {
            sprite.tint = Tint(
                red: UInt8(random.integer(0...255)), green: UInt8(random.integer(0...255)), blue: UInt8(random.integer(0...255)))
        }
        return sprite
    }

    /// The same with paths between its runs.
    static func everything(_ random: inout SplitMix64, firstKey: UInt64) -> Frame {
        var frame = sprites(&random, firstKey: firstKey)
        var commands: [Command] = []
        for command in frame.commands {
            if random.once(in: 2) {
                let first = frame.paths.count
                for number in 0..<random.integer(1...4) { addPath(to: &frame, isFirst: number == 0, &random) }
                commands.append(.paths(first..<frame.paths.count))
            }
            commands.append(command)
        }
        frame.commands = commands
        return frame
    }

    private static func addPath(to frame: inout Frame, isFirst: Bool, _ random: inout SplitMix64) {
        let (left, top) = (random.integer(-20...frame.width), random.integer(-20...frame.height))
        func contour() -> [PathPoint] {
            (0..<random.integer(3...9)).map { _ in
                PathPoint(Float(left * 1024 + random.integer(0...60_000)) / 1024, Float(top * 1024 + random.integer(0...60_000)) / 1024)
            }
        }
        let color = Color(
            red: random.number(0...1), green: random.number(0...1), blue: random.number(0...1),
            alpha: random.once(in: 2) ? 1 : random.number(0...1))
        let layering = isFirst ? Path.Layering.over : random.one(of: [.over, .knockout, .inlay])
        if random.once(in: 2) {
            frame.add([contour(), contour()], rule: random.one(of: [.nonzero, .evenOdd]), color: color, layering: layering)
        } else {
            frame.add(parts: [[contour()], [contour(), contour()]], color: color, layering: layering)
        }
    }
}
