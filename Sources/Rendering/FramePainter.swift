import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

/// Draws one frame; holds the stack of open groups, the innermost last.
struct FramePainter {
    let device: DeviceParts
    let frame: Frame
    /// The regions of the images; nil if they do not fit on the GPU together and are uploaded in turn.
    let images: [AtlasRegion]?
    /// The region to show for each ground tile.
    let tiles: [TileRegion?]
    private var layers: [Layer]
    /// The sky, once it is drawn. Everything on the ground that is drawn later fades into it.
    private var sky: FrameSky?
    /// The images uploaded in turn: the range of sprites whose images are on the device, the numbers of these images, and their regions by
    /// number.
    private var turn: (start: Int, end: Int, numbers: [UInt32], regions: [AtlasRegion])

    private struct Layer {
        var target: Target
        var region: PixelRect
        var camera: FrameCamera
        /// The group of the layer; nil for the picture itself.
        var group: Group?
        /// Whether the group is drawn directly into the target of the layer beneath, within its bounds.
        var isDirect = false
    }

    init(_ device: DeviceParts, _ frame: Frame, _ images: [AtlasRegion]?, _ tiles: [TileRegion?], _ target: Target) {
        self.device = device
        self.frame = frame
        self.images = images
        self.tiles = tiles
        turn = (0, 0, [], [])
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        layers = [Layer(target: target, region: whole, camera: FrameCamera(frame, region: whole))]
    }

    mutating func paint() throws(GPUError) {
        let bottom = frame.bottom
        if bottom.count > 0 { try drawPaths(bottom.paths, on: frame.background, under: bottom.sky) }
        sky = bottom.sky
        for (number, command) in frame.commands.enumerated().dropFirst(bottom.count) {
            switch command {
            case .paths(let range): try drawPaths(range, on: .clear)
            case .sprites(let range, let sampling): try drawSprites(range, sampling)
            case .meshes(let range, let blending): try drawMeshes(range, blending)
            case .tiles(let range, let drawing): try drawTiles(range, drawing)
            case .sky(let sky): try draw(sky)
            case .beginGroup(let group): try begin(group, frame.contents(ofGroup: number))
            case .endGroup: try end()
            }
        }
        while layers.count > 1 { try end() }
    }

    /// Rasterizes paths in memory, tile by tile, and draws the non-empty parts of each tile into the target as sprites, texel for pixel.
    /// - Parameters:
    ///   - background: The color beneath the paths.
    ///   - above: The sky into which the paths fade together with the background.
    private func drawPaths(_ range: Range<Int>, on background: Color, under above: FrameSky? = nil) throws(GPUError) {
        guard let layer = layers.last else { return }
        let isClear = background == .clear && above == nil
        guard let drawn = device.paths.prepare(range, of: frame, in: layer.region) ?? (isClear ? nil : layer.region) else { return }
        let bounds = isClear ? drawn : layer.region
        let fade = above == nil && sky != nil && frame.paths[range].first?.fades == true ? sky : nil
        let origin = (x: Int(frame.ground.originX), y: Int(frame.ground.originY))
        for tile in device.layers.tiles(bounds) {
            let parts = try device.layers.draw(tile, background: UInt32(premultiplied: background)) { pixels in
                device.paths.paint(frame, into: pixels, rect: tile, stride: tile.width)
                let (x, y) = (tile.x + origin.x, tile.y + origin.y)
                above?.fade(pixels, width: tile.width, height: tile.height, x: x, y: y, .ground)
                fade?.fade(pixels, width: tile.width, height: tile.height, x: x, y: y, .layer)
            }
            try draw(parts, of: device.layers.texture, at: tile, layer)
        }
    }

    /// Draws parts of a rectangle of the picture, texel for pixel. The parts are in pixels from the upper left of the rectangle, which is
    /// also the texture's.
    private func draw(
        _ parts: [PixelRect], of texture: Texture?, at rect: PixelRect, alpha: Float = 1, _ layer: Layer
    ) throws(GPUError) {
        guard let texture, !parts.isEmpty else { return }
        let sprites = parts.enumerated().map { number, part in
            Sprite(x: rect.x + part.x, y: rect.y + part.y, width: part.width, height: part.height, alpha: alpha, image: number)
        }
        let regions = parts.map { part in
            AtlasRegion(x: UInt16(part.x), y: UInt16(part.y), width: UInt16(part.width), height: UInt16(part.height))
        }
        try device.sprites.draw(
            sprites[...], .nearest, SpritePassState(target: layer.target, camera: layer.camera, images: regions, textures: [texture]))
    }

    private mutating func drawSprites(_ range: Range<Int>, _ sampling: Sampling) throws(GPUError) {
        guard let layer = layers.last else { return }
        if let images { return try draw(frame.sprites[range], sampling, images, layer) }
        var start = range.lowerBound
        while start < range.upperBound {
            if !(turn.start..<turn.end ~= start) { try takeTurn(from: start) }
            let end = min(range.upperBound, turn.end)
            try draw(frame.sprites[start..<end], sampling, turn.regions, layer)
            start = end
        }
    }

    /// Uploads the images of as many of the following sprites as fit on the device together, regardless of their runs.
    private mutating func takeTurn(from start: Int) throws(GPUError) {
        for number in turn.numbers { turn.regions[Int(number)] = .none }
        if turn.regions.isEmpty { turn.regions = [AtlasRegion](repeating: .none, count: frame.images.count) }
        var used: Set<UInt32> = []
        var byteCount = 0
        var end = start
        while end < frame.sprites.count {
            let number = frame.sprites[end].image
            if used.insert(number).inserted {
                byteCount += frame.images[Int(number)].byteCount
                if used.count > 1, byteCount > device.atlas.bytesAtOnce {
                    used.remove(number)
                    break
                }
            }
            end += 1
        }
        (turn.numbers, turn.start, turn.end) = (used.sorted(), start, end)
        let regions = try device.atlas.prepare(turn.numbers.map { frame.images[Int($0)] })
        for (number, region) in zip(turn.numbers, regions) { turn.regions[Int(number)] = region }
    }

