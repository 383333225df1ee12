import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The images of frames as textures: small ones side by side on the layers of one array texture, large ones on their own.
///
/// Pages grow from 256² to 2048² and then in layers, up to a byte limit; beyond it the images least recently drawn go.
/// Where an image lies changes no pixel of any picture.
final class ImageAtlas {
    /// Where an image is.
    struct Place {
        /// Index in `textures`.
        var texture: Int
        var layer: UInt16
        var x: UInt16
        var y: UInt16
        var width: UInt16
        var height: UInt16

        static let none = Place(texture: 0, layer: 0, x: 0, y: 0, width: 0, height: 0)
    }

    /// Images with a longer side get a texture of their own.
    static let largestShared = 512
    static let smallestPage = 256
    static let largestPage = 2048

    private let context: Context
    private let byteLimit: Int
    private var entries: [UInt64: Entry] = [:]
    private var shelves = Shelves(page: 0, layers: 0)
    private var shared: Texture?
    private var frameNumber = 0
    /// The textures of the frame prepared last; the shared pages are the first, when any image is on them.
    private(set) var textures: [Texture] = []
    /// How often the shared pages were laid out anew: what tests count.
    private(set) var repacks = 0

    private struct Entry {
        var bitmap: Bitmap
        var lastUse: Int
        /// A texture of its own, for a large image.
        var texture: Texture?
        var spot: Shelves.Spot?

        var isShared: Bool { bitmap.width <= ImageAtlas.largestShared && bitmap.height <= ImageAtlas.largestShared }
        var byteCount: Int { bitmap.pixels.count }
    }

    init(_ context: Context, byteLimit: Int) {
        self.context = context
        self.byteLimit = byteLimit
    }

    /// Bytes of all textures kept.
    var byteCount: Int {
        entries.values.reduce(shared.map { $0.width * $0.height * $0.layers * 4 } ?? 0) { sum, entry in
            sum + (entry.texture == nil ? 0 : entry.byteCount)
        }
    }

    /// The bytes of images that may be on the GPU at once. Rows of like height waste some room, and pages double.
    var frameByteLimit: Int { byteLimit / 4 }

    /// Whether all these images may be on the GPU at once.
    func fits(_ images: [FrameImage]) -> Bool {
        images.reduce(0) { $0 + $1.bitmap.pixels.count } <= frameByteLimit
    }

    /// Makes sure that the images are on the GPU, and tells where; in the order of `images`. Ones of no size stay out.
    /// - Throws: `unsupported` when the images of one frame are more than the byte limit.
    func prepare(_ images: [FrameImage]) throws(GPUError) -> [Place] {
        frameNumber += 1
        var missing: [UInt64] = []
        for image in images where image.bitmap.width > 0 && image.bitmap.height > 0 {
            if entries[image.key] == nil {
                entries[image.key] = Entry(bitmap: image.bitmap, lastUse: frameNumber)
            }
            entries[image.key]?.lastUse = frameNumber
            if let entry = entries[image.key], entry.isShared ? entry.spot == nil : entry.texture == nil {
                missing.append(image.key)
            }
        }
        if !missing.isEmpty {
            try upload(missing)
        }
        return places(images)
    }

