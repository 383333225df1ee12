import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkTiles

/// Draws runs of ground tiles, and the sky. Tiles drawn texel for pixel are sprites, which the software rasterizer draws fastest.
final class TilePipeline {
    private let context: Context
    private let sprites: SpritePipeline
    private let corners: Buffer
    /// The pipelines, compiled when first needed.
    private var pipelines: [TileVariant: Pipeline] = [:]
    private var skies: [SkyVariant: Pipeline] = [:]
    /// The draw calls since this was last reset to 0.
    var drawCount = 0

    private struct TileVariant: Hashable {
        var isMipmapped: Bool
        var isSwapped: Bool

        var defines: [String] { (isMipmapped ? ["MIPMAPPED"] : []) + (isSwapped ? ["SWAPPED"] : []) }
    }

    fileprivate struct SkyVariant: Hashable {
        var define: String
        var blend: Pipeline.Blend
    }

    init(_ context: Context, _ sprites: SpritePipeline) throws(GPUError) {
        self.context = context
        self.sprites = sprites
        corners = try Buffer(context, usage: .stream)
    }

    /// Draws a range of a frame's ground tiles, grouped by page. Tiles do not overlap, so their order does not matter.
    /// - Parameters:
    ///   - regions: The region to show for each ground tile.
    func draw(
        _ range: Range<Int>, _ drawing: TileDrawing, of frame: Frame, _ regions: [TileRegion?], _ target: Target, _ camera: FrameCamera
    ) throws(GPUError) {
        var pages: [(texture: Texture, exact: [Int], others: [Int])] = []
        for index in range {
            guard let shown = regions[index], case .texture(let texture) = shown.storage else { continue }
            let page = pages.firstIndex { $0.texture === texture } ?? pages.count
            if page == pages.count { pages.append((texture, [], [])) }
            if drawing.filter == .exact, frame.exactWidth(of: frame.tiles[index], shown) == shown.sheet.side {
                pages[page].exact.append(index)
            } else {
                pages[page].others.append(index)
            }
        }
        for page in pages {
            if !page.exact.isEmpty { try drawExact(page.exact, drawing, of: frame, regions, page.texture, target, camera) }
            if !page.others.isEmpty { try draw(page.others, drawing, of: frame, regions, page.texture, target, camera) }
        }
    }

    private func drawExact(
        _ indices: [Int], _ drawing: TileDrawing, of frame: Frame, _ regions: [TileRegion?], _ texture: Texture, _ target: Target,
        _ camera: FrameCamera
    ) throws(GPUError) {
        let side = Float(texture.width)
        var list: [Sprite] = []
        var images: [AtlasRegion] = []
        for index in indices {
            guard let shown = regions[index] else { continue }
            let corner = frame.exactCorner(of: frame.tiles[index])
            list.append(
                Sprite(
                    x: Float(corner.x), y: Float(corner.y), across: (side, 0), down: (0, side), alpha: drawing.alpha,
                    image: images.count, sampling: .nearest))
            images.append(AtlasRegion(layer: UInt16(shown.layer), width: UInt16(texture.width), height: UInt16(texture.height)))
        }
        try sprites.draw(list[...], .nearest, SpritePassState(target: target, camera: camera, images: images, textures: [texture]))
    }

    private func draw(
        _ indices: [Int], _ drawing: TileDrawing, of frame: Frame, _ regions: [TileRegion?], _ texture: Texture, _ target: Target,
        _ camera: FrameCamera
    ) throws(GPUError) {
        var list: [TileCorner] = []
        list.reserveCapacity(indices.count * 6)
        for index in indices {
            guard let shown = regions[index] else { continue }
            TileCorner.append(frame.tiles[index], shown, drawing.filter, to: &list)
        }
        try corners.write(byteCount: list.count * MemoryLayout<TileCorner>.stride) { memory in
            let output = memory.bindMemory(to: TileCorner.self)
            _ = output.update(from: list)
        }
        let variant = TileVariant(isMipmapped: drawing.filter == .mipmapped, isSwapped: target.isSwapped)
        var command = DrawCommand(try pipelines.pipeline(variant, context) { .tile(defines: variant.defines) }, count: list.count)
        command.vertices = [VertexBinding(corners)]
        command.textures = [TextureBinding("tiles", texture, .linear)]
        command.uniforms = camera.groundUniforms + [Uniform("alpha", .float(drawing.alpha))]
        if variant.isMipmapped, let sheet = indices.lazy.compactMap({ regions[$0]?.sheet }).first {
            command.uniforms += [
                Uniform("sheet", .vector3([Float(sheet.side), Float(sheet.levels - 1), Float(sheet.margin)])),
                Uniform("texel", .vector2([1 / Float(sheet.width), 1 / Float(sheet.height)])),
            ]
        }
        drawCount += 1
        try context.draw(command, into: target)
    }

    /// Draws the sky over the part of the target beyond the edges of the ground, and fades the ground in front of these edges.
    func drawSky(_ sky: SkyUniforms, _ target: Target) throws(GPUError) {
        let rows = sky.rows(of: target)
        guard rows > 0 else { return }
        func draw(_ uniforms: [Uniform], _ blend: Pipeline.Blend) throws(GPUError) {
            let variant = SkyVariant(define: sky.define, blend: blend)
            var command = DrawCommand(try skies.pipeline(variant, context) { .sky(variant) }, count: 4)
            command.uniforms = uniforms
            command.scissor = PixelRect(x: 0, y: 0, width: target.width, height: rows)
            drawCount += 1
            try context.draw(command, into: target)
        }
        let colors = sky.uniforms(isSwapped: target.isSwapped)
        if sky.sky.isOpaque { return try draw(colors, .premultipliedAlpha) }
        // The pixels beneath fade out as the sky fades in.
        try draw(sky.uniforms([0, 0, 0, 1], [0, 0, 0, 1]), .erase)
        if !sky.sky.isClear { try draw(colors, .add) }
    }
}

