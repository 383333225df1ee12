import WaymarkImaging

extension Frame {
    /// The same picture with less to draw: sprites drawn texel for pixel that lie wholly under opaque pixels of later ones are
    /// left out, and those that show in part are cut down to the rectangle of what shows. No pixel changes.
    ///
    /// It walks from the topmost sprite down over a bit mask of covered pixels. On the software rasteriser the pixels of a
    /// dense scene are its cost; in a thin one the walk costs more than it saves, so it is left as it is.
    /// - Parameters:
    ///   - density: How often sprites must cover the picture on average before it is walked.
    ///   - opacities: What is known of images of frames before this one, by their keys.
    package consuming func culled(density: Double = Self.cullingDensity, _ opacities: ImageOpacities? = nil) -> Frame {
        if hasRisingRuns, spriteArea() > density * Double(width) * Double(height) { cull(opacities) }
        return self
    }

    /// Measured on the software rasteriser with 24-pixel icons: below, drawing what is hidden is as cheap as finding it.
    package static let cullingDensity = 1.5

    /// Whether each run begins where the one before it ended, or later: what is kept is gathered in the same array.
    private var hasRisingRuns: Bool {
        var end = 0
        for case .sprites(let range, _) in commands {
            guard range.lowerBound >= end else { return false }
            end = range.upperBound
        }
        return true
    }

    /// Device pixels of all sprites on the screen; those on the ground are not counted.
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

    private mutating func cull(_ opacities: ImageOpacities?) {
        let widest = images.map(\.bitmap.width).max() ?? 0
        var mask = CoverageMask(width: width, height: height, widest: widest)
        let rows = opacities?.rows(of: images) ?? images.map { OpaqueRows($0.bitmap) }
        // From the top down; what is kept gathers at the end of the array that it comes from.
        var kept = sprites.count
        var runs: [Command] = []
        var depth = 0
        for command in commands.reversed() {
            switch command {
            case .paths, .meshes:
                // Left as they are, and nothing beneath them is left out.
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
                        // What is in a group may be covered, but covers nothing: the group may be translucent.
                        guard let shown = sprites[index].shown(under: &mask, rows, covers: depth == 0) else { continue }
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
    /// What shows of the sprite: itself, cut down where that can be, or nil when it is covered. Lays its opaque pixels down.
    @inline(__always)
    fileprivate func shown(under mask: inout CoverageMask, _ rows: [OpaqueRows], covers: Bool) -> Sprite? {
        // Others stay: where one linear quad of a draw crosses the picture's edge, the software rasteriser interpolates all of
        // that draw with other last bits, so leaving one out may change a channel of another by a step.
        guard plane == .screen, sampling == .nearest else { return self }
        guard texelX == 0, texelY == 0 else { return self }
        guard let rect = mask.lay(rows[Int(image)], x: Int(x), y: Int(y), covers: covers && alpha == 1) else { return nil }
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

/// Which pixels of images are opaque, kept from frame to frame: thousands of captions are otherwise looked through each time.
package final class ImageOpacities {
    private var rows: [UInt64: OpaqueRows] = [:]

    package init() {}

    func rows(of images: [FrameImage]) -> [OpaqueRows] {
        let found = images.map { image in rows[image.key] ?? OpaqueRows(image.bitmap) }
        // What frames no longer show is let go of, once it is as much again.
        if rows.count > 2 * images.count + 1024 { rows = [:] }
        for (image, found) in zip(images, found) { rows[image.key] = found }
        return found
    }
}