    private func places(_ images: [FrameImage]) -> [Place] {
        textures = shared.map { [$0] } ?? []
        return images.map { image in
            guard let entry = entries[image.key] else { return .none }
            let (width, height) = (UInt16(entry.bitmap.width), UInt16(entry.bitmap.height))
            if let texture = entry.texture {
                let index = textures.firstIndex { $0 === texture } ?? textures.count
                if index == textures.count { textures.append(texture) }
                return Place(texture: index, layer: 0, x: 0, y: 0, width: width, height: height)
            }
            let spot = entry.spot ?? Shelves.Spot(layer: 0, x: 0, y: 0)
            return Place(texture: 0, layer: UInt16(spot.layer), x: UInt16(spot.x), y: UInt16(spot.y), width: width, height: height)
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
                let texture = try Texture(context, width: Self.side(entry.bitmap.width), height: Self.side(entry.bitmap.height))
                try Self.upload(entry.bitmap, to: texture, Shelves.Spot(layer: 0, x: 0, y: 0))
                entries[key]?.texture = texture
            }
        }
        // Tall ones first, so that shelves waste little.
        unplaced.sort { a, b in
            let (a, b) = (entries[a]?.bitmap, entries[b]?.bitmap)
            return (a?.height ?? 0, a?.width ?? 0) > (b?.height ?? 0, b?.width ?? 0)
        }
        for (index, key) in unplaced.enumerated() {
            guard let bitmap = entries[key]?.bitmap, let texture = shared,
                let spot = shelves.add(width: bitmap.width, height: bitmap.height)
            else {
                if index < unplaced.count { try repack() }
                return
            }
            try Self.upload(bitmap, to: texture, spot)
            entries[key]?.spot = spot
        }
    }

    /// A power of two: dividing texels by it is exact.
    private static func side(_ pixels: Int) -> Int {
        var side = 1
        while side < pixels { side *= 2 }
        return side
    }

    /// Lays all shared images out anew, on the smallest pages that hold them; the least recently drawn go beyond the limit.
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
            if let (layout, spots) = Shelves.layout(order.map { ($0.value.bitmap.width, $0.value.bitmap.height) }, byteLimit: byteLimit) {
                // The old pages go first: both at once could be twice the limit.
                shared = nil
                textures = []
                let texture = try Texture(context, width: layout.page, height: layout.page, layers: layout.layers)
                for key in entries.keys where entries[key]?.isShared == true { entries[key]?.spot = nil }
                for ((key, entry), spot) in zip(order, spots) {
                    try Self.upload(entry.bitmap, to: texture, spot)
                    entries[key]?.spot = spot
                }
                shared = texture
                shelves = layout
                entries = entries.filter { !$0.value.isShared || $0.value.spot != nil }
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

    /// Lets large images go, the least recently drawn first, until there is room.
    private func makeRoom(for byteCount: Int) throws(GPUError) {
        let idle = entries.filter { $0.value.texture != nil && $0.value.lastUse != frameNumber }
            .sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }
        for (key, _) in idle {
            if self.byteCount + byteCount <= byteLimit { return }
            entries[key] = nil
        }
    }

    private static func upload(_ bitmap: Bitmap, to texture: Texture, _ spot: Shelves.Spot) throws(GPUError) {
        let rect = PixelRect(x: spot.x, y: spot.y, width: bitmap.width, height: bitmap.height)
        try bitmap.pixels.span.withUnsafeBytes { (bytes) throws(GPUError) in
            try texture.upload(bytes, to: rect, layer: spot.layer)
        }
    }

    private typealias PixelRect = WaymarkGPU.PixelRect
}

/// Rectangles on pages, in rows of like height.
struct Shelves {
    /// Where a rectangle lies.
    struct Spot: Equatable {
        var layer: Int
        var x: Int
        var y: Int
    }

    /// Pixels of a page's side.
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

    /// Room for a rectangle: on a row that is at most a quarter too high, else on a new one; nil when there is none.
    mutating func add(width: Int, height: Int) -> Spot? {
        for index in rows.indices.reversed()
        where rows[index].height >= height && rows[index].height * 3 <= height * 4 + 12 && rows[index].end + width <= page {
            defer { rows[index].end += width }
            return Spot(layer: rows[index].layer, x: rows[index].end, y: rows[index].y)
        }
        for layer in tops.indices where tops[layer] + height <= page && width <= page {
            rows.append(Row(layer: layer, y: tops[layer], height: height, end: width))
            defer { tops[layer] += height }
            return Spot(layer: layer, x: 0, y: tops[layer])
        }
        return nil
    }

    /// The smallest pages that hold all sizes in their order, and where; nil when they are more than the limit.
    static func layout(_ sizes: [(width: Int, height: Int)], byteLimit: Int) -> (Shelves, [Spot])? {
        var (page, layers) = (ImageAtlas.smallestPage, 1)
        while page * page * 4 * layers <= byteLimit {
            var shelves = Shelves(page: page, layers: layers)
            let spots = sizes.map { shelves.add(width: $0.width, height: $0.height) }
            if !spots.contains(nil) { return (shelves, spots.compactMap { $0 }) }
            if page < ImageAtlas.largestPage { page *= 2 } else { layers *= 2 }
        }
        return nil
    }
}
