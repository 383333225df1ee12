import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The images of frames as textures. Small images share the layers of one array texture, and large images have separate textures. The
/// reduced copies of a small image are next to it, and the copies of a large image are on a second layer.
///
/// Pages grow from 256² to 2048², and then in the number of layers. When they are full, only the images of the current frame are packed
/// again, on pages of twice the size up to a quarter of the renderer's budget. Images that are missing later are uploaded again. The
/// position of an image does not affect the pixels of a picture.
final class ImageAtlas {
    /// Images with a longer side get a separate texture.
    static let largestShared = 512
    static let smallestPage = 256
    static let largestPage = 2048

    private let context: Context
    // The renderer owns the caches, and they own this object.
    private unowned let caches: RendererCaches
    /// The maximum number of bytes of images that are on the device together. If a frame exceeds it, its images are uploaded in turn.
    let bytesAtOnce: Int
    private var entries: [UInt64: PlacedImage] = [:]
    /// The bytes of the separate textures of large images.
    private var ownByteCount = 0
    /// The bytes of pixels rendered since room was last made for them.
    private var madeByteCount = 0
    private var shelves = Shelves(width: 0, height: 0, layers: 0)
    private var shared: Texture?
    /// The picture for which an image on the shared pages was last used.
    private var lastUseOfShared: UInt64 = 0
    /// The number of calls of `prepare`.
    private var calls = 0
    /// The textures of the last prepared images; the shared pages come first if any image is on them.
    private(set) var textures: [Texture] = []
    /// The number of times that the shared pages were repacked, for tests.
    private(set) var repacks = 0

    /// An image on the device.
    private struct PlacedImage {
        var width: Int
        var height: Int
        var reduction: ImageReduction
        /// The call of `prepare`, and the picture, that last used it.
        var lastCall: Int
        var lastUse: UInt64
        /// The separate texture of a large image.
        var texture: Texture?
        /// A small image's position on the shared pages.
        var position: ShelfPosition?

        var isShared: Bool { width <= ImageAtlas.largestShared && height <= ImageAtlas.largestShared }
        /// The reduced copies; nil without them.
        var copies: ReducedCopies? { reduction == .none ? nil : ReducedCopies(width: width, height: height) }
        /// The size that a small image takes on a page.
        var pageSize: (width: Int, height: Int) { copies?.whole ?? (width, height) }

        init(_ image: FrameImage, limit: Int, lastCall: Int, lastUse: UInt64) {
            (width, height, reduction) = (min(image.width, limit), min(image.height, limit), image.reduction)
            (self.lastCall, self.lastUse) = (lastCall, lastUse)
        }
    }

    init(_ context: Context, _ caches: RendererCaches, bytesAtOnce: Int) {
        self.context = context
        self.caches = caches
        self.bytesAtOnce = bytesAtOnce
    }

    /// Whether all these images fit into a number of bytes on a device.
    static func fit(_ images: [FrameImage], in byteCount: Int) -> Bool { images.reduce(0) { $0 + $1.deviceByteCount } <= byteCount }

    /// Uploads the missing images. Returns the region of each image, in the order of `images`; the region of an empty image is `.none`.
    func prepare(_ images: [FrameImage]) throws(GPUError) -> [AtlasRegion] {
        calls += 1
        let now = PictureClock.now
        var missing: [FrameImage] = []
        let limit = context.info.maxTextureSize
        for image in images where !image.isEmpty {
            if entries[image.key] == nil {
                entries[image.key] = PlacedImage(image, limit: limit, lastCall: calls, lastUse: now)
                missing.append(image)
            }
            entries[image.key]?.lastCall = calls
            entries[image.key]?.lastUse = now
            // This is set before anything is uploaded, because uploads might evict these pages.
            if entries[image.key]?.isShared == true { lastUseOfShared = now }
        }
        if !missing.isEmpty {
            do throws(GPUError) {
                try upload(missing, of: images)
            } catch {
                entries = entries.filter { $0.value.position != nil || $0.value.texture != nil }
                throw error
            }
        }
        return regions(images)
    }

    /// Releases textures that were evicted while they were listed.
    func endFrame() { textures = [] }

