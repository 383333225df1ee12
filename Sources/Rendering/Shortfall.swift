import Synchronization
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// A part of a frame that a device draws with lower quality than requested.
package enum Shortfall: Hashable, Sendable {
    /// Groups are drawn with this many samples per pixel, the maximum of the device.
    case samples(Int)
    /// An image with longer sides than the device's textures is drawn from a smaller copy.
    case image(name: String, width: Int, height: Int, limit: Int)
}

extension Frame {
    /// Adapts the frame to the limits of a device, and adds the resulting losses of quality to `shortfalls`.
    mutating func adapt(to info: ContextInfo, _ shortfalls: inout [Shortfall]) {
        limitSamples(max(1, info.maxSamples), &shortfalls)
        let limit = info.maxTextureSize
        if images.contains(where: { $0.isLonger(than: limit) }) { limitImages(limit, &shortfalls) }
    }

    private mutating func limitSamples(_ most: Int, _ shortfalls: inout [Shortfall]) {
        for index in commands.indices {
            guard case .beginGroup(var group) = commands[index], group.samples > most else { continue }
            group.samples = most
            commands[index] = .beginGroup(group)
            shortfalls.add(.samples(most))
        }
    }

    /// Cuts out the visible part of images that are too large and drawn texel for pixel, because only that part is needed. Other images
    /// are scaled down when they are uploaded.
    private mutating func limitImages(_ limit: Int, _ shortfalls: inout [Shortfall]) {
        var isScaled = [Bool](repeating: false, count: images.count)
        for instance in meshInstances { if let texture = instance.texture { isScaled[Int(texture)] = true } }
        let whole = images.count
        for case .sprites(let range, let sampling) in commands {
            for index in range {
                let number = Int(sprites[index].image)
                guard images[number].isLonger(than: limit) else { continue }
                if sampling == .nearest { cutOut(index) } else { isScaled[number] = true }
            }
        }
        for number in 0..<whole where images[number].isLonger(than: limit) {
            if isScaled[number] {
                let image = images[number]
                shortfalls.add(.image(name: image.name, width: image.width, height: image.height, limit: limit))
            } else {
                images[number] = images[number].withoutPixels
            }
        }
    }

    /// Replaces the image of a sprite drawn texel for pixel with the part that is in the picture.
    private mutating func cutOut(_ index: Int) {
        var sprite = sprites[index]
        let image = images[Int(sprite.image)]
        let (x, y) = (Int(sprite.x), Int(sprite.y))
        let left = max(0, -x)
        let top = max(0, -y)
        let part = PixelRect(
            x: Int(sprite.texelX) + left, y: Int(sprite.texelY) + top, width: max(0, min(Int(sprite.acrossX), width - x) - left),
            height: max(0, min(Int(sprite.downY), height - y) - top))
        // An empty part is not drawn, but its sprite needs an image.
        let isEmpty = part.width == 0 || part.height == 0
        let bitmap = isEmpty ? Bitmap(width: 1, height: 1) : image.bitmap.part(part)
        sprite.image = UInt32(images.count)
        (sprite.texelX, sprite.texelY) = (0, 0)
        (sprite.x, sprite.y) = (Float(x + left), Float(y + top))
        (sprite.acrossX, sprite.downY) = isEmpty ? (0, 0) : (Float(part.width), Float(part.height))
        sprites[index] = sprite
        images.append(FrameImage(key: CutOutKey.next(), name: image.name, bitmap: bitmap))
    }
}

extension FrameImage {
    fileprivate func isLonger(than limit: Int) -> Bool { width > limit || height > limit }
}

extension [Shortfall] {
    fileprivate mutating func add(_ shortfall: Shortfall) {
        if !contains(shortfall) { append(shortfall) }
    }
}

/// Texture keys of parts cut out of images. They descend from the largest key, because the keys of whole images ascend.
private enum CutOutKey {
    private static let last = Atomic<UInt64>(.max)

    static func next() -> UInt64 { last.subtract(1, ordering: .relaxed).oldValue }
}
