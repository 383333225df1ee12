import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The images of frames as textures: small ones side by side on the layers of one array texture, large ones on their own.
///
/// Pages grow from 256² to 2048² and then in layers, up to a byte limit; beyond it the least recently drawn images are evicted.
/// The position of an image changes no pixel of any picture.
final class ImageAtlas {
    /// Images with a longer side get a texture of their own.
    static let largestShared = 512
    static let smallestPage = 256
    static let largestPage = 2048

    private let context: Context
    private let byteLimit: Int
    private var entries: [UInt64: CachedImage] = [:]
    private var shelves = Shelves(page: 0, layers: 0)
    private var shared: Texture?
    private var frameNumber = 0
    /// The textures of the last prepared frame; the shared pages come first if any image is on them.
    private(set) var textures: [Texture] = []
    /// How often the shared pages were repacked, for tests.
    private(set) var repacks = 0

    private struct CachedImage {
        var bitmap: Bitmap
        var lastUse: Int
        /// A large image's own texture.
        var texture: Texture?
        var position: ShelfPosition?

        var isShared: Bool { bitmap.width <= ImageAtlas.largestShared && bitmap.height <= ImageAtlas.largestShared }
        var byteCount: Int { bitmap.pixels.count }
    }

    init(_ context: Context, byteLimit: Int) {
        self.context = context
        self.byteLimit = byteLimit
    }

    /// The bytes of all cached textures.
    var byteCount: Int {
        entries.values.reduce(shared.map { $0.width * $0.height * $0.layers * 4 } ?? 0) { sum, entry in
            sum + (entry.texture == nil ? 0 : entry.byteCount)
        }
    }

    /// The bytes of images that fit on the GPU at once: shelves waste some space, and pages double.
    var frameByteLimit: Int { byteLimit / 4 }

    /// Whether all these images fit on the GPU at once.
    func fits(_ images: [FrameImage]) -> Bool {
        images.reduce(0) { $0 + $1.byteCount } <= frameByteLimit
    }

    /// Uploads the images that are missing. Returns the region of each, in the order of `images`; empty images are left out.
    /// - Throws: `unsupported` when the images of one frame are more than the byte limit.
    func prepare(_ images: [FrameImage]) throws(GPUError) -> [AtlasRegion] {
        frameNumber += 1
        var missing: [UInt64] = []
        for image in images where !image.isEmpty {
            if entries[image.key] == nil {
                entries[image.key] = CachedImage(bitmap: fitted(image.bitmap), lastUse: frameNumber)
            }
            entries[image.key]?.lastUse = frameNumber
            if let entry = entries[image.key], entry.isShared ? entry.position == nil : entry.texture == nil {
                missing.append(image.key)
            }
        }
        if !missing.isEmpty {
            try upload(missing)
        }
        return regions(images)
    }

    private func regions(_ images: [FrameImage]) -> [AtlasRegion] {
        textures = shared.map { [$0] } ?? []
        return images.map { image in
            guard let entry = entries[image.key] else { return .none }
            let (width, height) = (UInt16(entry.bitmap.width), UInt16(entry.bitmap.height))
            if let texture = entry.texture {
                let index = textures.firstIndex { $0 === texture } ?? textures.count
                if index == textures.count { textures.append(texture) }
                return AtlasRegion(texture: index, layer: 0, x: 0, y: 0, width: width, height: height)
            }
            let position = entry.position ?? ShelfPosition(layer: 0, x: 0, y: 0)
            return AtlasRegion(
                texture: 0, layer: UInt16(position.layer), x: UInt16(position.x), y: UInt16(position.y), width: width, height: height)
        }
    }

    private func upload(_ keys: [UInt64]) throws(GPUError) {
        var unplaced: [UInt64] = []
        for key in keys {
            guard let entry = entries[key] else { continue }
            if entry.isShared {
                unplaced.append(key)
            } else {
                try makeRoom(for: entry.byteCount)
                let texture = try Texture(context, width: side(entry.bitmap.width), height: side(entry.bitmap.height))
                try Self.upload(entry.bitmap, to: texture, ShelfPosition(layer: 0, x: 0, y: 0))
                entries[key]?.texture = texture
            }
        }
        // Tall images first, so that shelves waste little space.
        unplaced.sort { a, b in
            let (a, b) = (entries[a]?.bitmap, entries[b]?.bitmap)
            return (a?.height ?? 0, a?.width ?? 0) > (b?.height ?? 0, b?.width ?? 0)
        }
        for (index, key) in unplaced.enumerated() {
            guard let bitmap = entries[key]?.bitmap, let texture = shared,
                let position = shelves.add(width: bitmap.width, height: bitmap.height)
            else {
                if index < unplaced.count { try repack() }
                return
            }
            try Self.upload(bitmap, to: texture, position)
            entries[key]?.position = position
        }
    }

    /// The next power of two, by which dividing texels is exact, if the device has textures of that size.
    private func side(_ pixels: Int) -> Int {
        var side = 1
        while side < pixels { side *= 2 }
        return min(side, context.info.maxTextureSize)
    }