    private func regions(_ images: [FrameImage]) -> [AtlasRegion] {
        textures = shared.map { [$0] } ?? []
        return images.map { image in
            guard let entry = entries[image.key] else { return .none }
            let (width, height) = (UInt16(entry.width), UInt16(entry.height))
            if let texture = entry.texture {
                let index = textures.firstIndex { $0 === texture } ?? textures.count
                if index == textures.count { textures.append(texture) }
                return AtlasRegion(
                    texture: index, width: width, height: height,
                    groundPlane: SpriteInstance.Plane(entry.reduction, entry.copies, areCopiesOnNextLayer: true))
            }
            let position = entry.position ?? ShelfPosition(layer: 0, x: 0, y: 0)
            return AtlasRegion(
                layer: UInt16(position.layer), x: UInt16(position.x), y: UInt16(position.y), width: width, height: height,
                groundPlane: SpriteInstance.Plane(entry.reduction, entry.copies, areCopiesOnNextLayer: false))
        }
    }

    private func upload(_ missing: [FrameImage], of images: [FrameImage]) throws(GPUError) {
        var unplaced: [FrameImage] = []
        for image in missing {
            guard let entry = entries[image.key] else { continue }
            if entry.isShared {
                unplaced.append(image)
                continue
            }
            let (width, height) = (context.textureSide(entry.width), context.textureSide(entry.height))
            let layers = entry.copies == nil ? 1 : 2
            try makeRoom(for: width * height * layers * 4)
            let texture = try Texture(context, width: width, height: height, layers: layers)
            ownByteCount += texture.byteCount
            let pixels = pixels(image)
            try Self.upload(pixels, to: texture, ShelfPosition(layer: 0, x: 0, y: 0))
            if let copies = entry.copies { try Self.upload(copies, of: pixels, to: texture, ShelfPosition(layer: 1, x: 0, y: 0)) }
            entries[image.key]?.texture = texture
        }
        // Tall images come first, so that the shelves waste little space.
        unplaced.sort { ($0.height, $0.width) > ($1.height, $1.width) }
        for image in unplaced {
            guard let texture = shared, let size = entries[image.key]?.pageSize,
                let position = shelves.add(width: size.width, height: size.height)
            else { return try repack(images) }
            try place(image, texture, position)
        }
    }

    /// Uploads a small image, and its reduced copies, to a position of the shared pages.
    private func place(_ image: FrameImage, _ texture: Texture, _ position: ShelfPosition) throws(GPUError) {
        let pixels = pixels(image)
        try Self.upload(pixels, to: texture, position)
        if let copies = entries[image.key]?.copies {
            var strip = position
            strip.x += copies.stripPosition.x
            strip.y += copies.stripPosition.y
            try Self.upload(copies, of: pixels, to: texture, strip)
        }
        entries[image.key]?.position = position
    }

    /// The pixels of an image, scaled down if it exceeds the device's textures.
    private func pixels(_ image: FrameImage) -> Bitmap {
        madeByteCount += image.byteCount
        if madeByteCount > 1 << 18 {
            caches.makeRoom(for: madeByteCount)
            madeByteCount = 0
        }
        let (bitmap, limit) = (image.bitmap, context.info.maxTextureSize)
        return bitmap.scaled(toWidth: min(bitmap.width, limit), height: min(bitmap.height, limit))
    }

    /// Packs only the small images among these on the shared pages.
    private func repack(_ images: [FrameImage]) throws(GPUError) {
        repacks += 1
        var seen: Set<UInt64> = []
        let packed = images.filter { entries[$0.key]?.isShared == true && seen.insert($0.key).inserted }
            .sorted { ($0.height, $0.width, $1.key) > ($1.height, $1.width, $0.key) }
        for (key, entry) in entries where entry.isShared {
            if entry.lastCall == calls { entries[key]?.position = nil } else { entries[key] = nil }
        }
        // The pages are made twice as large as before, so that growing pages are rarely repacked.
        let wanted = min(2 * sharedByteCount, caches.budget.byteLimit / 4)
        let sizes = packed.map { entries[$0.key]?.pageSize ?? ($0.width, $0.height) }
        let (layout, positions) = Shelves.layout(sizes, leastByteCount: wanted)
        if shared.map({ ($0.width, $0.height, $0.layers) != (layout.width, layout.height, layout.layers) }) ?? true {
            // The old pages are deleted first.
            shared = nil
            textures = []
            if sharedByteCount > 0 { try context.finish() }
            caches.makeRoom(for: layout.byteCount)
            shared = try Texture(context, width: layout.width, height: layout.height, layers: layout.layers)
        }
        shelves = layout
        guard let shared else { return }
        for (image, position) in zip(packed, positions) { try place(image, shared, position) }
    }

