import WaymarkGeo
import WaymarkScene
import WaymarkText

/// A measured caption with its sub-caption: everything that layout needs before the text is rasterized.
struct CaptionBox: Hashable, Sendable {
    /// The size and zoom range of one text. Lengths in pt.
    struct MeasuredText: Hashable, Sendable {
        var width = 0.0
        var height = 0.0
        /// The text size.
        var size = 0.0
        var minZoom = 0.0
        var maxZoom = 0.0

        /// Whether the text is shown at a zoom.
        @inline(__always)
        func contains(_ zoom: Double) -> Bool { zoom >= minZoom && zoom <= maxZoom }
    }

    var main: MeasuredText
    var sub: MeasuredText
    var offset: Double
    var aligns: Aligns
    /// The space in pt that collisions keep free around the block. It is a `Float` to save memory, because every caption has one.
    var padding: Float
    /// The distance from the letters at which the halo ends, in pt.
    var haloReach: Float
    var flags: Flags

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let perspective = Flags(rawValue: 1)
        static let sub = Flags(rawValue: 2)
        /// The caption is part of its icon, so the picture's edge cuts it like the icon.
        static let part = Flags(rawValue: 4)
        /// The marker is not drawn without the caption.
        static let required = Flags(rawValue: 8)
    }

    /// The size in whole device pixels at which the block is drawn.
    /// - Parameter scales: The number of device pixels per pt for each text.
    @inline(__always)
    func size(_ scales: Scales) -> (width: Double, height: Double) {
        var (width, height) = (main.width * scales.main, main.height * scales.main)
        if scales.hasSub {
            width = max(width, sub.width * scales.sub)
            height += sub.height * scales.sub
        }
        return (wholePixels(width), wholePixels(height))
    }

    /// A tight upper bound on the drawn size, in device pixels, that varies continuously with the camera.
    func looseSize(_ scales: Scales) -> (width: Double, height: Double) {
        guard flags.contains(.perspective) else { return size(scales) }
        // Rounding enlarges the text size by at most 1/8 pixel and the block by at most 1/2 pixel.
        func loose(_ part: MeasuredText) -> Double { max(scales.length + 0.125 / part.size, 0.25 / part.size) }
        var (width, height) = (main.width * loose(main), main.height * loose(main))
        if scales.hasSub {
            width = max(width, sub.width * loose(sub))
            height += sub.height * loose(sub)
        }
        return (width + 0.5, height + 0.5)
    }

    /// The scales of a block: device pixels per pt.
    struct Scales: Hashable, Sendable {
        var main: Double
        var sub: Double
        /// The scale of other lengths, such as the gap to the icon.
        var length: Double
        /// This field is last, so that the next field of a candidate shares its word.
        var hasSub: Bool
    }

    /// The smallest legible text size in pt. A caption that perspective makes smaller is not drawn.
    private static let leastSize = 6.0

    /// - Parameters:
    ///   - distanceScale: The perspective scale at the caption's position, relative to the view's center.
    ///   - zoom: The camera's zoom; nil ignores the zoom range of the sub-caption and sizes that are too small.
    /// - Returns: A `main` of 0 when the caption is too small.
    @inline(__always)
    func scales(pixelRatio: Double, distanceScale: Double, zoom: Double?) -> Scales {
        let hasSub = flags.contains(.sub) && zoom.map(sub.contains) ?? true
        guard flags.contains(.perspective) else { return Scales(main: pixelRatio, sub: pixelRatio, length: pixelRatio, hasSub: hasSub) }
        let scale = pixelRatio * distanceScale
        var scales = Scales(
            main: Self.quarters(main.size, scale), sub: hasSub ? Self.quarters(sub.size, scale) : 0, length: scale, hasSub: hasSub)
        if zoom != nil, distanceScale < 1 {
            let least = Self.leastSize * pixelRatio
            if main.size * scales.main < least { scales.main = 0 }
            if hasSub, sub.size * scales.sub < least { (scales.sub, scales.hasSub) = (0, false) }
        }
        return scales
    }

    /// The space that collisions keep free around the block, in quantized device pixels.
    @inline(__always)
    func padding(_ scales: Scales) -> Double { quantized(Double(padding) * scales.length) }

    /// The upper left corner of the block at one of its aligns around an icon, in device pixels, not rounded.
    @inline(__always)
    func corner(align number: Int, beside icon: PixelBox, width: Double, height: Double, _ scales: Scales) -> (x: Double, y: Double) {
        let offset = offset * scales.length
        let align = aligns[number]
        let x =
            switch align {
            case .center, .top, .bottom: (icon.left + icon.right - width) / 2
            case .left, .topLeft, .bottomLeft: icon.left - offset - width
            case .right, .topRight, .bottomRight: icon.right + offset
            }
        let y =
            switch align {
            case .center, .left, .right: (icon.top + icon.bottom - height) / 2
            case .top, .topLeft, .topRight: icon.top - offset - height
            case .bottom, .bottomLeft, .bottomRight: icon.bottom + offset
            }
        return (x, y)
    }

    /// The scale nearest to `scale` at which the text size is a whole number of quarter pixels, at least one.
    @inline(__always)
    private static func quarters(_ size: Double, _ scale: Double) -> Double {
        max(1, wholePixels(size * scale * 4)) / 4 / size
    }
}

extension CaptionBox {
    /// The positions at which a caption may be placed, in order of preference, packed into one word of 4 bits each.
    struct Aligns: Hashable, Sendable {
        private var word: UInt64

