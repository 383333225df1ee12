import WaymarkImaging

extension Frame {
    /// The same picture with less to draw. Sprites drawn one texel per pixel are removed when opaque pixels of later ones cover them, and
    /// cropped to the bounding rectangle of their visible pixels otherwise. No pixel changes.
    ///
    /// Sprites are visited from the top down, with a bit mask of covered pixels. With the software rasterizer, the number of pixels
    /// dominates the cost of a dense scene. A sparse scene is left unchanged, because the visit would cost more than it saves.
    /// - Parameters:
    ///   - density: Sprites are culled only if their total area exceeds this many times the area of the picture.
    ///   - opacities: A cache of image opacities from earlier frames.
    package consuming func culled(density: Double = Self.cullingDensity, _ opacities: ImageOpacities = ImageOpacities()) -> Frame {
        if hasRisingRuns, spriteArea() > density * Double(width) * Double(height) { cull(opacities) }
        return self
    }

    /// Measured with the software rasterizer and 24-pixel icons: below this density, drawing hidden sprites is as cheap as finding them.
    package static let cullingDensity = 1.5

    /// Whether the ranges of successive runs ascend. `cull` requires this, because it collects the sprites that it keeps in the same
    /// array.
    private var hasRisingRuns: Bool {
        var end = 0
        for case .sprites(let range, _) in commands {
            guard range.lowerBound >= end else { return false }
            end = range.upperBound
        }
        return true
    }

    /// The total area of all sprites in the screen plane, in device pixels; sprites on the ground are not counted.
    private func spriteArea() -> Double {
        sprites.withUnsafeBufferPointer { sprites in
            var sum: Float = 0
            var total = 0.0
            for (index, sprite) in sprites.enumerated() {
                sum += abs(sprite.acrossX * sprite.downY - sprite.acrossY * sprite.downX) * (sprite.plane == .screen ? 1 : 0)
                if index & 1023 == 1023 {
                    total += Double(sum)
                    sum = 0
                }
            }
            return total + Double(sum)
        }
    }

    private mutating func cull(_ opacities: ImageOpacities) {
        let images = images
        let widest = images.lazy.map(\.width).max() ?? 0
        var mask = CoverageMask(width: width, height: height, widest: widest)
        // The owners of the rows, and the rows themselves as plain memory, which needs no reference counting for each sprite.
        var owners = opacities.rows(of: images)
        var rows = owners.map { $0?.words }
        defer { withExtendedLifetime(owners) {} }
        /// The rows of an image that is drawn for the first time.
        func look(_ image: Int) -> OpaqueRows.Words {
            let found = opacities.rows(of: images[image])
            owners[image] = found
            return found.words
        }
        // The visit goes from the top down. The sprites to keep are collected at the end of the same array.
        var kept = sprites.count
        var runs: [Command] = []
        var depth = 0
        for command in commands.reversed() {
            switch command {
            case .paths, .meshes, .tiles, .sky:
                // These commands are kept unchanged, and cover nothing.
                runs.append(command)
            case .endGroup:
                depth += 1
                runs.append(command)
            case .beginGroup:
                depth -= 1
                runs.append(command)
            case .sprites(let range, let sampling):
                let end = kept
                sprites.withUnsafeMutableBufferPointer { sprites in
                    for index in range.reversed() {
                        // Sprites in a group may be covered, but cover nothing, because the group may be translucent.
                        guard let shown = sprites[index].shown(under: &mask, images, &rows, covers: depth == 0, unknown: look) else {
                            continue
                        }
                        kept -= 1
                        sprites[kept] = shown
                    }
                }
                if kept < end { runs.append(.sprites(kept..<end, sampling)) }
            }
        }
        sprites.removeFirst(kept)
        commands = runs.reversed().map { command in
            guard case .sprites(let range, let sampling) = command else { return command }
            return .sprites(range.lowerBound - kept..<range.upperBound - kept, sampling)
        }
    }
}

extension Sprite {
    /// The visible part of the sprite: the sprite itself, cropped if possible, or nil when it is covered. Adds its opaque pixels to the
    /// mask if `covers`.
    @inline(__always)
    fileprivate func shown(
        under mask: inout CoverageMask, _ images: [FrameImage], _ rows: inout [OpaqueRows.Words?], covers: Bool,
        unknown: (Int) -> OpaqueRows.Words
    ) -> Sprite? {
        // Linearly sampled sprites are kept: when one quad of a draw call crosses the picture's edge, the software rasterizer rounds
        // the interpolation of the whole draw call differently, so omitting one sprite may change a channel of another by 1.
        guard plane == .screen, sampling == .nearest else { return self }
        guard texelX == 0, texelY == 0 else { return self }
        let known: OpaqueRows.Words
        if let words = rows[Int(image)] {
            known = words
        } else {
            // Most captions of a dense picture are hidden, and are never drawn into bitmaps.
            let (width, height) = (images[Int(image)].width, images[Int(image)].height)
            guard mask.isUncovered(x: Int(x), y: Int(y), width: width, height: height) else { return nil }
            known = unknown(Int(image))
            rows[Int(image)] = known
        }
        guard let rect = mask.cover(known, x: Int(x), y: Int(y), covers: covers && alpha == 1) else { return nil }
        var sprite = self
        sprite.x += Float(rect.x)
        sprite.y += Float(rect.y)
        sprite.acrossX = Float(rect.width)
        sprite.downY = Float(rect.height)
        sprite.texelX = UInt16(rect.x)
        sprite.texelY = UInt16(rect.y)
        return sprite
    }
}

/// A cache of the opaque pixels of images. It is kept between frames, because thousands of captions would otherwise be scanned for every
/// frame.
package final class ImageOpacities: BudgetedCache {
    private var rows = LRUCache<UInt64, OpaqueRows>()
    private var madeByteCount = 0
    /// Called before the pixels of an image are made.
    private let makeRoom: (_ bytes: Int) -> Void

    package init(makeRoom: @escaping (_ bytes: Int) -> Void = { _ in }) {
        self.makeRoom = makeRoom
    }

    package var keptBytes: Int { rows.byteCount }
    package var oldestUse: UInt64? { rows.oldestUse }
    package func evict(through picture: UInt64, bytes: Int) { rows.evict(through: picture, bytes: bytes) }

    /// The opaque pixels of each image; nil if they are not known.
    func rows(of images: [FrameImage]) -> [OpaqueRows?] {
        images.map { rows.value(for: $0.key) }
    }

    /// The opaque pixels of an image that are not known yet.
    func rows(of image: FrameImage) -> OpaqueRows {
        if image.isMade {
            madeByteCount += image.byteCount
            if madeByteCount > 1 << 18 {
                makeRoom(madeByteCount)
                madeByteCount = 0
            }
        }
        let found = OpaqueRows(image.bitmap)
        rows.insert(found, for: image.key, byteCount: found.byteCount)
        return found
    }
}