    /// Makes room for a large image, first by removing earlier images that were uploaded in turn.
    private func makeRoom(for byteCount: Int) throws(GPUError) {
        if ownByteCount + byteCount > bytesAtOnce {
            let before = ownByteCount
            for (key, entry) in entries where entry.lastCall != calls { remove(key, entry.texture) }
            textures = []
            if ownByteCount < before { try context.finish() }
        }
        caches.makeRoom(for: byteCount)
    }

    /// Removes a large image; does nothing if it has no texture.
    private func remove(_ key: UInt64, _ texture: Texture?) {
        guard let texture else { return }
        ownByteCount -= texture.byteCount
        entries[key] = nil
    }

    private static func upload(_ bitmap: Bitmap, to texture: Texture, _ position: ShelfPosition) throws(GPUError) {
        let rect = PixelRect(x: position.x, y: position.y, width: bitmap.width, height: bitmap.height)
        try texture.upload(bitmap.pixels, to: rect, layer: position.layer)
    }

    /// Uploads the reduced copies of an image. Each copy is computed from the original pixels, so that rounding does not accumulate.
    private static func upload(
        _ copies: ReducedCopies, of bitmap: Bitmap, to texture: Texture, _ strip: ShelfPosition
    ) throws(GPUError) {
        for number in 1..<max(1, copies.last + 1) {
            let (size, offset) = (copies.size(number), copies.position(number))
            var position = strip
            position.x += offset.x
            position.y += offset.y
            try upload(bitmap.scaled(toWidth: size.width, height: size.height), to: texture, position)
        }
    }
}

extension Context {
    /// The next power of two if the device supports textures of that size. Dividing texels by a power of two is exact.
    func textureSide(_ pixels: Int) -> Int {
        var side = 1
        while side < pixels { side *= 2 }
        return min(side, info.maxTextureSize)
    }
}

extension Texture {
    fileprivate var byteCount: Int { width * height * layers * 4 }
}

extension FrameImage {
    /// The approximate number of bytes that the image takes in a texture.
    fileprivate var deviceByteCount: Int { reduction == .none ? byteCount : byteCount * 2 }
}

extension ImageAtlas: BudgetedCache {
    private var sharedByteCount: Int { shared?.byteCount ?? 0 }

    var keptBytes: Int { sharedByteCount + ownByteCount }

    var oldestUse: UInt64? {
        let own = ownByteCount > 0 ? entries.values.lazy.filter { $0.texture != nil }.map(\.lastUse).min() : nil
        return shared == nil ? own : min(own ?? .max, lastUseOfShared)
    }

    func evict(through picture: UInt64, bytes: Int) {
        let most = keptBytes - bytes
        let own = entries.filter { $0.value.texture != nil && $0.value.lastUse <= picture }
            .sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }
        func evictShared(before use: UInt64) {
            guard keptBytes > most, shared != nil, lastUseOfShared <= min(use, picture) else { return }
            (shared, shelves) = (nil, Shelves(width: 0, height: 0, layers: 0))
            // The content of the pages is lost; images that are about to be uploaded stay known.
            entries = entries.filter { $0.value.texture != nil || $0.value.position == nil }
        }
        for (key, entry) in own {
            evictShared(before: entry.lastUse)
            guard keptBytes > most else { return }
            remove(key, entry.texture)
        }
        evictShared(before: .max)
    }
}

/// The texture and the rectangle of an image.
struct AtlasRegion {
    /// The index of the texture in `textures`.
    var texture = 0
    var layer: UInt16 = 0
    var x: UInt16 = 0
    var y: UInt16 = 0
    var width: UInt16
    var height: UInt16
    /// The filter to use when the image lies on the ground.
    var groundPlane = SpriteInstance.Plane.ground

    static let none = AtlasRegion(width: 0, height: 0)
}

/// The position of a rectangle on the shared pages.
struct ShelfPosition: Equatable {
    var layer: Int
    var x: Int
    var y: Int
}