        init(_ aligns: [AlignType]) {
            word = UInt64(aligns.count)
            for (place, align) in aligns.enumerated() {
                word |= UInt64(Self.numbers.firstIndex(of: align) ?? 0) << UInt64(4 + 4 * place)
            }
        }

        @inline(__always)
        var count: Int { Int(word & 15) }

        @inline(__always)
        subscript(place: Int) -> AlignType { Self.numbers[Int(word >> UInt64(4 + 4 * place)) & 15] }

        private static let numbers = AlignType.allCases
    }
}

/// The texts of a marker, measured.
struct MeasuredCaption: Sendable {
    let source: Caption
    var box: CaptionBox
    /// The characters that no font has.
    let missing: [FontGap]
    /// The requested font family, if it does not exist.
    let unknownFamily: String?
}

extension MeasuredCaption {
    init(_ source: Caption, language: String, _ fonts: FontLibrary) {
        self.source = source
        let text = CaptionText(source, language: language, nil)
        box = CaptionBox(text, source.style.values, fonts)
        missing = [text.main, text.sub].compactMap { $0 }.flatMap { fonts.layout($0.request).missing }
        unknownFamily = source.style.values.family.flatMap { fonts.has(family: $0) ? nil : $0 }
    }
}

/// The captions of a map, by overlay slot.
struct CaptionColumns: Sendable {
    /// The indices in `boxes`, or -1, by slot; empty until there is a caption.
    private(set) var ids: [Int32] = []
    private(set) var boxes = CaptionBoxes()
    /// The text of each caption, and the number of times that it has changed. The source is nil for symbols, which hold their texts
    /// themselves.
    private(set) var sources: [Caption?] = []
    private(set) var revisions: [UInt32] = []
    /// The characters that no font has, keyed by caption index.
    private(set) var missing: [Int32: [FontGap]] = [:]
    /// The requested font families that do not exist, keyed by caption index.
    private(set) var unknownFamilies: [Int32: String] = [:]
    /// The slots of captions that could not be measured for lack of fonts.
    private(set) var unmeasured: Set<Int32> = []
    private var free: [Int32] = []
    /// An upper bound in pt on the distance from an icon to the far edge of its caption; it never decreases.
    private(set) var radius = 0.0

    var isEmpty: Bool { boxes.count == free.count }

    @inline(__always)
    func id(_ slot: Int) -> Int32 { slot < ids.count ? ids[slot] : -1 }

    mutating func set(_ caption: MeasuredCaption?, slot: Int) {
        set(
            caption?.box, source: caption?.source, missing: caption?.missing ?? [], unknownFamily: caption?.unknownFamily, slot: slot)
    }

    mutating func set(
        _ box: CaptionBox?, source: Caption? = nil, missing gaps: [FontGap] = [], unknownFamily: String? = nil, slot: Int
    ) {
        if !unmeasured.isEmpty { unmeasured.remove(Int32(slot)) }
        guard let box else {
            guard slot < ids.count, ids[slot] >= 0 else { return }
            missing[ids[slot]] = nil
            unknownFamilies[ids[slot]] = nil
            sources[Int(ids[slot])] = nil
            free.append(ids[slot])
            ids[slot] = -1
            return
        }
        if slot >= ids.count { ids.append(contentsOf: repeatElement(-1, count: slot + 1 - ids.count)) }
        if ids[slot] < 0 {
            ids[slot] = free.popLast() ?? Int32(boxes.count)
            if Int(ids[slot]) == boxes.count {
                boxes.append(box)
                sources.append(nil)
                revisions.append(0)
            }
        }
        let id = Int(ids[slot])
        boxes.set(box, at: id)
        sources[id] = source
        revisions[id] &+= 1
        missing[Int32(id)] = gaps.isEmpty ? nil : gaps
        unknownFamilies[Int32(id)] = unknownFamily
        radius = max(
            radius, abs(box.offset) + max(box.main.width, box.sub.width) + box.main.height + box.sub.height + Double(box.haloReach))
    }

    /// The caption of a marker, by index.
    func measured(_ id: Int32) -> MeasuredCaption? {
        sources[Int(id)].map { source in
            MeasuredCaption(source: source, box: boxes[Int(id)], missing: missing[id] ?? [], unknownFamily: unknownFamilies[id])
        }
    }

    /// Records a caption that cannot be measured for lack of fonts.
    mutating func setUnmeasured(slot: Int) {
        set(nil, slot: slot)
        unmeasured.insert(Int32(slot))
    }
}

/// The rasterized blocks of captions, by caption index. An entry is valid for one revision of the text.
struct CaptionCache {
    /// The two forms of an unscaled caption: without its sub-caption, at zooms where it is not shown, and with it.
    private struct Blocks {
        var revision: UInt32 = 0
        var main = CaptionImages.Handle.none
        var whole = CaptionImages.Handle.none
    }

    private var blocks: [Blocks] = []

    /// The cached block of a caption; `.none` if this revision has no block.
    func block(_ caption: Int32, hasSub: Bool, revision: UInt32) -> CaptionImages.Handle {
        guard Int(caption) < blocks.count, blocks[Int(caption)].revision == revision else { return .none }
        return hasSub ? blocks[Int(caption)].whole : blocks[Int(caption)].main
    }

    mutating func set(_ block: CaptionImages.Handle, _ caption: Int32, hasSub: Bool, revision: UInt32) {
        let index = Int(caption)
        if index >= blocks.count { blocks.append(contentsOf: repeatElement(Blocks(), count: index + 1 - blocks.count)) }
        if blocks[index].revision != revision { blocks[index] = Blocks(revision: revision) }
        if hasSub { blocks[index].whole = block } else { blocks[index].main = block }
    }
}