    /// The image, scaled down when it exceeds the device's textures.
    private func fitted(_ bitmap: Bitmap) -> Bitmap {
        let limit = context.info.maxTextureSize
        return bitmap.scaled(toWidth: min(bitmap.width, limit), height: min(bitmap.height, limit))
    }

    /// Repacks all shared images on the smallest pages that hold them; beyond the limit the least recently drawn are evicted.
    private func repack() throws(GPUError) {
        repacks += 1
        var kept = entries.filter(\.value.isShared).sorted { a, b in
            (a.value.lastUse, b.key) > (b.value.lastUse, a.key)
        }
        while true {
            let order = kept.sorted { a, b in
                let (x, y) = (a.value.bitmap, b.value.bitmap)
                return (x.height, x.width, b.key) > (y.height, y.width, a.key)
            }
            if let (layout, positions) = Shelves.layout(order.map { ($0.value.bitmap.width, $0.value.bitmap.height) }, byteLimit: byteLimit)
            {
                // The old pages are released first: both at once could be twice the limit.
                shared = nil
                textures = []
                let texture = try Texture(context, width: layout.page, height: layout.page, layers: layout.layers)
                for key in entries.keys where entries[key]?.isShared == true { entries[key]?.position = nil }
                for ((key, entry), position) in zip(order, positions) {
                    try Self.upload(entry.bitmap, to: texture, position)
                    entries[key]?.position = position
                }
                shared = texture
                shelves = layout
                entries = entries.filter { !$0.value.isShared || $0.value.position != nil }
                return
            }
            let current = kept.prefix { $0.value.lastUse == frameNumber }.count
            guard kept.count > current else {
                throw GPUError(
                    .unsupported, stage: "upload images",
                    "the \(current) images of one picture need more than \(byteLimit >> 20) MiB of textures")
            }
            kept.removeLast(max(1, (kept.count - current) / 2))
        }
    }

    /// Evicts large images, the least recently drawn first, until there is room.
    private func makeRoom(for byteCount: Int) throws(GPUError) {
        let idle = entries.filter { $0.value.texture != nil && $0.value.lastUse != frameNumber }
            .sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }
        for (key, _) in idle {
            if self.byteCount + byteCount <= byteLimit { return }
            entries[key] = nil
        }
    }

    private static func upload(_ bitmap: Bitmap, to texture: Texture, _ position: ShelfPosition) throws(GPUError) {
        let rect = PixelRect(x: position.x, y: position.y, width: bitmap.width, height: bitmap.height)
        try bitmap.pixels.span.withUnsafeBytes { (bytes) throws(GPUError) in
            try texture.upload(bytes, to: rect, layer: position.layer)
        }
    }
}

/// A shelf packer: rectangles on square pages in rows of similar height.
struct Shelves {
    /// The side of a page in pixels.
    let page: Int
    let layers: Int
    private var rows: [Row] = []
    /// The first free line of each layer.
    private var tops: [Int]

    private struct Row {
        var layer: Int
        var y: Int
        var height: Int
        var end: Int
    }

    init(page: Int, layers: Int) {
        self.page = page
        self.layers = layers
        tops = [Int](repeating: 0, count: layers)
    }

    /// Reserves space for a rectangle, in a row that is at most a quarter too high, else in a new one; nil when there is none.
    mutating func add(width: Int, height: Int) -> ShelfPosition? {
        for index in rows.indices.reversed()
        where rows[index].height >= height && rows[index].height * 3 <= height * 4 + 12 && rows[index].end + width <= page {
            defer { rows[index].end += width }
            return ShelfPosition(layer: rows[index].layer, x: rows[index].end, y: rows[index].y)
        }
        for layer in tops.indices where tops[layer] + height <= page && width <= page {
            rows.append(Row(layer: layer, y: tops[layer], height: height, end: width))
            defer { tops[layer] += height }
            return ShelfPosition(layer: layer, x: 0, y: tops[layer])
        }
        return nil
    }

    /// The smallest pages that hold all sizes in order, and their positions; nil when they exceed the limit.
    static func layout(_ sizes: [(width: Int, height: Int)], byteLimit: Int) -> (Shelves, [ShelfPosition])? {
        var (page, layers) = (ImageAtlas.smallestPage, 1)
        while page * page * 4 * layers <= byteLimit {
            var shelves = Shelves(page: page, layers: layers)
            let positions = sizes.map { shelves.add(width: $0.width, height: $0.height) }
            if !positions.contains(nil) { return (shelves, positions.compactMap { $0 }) }
            if page < ImageAtlas.largestPage { page *= 2 } else { layers *= 2 }
        }
        return nil
    }
}

/// The texture and the rectangle of an image.
struct AtlasRegion {
    /// Index in `textures`.
    var texture: Int
    var layer: UInt16
    var x: UInt16
    var y: UInt16
    var width: UInt16
    var height: UInt16

    static let none = AtlasRegion(texture: 0, layer: 0, x: 0, y: 0, width: 0, height: 0)
}

/// The position of a rectangle on the shared pages.
struct ShelfPosition: Equatable {
    var layer: Int
    var x: Int
    var y: Int
}
