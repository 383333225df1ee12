import WaymarkImaging
import WaymarkRaster

extension Frame {
    /// A rectangle of the picture as a separate frame. It gives the same pixels, up to rounding where a device interpolates.
    ///
    /// Primitives outside the rectangle are omitted, so that a picture drawn in many tiles costs little more than a picture drawn as a
    /// whole.
    /// - Parameter rect: A rectangle inside the picture, of at least one pixel.
    package func cropped(to rect: PixelRect) -> Frame {
        var crop = FrameCropping(self, rect)
        for command in commands { crop.take(command) }
        return crop.frame
    }
}

/// Copies the part of a frame that is visible in a rectangle.
private struct FrameCropping {
    let whole: Frame
    let rect: PixelRect
    var frame: Frame
    /// The current nesting depth of groups outside the rectangle.
    private var hiddenGroups = 0

    init(_ whole: Frame, _ rect: PixelRect) {
        self.whole = whole
        self.rect = rect
        frame = Frame(width: rect.width, height: rect.height, background: whole.background, ground: whole.ground)
        frame.ground.originX += Double(rect.x)
        frame.ground.originY += Double(rect.y)
        frame.images = whole.images
        frame.meshes = whole.meshes
        frame.lightings = whole.lightings
        frame.meshInstances = whole.meshInstances
        frame.tileSets = whole.tileSets
    }

    mutating func take(_ command: Command) {
        switch command {
        case .beginGroup(var group):
            let bounds = group.bounds.intersection(rect)
            guard hiddenGroups == 0, bounds.width > 0, bounds.height > 0 else {
                hiddenGroups += 1
                return
            }
            group.bounds = bounds.moved(x: -rect.x, y: -rect.y)
            frame.commands.append(.beginGroup(group))
        case .endGroup:
            if hiddenGroups > 0 { hiddenGroups -= 1 } else { frame.commands.append(.endGroup) }
        case _ where hiddenGroups > 0: break
        case .sprites(let range, let sampling): takeSprites(range, sampling)
        case .paths(let range): takePaths(range)
        case .tiles(let range, let drawing): takeTiles(range, drawing)
        // The device clips meshes; they do not depend on the picture's origin.
        case .meshes, .sky: frame.commands.append(command)
        }
    }

    private mutating func takeTiles(_ range: Range<Int>, _ drawing: TileDrawing) {
        let first = frame.tiles.count
        let bounds = SIMD4<Double>(0, 0, Double(rect.width), Double(rect.height))
        frame.tiles += whole.tiles[range].lazy.filter { $0.mayTouch(bounds, frame.ground) }
        if frame.tiles.count > first { frame.commands.append(.tiles(first..<frame.tiles.count, drawing)) }
    }

    private mutating func takeSprites(_ range: Range<Int>, _ sampling: Sampling) {
        let first = frame.sprites.count
        let (x, y) = (Float(rect.x), Float(rect.y))
        // Antialiased edges extend half a pixel beyond the quad.
        let (left, top, right, bottom) = (x - 1, y - 1, x + Float(rect.width) + 1, y + Float(rect.height) + 1)
        whole.sprites.withUnsafeBufferPointer { sprites in
            for var sprite in sprites[range] {
                if sprite.plane == .screen {
                    let (acrossX, downX, acrossY, downY) = (sprite.acrossX, sprite.downX, sprite.acrossY, sprite.downY)
                    let lowX = sprite.x + min(0, acrossX) + min(0, downX)
                    let lowY = sprite.y + min(0, acrossY) + min(0, downY)
                    guard lowX < right, lowY < bottom, lowX + abs(acrossX) + abs(downX) > left, lowY + abs(acrossY) + abs(downY) > top
                    else { continue }
                    sprite.x -= x
                    sprite.y -= y
                }
                frame.sprites.append(sprite)
            }
        }
        if frame.sprites.count > first { frame.commands.append(.sprites(first..<frame.sprites.count, sampling)) }
    }

    /// Copies paths. A path is copied together with the knockouts, inlays and joined fills that follow it, because they depend on it.
    private mutating func takePaths(_ range: Range<Int>) {
        let first = frame.paths.count
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, whole.paths[end].layering.continuesPath { end += 1 }
            if whole.paths[start..<end].contains(where: isShown) {
                for path in whole.paths[start..<end] { take(path) }
            }
            start = end
        }
        if frame.paths.count > first { frame.commands.append(.paths(first..<frame.paths.count)) }
    }

    private func isShown(_ path: Path) -> Bool {
        var (low, high) = (PathPoint(repeating: .infinity), PathPoint(repeating: -.infinity))
        for index in path.contours {
            for point in whole.points(ofContour: index) {
                low = pointwiseMin(low, point)
                high = pointwiseMax(high, point)
            }
        }
        return low.x < Float(rect.x + rect.width) && low.y < Float(rect.y + rect.height) && high.x > Float(rect.x) && high.y > Float(rect.y)
    }

    private mutating func take(_ path: Path) {
        let origin = PathPoint(Float(rect.x), Float(rect.y))
        let firstContour = frame.contours.count
        for index in path.contours {
            frame.pathPoints.append(contentsOf: whole.points(ofContour: index).lazy.map { $0 - origin })
            frame.contours.append(frame.pathPoints.count)
        }
        var copy = path
        let moved = firstContour - path.contours.lowerBound
        copy.contours = firstContour..<frame.contours.count
        let firstPart = frame.parts.count
        frame.parts.append(contentsOf: whole.parts[path.parts].lazy.map { $0 + moved })
        copy.parts = path.parts.isEmpty ? 0..<0 : firstPart..<frame.parts.count
        let firstShade = frame.shades.count
        for var shade in whole.shades[path.shades] {
            shade.start -= origin
            shade.end -= origin
            frame.shades.append(shade)
        }
        copy.shades = firstShade..<frame.shades.count
        frame.paths.append(copy)
    }
}

extension PixelRect {
    /// The intersection of two rectangles; of size 0 when it is empty.
    package func intersection(_ other: PixelRect) -> PixelRect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        return PixelRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    package func moved(x dx: Int, y dy: Int) -> PixelRect { PixelRect(x: x + dx, y: y + dy, width: width, height: height) }
}