    private func draw(
        _ sprites: ArraySlice<Sprite>, _ sampling: Sampling, _ images: [AtlasRegion], _ layer: Layer
    ) throws(GPUError) {
        try device.sprites.draw(
            sprites, sampling,
            SpritePassState(
                target: layer.target, camera: layer.camera, images: images, textures: device.atlas.textures,
                sky: sky.map { SkyUniforms($0, of: frame, layer.region) }))
    }

    private func drawTiles(_ range: Range<Int>, _ drawing: TileDrawing) throws(GPUError) {
        guard let layer = layers.last else { return }
        if device.tileTextures.paintsTiles(drawing.filter) {
            for rect in device.layers.tiles(layer.region) {
                let painter = TilePainter([(range, drawing.alpha)], of: frame, tiles, in: rect)
                let parts = try device.layers.draw(rect, background: 0) { painter.paint($0, threads: device.paths.threadCount) }
                try draw(parts, of: device.layers.texture, at: rect, layer)
            }
            return
        }
        try device.tiles.draw(range, drawing, of: frame, tiles, layer.target, layer.camera)
    }

    private mutating func draw(_ sky: FrameSky) throws(GPUError) {
        guard let layer = layers.last else { return }
        try device.tiles.drawSky(SkyUniforms(sky, of: frame, layer.region), layer.target)
        self.sky = sky
    }

    private func drawMeshes(_ range: Range<Int>, _ blending: MeshBlending) throws(GPUError) {
        // Without a group with depth, the depth range is unknown.
        guard let layer = layers.last, let group = layer.group, let depths = group.depths else { return }
        var scissor: PixelRect?
        if layer.isDirect {
            guard let rect = group.bounds.within(layer.region) else { return }
            // A scissor at the target's edges costs the software rasterizer 5 % of a dense mesh.
            let isWhole = rect.width == layer.target.width && rect.height == layer.target.height
            scissor = isWhole ? nil : rect
        }
        try device.meshes.draw(
            range, blending, of: frame,
            MeshPassState(
                target: layer.target, camera: layer.camera, depths: depths, scissor: scissor,
                sky: sky.map { SkyUniforms($0, of: frame, layer.region) }))
    }

    private mutating func begin(_ group: Group, _ contents: ArraySlice<Command>) throws(GPUError) {
        let depth = group.depths == nil ? DepthBuffer.none : device.meshes.depthBuffer
        let hasTranslucent = contents.contains { if case .meshes(_, .translucent) = $0 { true } else { false } }
        let hasStencil = depth != .none && hasTranslucent
        if let beneath = layers.last, group.isDirect(contents), beneath.target.samples == 0 {
            // Drawing directly into the layer beneath gives the same picture; a layer of a megapixel costs the software rasterizer as much
            // as about ten thousand triangles.
            var layer = beneath
            (layer.group, layer.isDirect) = (group, true)
            layers.append(layer)
            guard let rect = group.bounds.within(layer.region) else { return }
            try layer.target.addDepth(depth, hasStencil: hasStencil)
            try layer.target.clearDepth(rect)
            return
        }
        let target = try device.targets.take(
            width: group.bounds.width, height: group.bounds.height, samples: group.samples > 1 ? group.samples : 0, depth: depth,
            hasStencil: hasStencil)
        try target.clear()
        layers.append(Layer(target: target, region: group.bounds, camera: FrameCamera(frame, region: group.bounds), group: group))
    }

    /// Composites the innermost group onto the layer beneath it: one sprite, texel for pixel.
    private mutating func end() throws(GPUError) {
        guard layers.count > 1, let top = layers.popLast(), let group = top.group, let beneath = layers.last else { return }
        if top.isDirect { return }
        defer { device.targets.give(back: top.target) }
        let whole = PixelRect(x: 0, y: 0, width: group.bounds.width, height: group.bounds.height)
        try draw([whole], of: top.target.texture(), at: group.bounds, alpha: group.alpha, beneath)
    }
}

extension Frame {
    /// The commands between a group's beginning and its end.
    fileprivate func contents(ofGroup number: Int) -> ArraySlice<Command> {
        var depth = 0
        for index in commands.indices[number...] {
            switch commands[index] {
            case .beginGroup: depth += 1
            case .endGroup: depth -= 1
            case .sprites, .paths, .meshes, .tiles, .sky: break
            }
            if depth == 0 { return commands[(number + 1)..<index] }
        }
        return commands[(number + 1)...]
    }
}

extension Group {
    /// Whether the group's contents may be drawn directly into the layer beneath, because no property applies to the group as a whole.
    fileprivate func isDirect(_ contents: ArraySlice<Command>) -> Bool {
        depths != nil && alpha == 1 && samples <= 1 && contents.allSatisfy { if case .meshes = $0 { true } else { false } }
    }
}

extension PixelRect {
    /// The intersection with a region, in pixels from the region's upper left; nil if it is empty.
    fileprivate func within(_ region: Self) -> PixelRect? {
        let shared = intersection(region)
        return shared.width > 0 && shared.height > 0 ? shared.moved(x: -region.x, y: -region.y) : nil
    }
}
