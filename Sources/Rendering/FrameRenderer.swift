import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// Turns frames into pixels. It knows primitives and OpenGL, and no overlay.
package final class FrameRenderer {
    package let context: Context
    private let atlas: ImageAtlas
    private let opacities = ImageOpacities()
    private let sprites: SpritePipeline
    private let paths: PathPainter
    private let layers: PathLayer
    private let targets: TargetPool
    /// Whether what is hidden is left out before it is drawn. Default on the software rasteriser.
    package var isCulling: Bool
    /// Draw calls issued for the last frame: what tests count.
    package var drawCount: Int { sprites.drawCount }
    /// How often images were laid out anew: what tests count.
    package var atlasRepacks: Int { atlas.repacks }
    /// Whether drawing is waited for before pixels are read back, so that the time of each is known. Default false.
    package var isTiming = false
    /// How long reading the last frame's pixels back took, when `isTiming`.
    package private(set) var readBackTime = Duration.zero
    /// How many threads draw paths at most. Their number changes no pixel.
    package var pathThreads: Int {
        get { paths.threadCount }
        set { paths.threadCount = max(1, newValue) }
    }

    package convenience init(_ context: Context) throws(GPUError) {
        try self.init(context, submission: nil)
    }

    /// - Parameters:
    ///   - submission: nil takes what is faster on the device.
    ///   - imageByteLimit: The most bytes of textures for images; at least a megabyte.
    ///   - pathTilePixels: The most pixels of paths that are drawn in memory at once.
    package init(
        _ context: Context, submission: SpriteSubmission?, imageByteLimit: Int = 256 << 20, pathTilePixels: Int = 4 << 20
    ) throws(GPUError) {
        self.context = context
        atlas = ImageAtlas(context, byteLimit: imageByteLimit)
        isCulling = context.info.isSoftware
        paths = PathPainter()
        layers = PathLayer(context, mostPixels: pathTilePixels)
        (sprites, targets) = try context.withCurrent { () throws(GPUError) in
            (try SpritePipeline(context, submission: submission), TargetPool(context))
        }
    }

    /// Draws a frame that the device can draw at once and reads it back into a bitmap, whose memory is used again when it is of the
    /// frame's size.
    func renderWhole(_ frame: consuming Frame, into bitmap: inout Bitmap) throws(GPUError) {
        // Hidden pixels are the software rasteriser's cost; a GPU draws them faster than they are found.
        let frame = isCulling ? frame.culled(opacities) : frame
        if bitmap.width != frame.width || bitmap.height != frame.height {
            bitmap = Bitmap(width: frame.width, height: frame.height)
        }
        readBackTime = .zero
        if case .paths(let range) = frame.commands.first, frame.commands.count == 1 {
            // Nothing that the device draws.
            sprites.drawCount = 0
            paths.draw(range, of: frame, into: &bitmap)
            return
        }
        try context.withCurrent { () throws(GPUError) in
            sprites.drawCount = 0
            // More images than may be on the GPU at once are brought there in turn.
            let images = atlas.fits(frame.images) ? try atlas.prepare(frame.images) : nil
            let target = try targets.take(width: frame.width, height: frame.height, isSwapped: context.prefersSwappedTargets)
            defer { targets.give(back: target) }
            // Paths at the bottom lie on the background before they are drawn: rounded once, and on every device alike.
            if case .paths = frame.commands.first { try target.clear() } else { try target.clear(SIMD4(frame.background)) }
            var painter = Painter(self, frame, images, target)
            try painter.paint()
            if isTiming { try context.finish() }
            let start = isTiming ? ContinuousClock.now : nil
            let read = bitmap.withUnsafeMutablePixels { pixels in
                Result { () throws(GPUError) in try target.read(into: UnsafeMutableRawBufferPointer(pixels)) }
            }
            try read.get()
            if let start { readBackTime = ContinuousClock.now - start }
        }
    }

    /// One frame being drawn: the stack of groups, the innermost last.
    private struct Painter {
        let renderer: FrameRenderer
        let frame: Frame
        /// nil when they are brought to the GPU in turn.
        let images: [ImageAtlas.Place]?
        var layers: [Layer]

        struct Layer {
            var target: Target
            var region: WaymarkFrame.PixelRect
            var camera: FrameCamera
            /// How it is laid on what is beneath; nil for the picture itself.
            var group: Group?
        }

        init(_ renderer: FrameRenderer, _ frame: Frame, _ images: [ImageAtlas.Place]?, _ target: Target) {
            self.renderer = renderer
            self.frame = frame
            self.images = images
            let whole = WaymarkFrame.PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
            layers = [Layer(target: target, region: whole, camera: FrameCamera(frame, region: whole))]
        }

        mutating func paint() throws(GPUError) {
            for (number, command) in frame.commands.enumerated() {
                switch command {
                case .paths(let range): try drawPaths(range, on: number == 0 ? frame.background : .clear)
                case .sprites(let range, let sampling): try drawSprites(frame.sprites[range], sampling)
                case .meshes: break
                case .beginGroup(let group): try begin(group)
                case .endGroup: try end()
                }
            }
            while layers.count > 1 { try end() }
        }

        /// Draws paths in memory, a tile of the picture at a time, and lays that on the target, texel for pixel.
        /// - Parameter background: What is beneath them already.
        private func drawPaths(_ range: Range<Int>, on background: Color) throws(GPUError) {
            guard let layer = layers.last else { return }
            let isClear = background == .clear
            guard let drawn = renderer.paths.prepare(range, of: frame, in: layer.region) ?? (isClear ? nil : layer.region) else { return }
            let bounds = isClear ? drawn : layer.region
            for tile in renderer.layers.tiles(bounds) {
                try renderer.layers.draw(tile, background: UInt32(premultiplied: background)) { pixels in
                    renderer.paths.paint(frame, into: pixels, rect: tile, stride: tile.width)
                }
                guard let texture = renderer.layers.texture else { continue }
                let sprite = Sprite(
                    x: Float(tile.x), y: Float(tile.y), across: (Float(tile.width), 0), down: (0, Float(tile.height)), image: 0,
                    sampling: .nearest)
                let place = ImageAtlas.Place(texture: 0, layer: 0, x: 0, y: 0, width: UInt16(tile.width), height: UInt16(tile.height))
                try renderer.sprites.draw(
                    [sprite], .nearest,
                    SpritePipeline.Surroundings(target: layer.target, camera: layer.camera, images: [place], textures: [texture]))
            }
        }

        private func drawSprites(_ sprites: ArraySlice<Sprite>, _ sampling: Sampling) throws(GPUError) {
            guard let layer = layers.last else { return }
            guard images == nil else { return try draw(sprites, sampling, images ?? [], layer) }
            // Stretches of sprites whose images fit together.
            var start = sprites.startIndex
            while start < sprites.endIndex {
                var used: Set<UInt32> = []
                var byteCount = 0
                var end = start
                while end < sprites.endIndex {
                    let number = sprites[end].image
                    if used.insert(number).inserted {
                        byteCount += frame.images[Int(number)].bitmap.pixels.count
                        guard used.count == 1 || byteCount <= renderer.atlas.frameByteLimit else { break }
                    }
                    end += 1
                }
                let numbers = Set(sprites[start..<end].map(\.image)).sorted()
                let places = try renderer.atlas.prepare(numbers.map { frame.images[Int($0)] })
                var images = [ImageAtlas.Place](repeating: .none, count: frame.images.count)
                for (number, place) in zip(numbers, places) { images[Int(number)] = place }
                try draw(sprites[start..<end], sampling, images, layer)
                start = end
            }
        }

        private func draw(
            _ sprites: ArraySlice<Sprite>, _ sampling: Sampling, _ images: [ImageAtlas.Place], _ layer: Layer
        ) throws(GPUError) {
            try renderer.sprites.draw(
                sprites, sampling,
                SpritePipeline.Surroundings(
                    target: layer.target, camera: layer.camera, images: images, textures: renderer.atlas.textures))
        }

        private mutating func begin(_ group: Group) throws(GPUError) {
            let target = try renderer.targets.take(
                width: group.bounds.width, height: group.bounds.height, samples: group.samples > 1 ? group.samples : 0,
                depth: group.depths != nil)
            try target.clear()
            layers.append(
                Layer(target: target, region: group.bounds, camera: FrameCamera(frame, region: group.bounds), group: group))
        }

        /// Lays the innermost group on what is beneath it: one sprite, texel for pixel.
        private mutating func end() throws(GPUError) {
            guard layers.count > 1, let top = layers.popLast(), let group = top.group, let beneath = layers.last else { return }
            defer { renderer.targets.give(back: top.target) }
            let bounds = group.bounds
            let sprite = Sprite(
                x: Float(bounds.x), y: Float(bounds.y), across: (Float(bounds.width), 0), down: (0, Float(bounds.height)),
                alpha: group.alpha, image: 0, sampling: .nearest)
            let place = ImageAtlas.Place(
                texture: 0, layer: 0, x: 0, y: 0, width: UInt16(bounds.width), height: UInt16(bounds.height))
            try renderer.sprites.draw(
                [sprite], .nearest,
                SpritePipeline.Surroundings(
                    target: beneath.target, camera: beneath.camera, images: [place], textures: [top.target.texture()]))
        }
    }
}

extension SIMD4<Float> {
    /// A colour as it is stored: premultiplied, in steps of 1/255.
    fileprivate init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self = SIMD4(Float(bytes.red), Float(bytes.green), Float(bytes.blue), Float(bytes.alpha)) / 255
    }
}

/// Targets that were used before, by what they are; the picture's size seldom changes.
private final class TargetPool {
    private let context: Context
    private var idle: [Target] = []
    private static let limit = 4

    init(_ context: Context) {
        self.context = context
    }

    func take(
        width: Int, height: Int, samples: Int = 0, depth: Bool = false, isSwapped: Bool = false
    ) throws(GPUError) -> Target {
        if let index = idle.lastIndex(where: {
            $0.width == width && $0.height == height && $0.samples == samples && $0.hasDepth == depth && $0.isSwapped == isSwapped
        }) {
            return idle.remove(at: index)
        }
        return try Target(context, width: width, height: height, samples: samples, depth: depth, isSwapped: isSwapped)
    }

    func give(back target: Target) {
        idle.append(target)
        if idle.count > Self.limit { idle.removeFirst() }
    }
}