extension Pipeline.Descriptor {
    fileprivate static func tile(defines: [String]) -> Self {
        var descriptor = Self()
        descriptor.name = (["tile"] + defines).joined(separator: " ")
        descriptor.vertex = ShaderSource.tileVertex
        descriptor.fragment = ShaderSource.tileFragment
        descriptor.defines = defines
        descriptor.layouts = [TileCorner.layout]
        return descriptor
    }

    fileprivate static func sky(_ variant: TilePipeline.SkyVariant) -> Self {
        var descriptor = Self()
        descriptor.name = "sky \(variant.define)"
        descriptor.vertex = ShaderSource.skyVertex
        descriptor.fragment = ShaderSource.skyFragment
        descriptor.defines = [variant.define]
        descriptor.topology = .triangleStrip
        descriptor.blend = variant.blend
        return descriptor
    }
}

extension Dictionary where Value == Pipeline {
    /// The pipeline of a variant, compiled when first needed.
    mutating func pipeline(
        _ variant: Key, _ context: Context, _ describe: () -> Pipeline.Descriptor
    ) throws(GPUError) -> Pipeline {
        if let known = self[variant] { return known }
        let pipeline = try Pipeline(context, describe())
        self[variant] = pipeline
        return pipeline
    }
}

extension Frame {
    /// The position in device pixels, from the frame's upper left, of the upper left corner of a tile whose edges are on whole pixels.
    fileprivate func exactCorner(of tile: GroundTile) -> (x: Int, y: Int) {
        (
            wholePixel(ground.width / 2 + ground.opticalOffsetX + Double(tile.west), ground.originX),
            wholePixel(ground.height / 2 + ground.opticalOffsetY + Double(tile.north), ground.originY)
        )
    }

    /// The tile's width in device pixels if it shows its own image, or 0 if it shows a part of an ancestor's.
    fileprivate func exactWidth(of tile: GroundTile, _ shown: TileRegion) -> Int {
        guard tile.address == shown.address else { return 0 }
        return wholePixel(Double(tile.east) - Double(tile.west), 0)
    }

    private func wholePixel(_ points: Double, _ origin: Double) -> Int { Int((points * ground.pixelRatio - origin).rounded()) }
}

/// A corner of a triangle. The fields have the order and the names of the shader's `in` variables.
struct TileCorner {
    var groundPoints: (x: Float, y: Float)
    var tilePoint: (u: Float, v: Float, layer: Float)

    fileprivate static let layout = VertexLayout(
        stride: MemoryLayout<Self>.stride,
        attributes: [
            .init(location: 0, .float, count: 2, offset: 0),
            .init(location: 1, .float, count: 3, offset: 8),
        ])

    /// Adds the triangles of a ground tile: two, or a fan around its center if some sides have a corner in the middle.
    fileprivate static func append(_ tile: GroundTile, _ shown: TileRegion, _ filter: TileDrawing.Filter, to list: inout [TileCorner]) {
        // The part of the shown ancestor that the tile covers.
        let depth = tile.address.zoom - shown.address.zoom
        let part = 1 / Double(1 << depth)
        let (left, top) = (
            Double(tile.address.x - shown.address.x << depth) * part, Double(tile.address.y - shown.address.y << depth) * part
        )
        let sheet = shown.sheet
        // Positions are in texels of the tile if the shader chooses among its copies, and otherwise fractions of the texture.
        let (margin, width, height) =
            filter == .mipmapped ? (0, 1, 1) : (Double(sheet.margin), Double(sheet.width), Double(sheet.height))
        let layer = Float(shown.layer)
        // `x` and `y` are in halves of the tile: 0, 1 or 2.
        func corner(_ x: Int, _ y: Int) -> TileCorner {
            TileCorner(
                groundPoints: (
                    x == 0 ? tile.west : x == 1 ? tile.middleX : tile.east, y == 0 ? tile.north : y == 1 ? tile.middleY : tile.south
                ),
                tilePoint: (
                    Float((margin + (left + part * Double(x) / 2) * Double(sheet.side)) / width),
                    Float((margin + (top + part * Double(y) / 2) * Double(sheet.side)) / height), layer
                ))
        }
        let (northWest, northEast, southEast, southWest) = (corner(0, 0), corner(2, 0), corner(2, 2), corner(0, 2))
        if tile.splitSides.isEmpty {
            list += [northWest, northEast, southEast, northWest, southEast, southWest]
            return
        }
        var ring = [northWest]
        if tile.splitSides.contains(.north) { ring.append(corner(1, 0)) }
        ring.append(northEast)
        if tile.splitSides.contains(.east) { ring.append(corner(2, 1)) }
        ring.append(southEast)
        if tile.splitSides.contains(.south) { ring.append(corner(1, 2)) }
        ring.append(southWest)
        if tile.splitSides.contains(.west) { ring.append(corner(0, 1)) }
        let center = corner(1, 1)
        for index in ring.indices { list += [center, ring[index], ring[(index + 1) % ring.count]] }
    }
}
