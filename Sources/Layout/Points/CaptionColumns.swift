import WaymarkScene
import WaymarkText

/// A caption with its sub caption as a block, measured: all that a frame reads of it before it is drawn.
struct CaptionBox: Sendable {
    /// A text without its place. Lengths in pt.
    struct Part: Sendable {
        var width = 0.0
        var height = 0.0
        /// The size of its letters.
        var size = 0.0
        var minZoom = 0.0
        var maxZoom = 0.0

        /// Whether it shows at a zoom.
        @inline(__always)
        func contains(_ zoom: Double) -> Bool { zoom >= minZoom && zoom <= maxZoom }
    }

    var main: Part
    var sub: Part
    var offset: Double
    var aligns: Aligns
    var flags: Flags

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let perspective = Flags(rawValue: 1)
        static let sub = Flags(rawValue: 2)
    }

    /// The size in whole device pixels in which it is drawn.
    /// - Parameter scales: Device pixels for one pt of each text.
    @inline(__always)
    func size(_ scales: Scales) -> (width: Double, height: Double) {
        var (width, height) = (main.width * scales.main, main.height * scales.main)
        if scales.hasSub {
            width = max(width, sub.width * scales.sub)
            height += sub.height * scales.sub
        }
        return ((width + 0.5).rounded(.down), (height + 0.5).rounded(.down))
    }

    /// A size that is hardly larger than the one in which it is drawn, and does not jump while the camera creeps.
    func looseSize(_ scales: Scales) -> (width: Double, height: Double) {
        guard flags.contains(.perspective) else { return size(scales) }
        // Letters are an eighth of a pixel larger at most, and the block half of one.
        func loose(_ part: Part) -> Double { max(scales.length + 0.125 / part.size, 0.25 / part.size) }
        var (width, height) = (main.width * loose(main), main.height * loose(main))
        if scales.hasSub {
            width = max(width, sub.width * loose(sub))
            height += sub.height * loose(sub)
        }
        return (width + 0.5, height + 0.5)
    }

    /// How large its texts are drawn, in device pixels for one pt.
    struct Scales: Hashable, Sendable {
        var main: Double
        var sub: Double
        var hasSub: Bool
        /// For lengths that are not text: the gap to the icon.
        var length: Double
    }

    /// - Parameters:
    ///   - distanceScale: How much larger things are there than at the centre.
    ///   - zoom: nil for one at which everything shows.
    @inline(__always)
    func scales(pixelRatio: Double, distanceScale: Double, zoom: Double?) -> Scales {
        let hasSub = flags.contains(.sub) && zoom.map(sub.contains) ?? true
        guard flags.contains(.perspective) else { return Scales(main: pixelRatio, sub: pixelRatio, hasSub: hasSub, length: pixelRatio) }
        let scale = pixelRatio * distanceScale
        return Scales(
            main: Self.quarters(main.size, scale), sub: hasSub ? Self.quarters(sub.size, scale) : 0, hasSub: hasSub, length: scale)
    }

    /// The upper left corner at one of its aligns beside an icon, on no grid.
    @inline(__always)
    func corner(align number: Int, beside icon: Quad.Box, width: Double, height: Double, _ scales: Scales) -> (x: Double, y: Double) {
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

    /// The scale nearest to the one asked for at which letters are a whole number of quarter pixels, at least one.
    @inline(__always)
    private static func quarters(_ size: Double, _ scale: Double) -> Double {
        max(1, (size * scale * 4 + 0.5).rounded(.down)) / 4 / size
    }
}

extension CaptionBox {
    /// The sides at which a caption may stand, first to last, in one word.
    struct Aligns: Sendable {
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

/// The captions of a map, by the slots of their overlays.
struct CaptionColumns: Sendable {
    /// Indices in `boxes` by slot, or -1; empty as long as there has been no caption.
    private(set) var ids: [Int32] = []
    private(set) var boxes: [CaptionBox] = []
    /// What each says, and how often that has changed; nil for symbols, which say it themselves.
    private(set) var sources: [CaptionSource?] = []
    private(set) var revisions: [UInt32] = []
    /// What no font has, by index.
    private(set) var missing: [Int32: [FontGap]] = [:]
    /// Families that were asked for and are not there, by index.
    private(set) var unknownFamilies: [Int32: String] = [:]
    /// The slots of those that have not been measured, because there are no fonts.
    private(set) var unmeasured: Set<Int32> = []
    private var free: [Int32] = []
    /// The farthest in pt that a caption has reached from its icon; it only grows.
    private(set) var reach = 0.0

    var isEmpty: Bool { boxes.count == free.count }

    @inline(__always)
    func id(_ slot: Int) -> Int32 { slot < ids.count ? ids[slot] : -1 }

    /// Measures the texts of a marker.
    mutating func set(_ source: CaptionSource, language: String, _ fonts: FontLibrary, slot: Int) {
        let text = CaptionText(source, language: language)
        let family = source.style.values.family
        let missing = [text.main, text.sub].compactMap { $0 }.flatMap { fonts.layout($0.request).missing }
        set(
            CaptionBox(text, source.style.values, fonts), source: source, missing: missing,
            unknownFamily: family.flatMap { fonts.has(family: $0) ? nil : $0 }, slot: slot)
    }

    mutating func set(
        _ box: CaptionBox?, source: CaptionSource? = nil, missing gaps: [FontGap] = [], unknownFamily: String? = nil, slot: Int
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
        boxes[id] = box
        sources[id] = source
        revisions[id] &+= 1
        missing[Int32(id)] = gaps.isEmpty ? nil : gaps
        unknownFamilies[Int32(id)] = unknownFamily
        reach = max(reach, abs(box.offset) + max(box.main.width, box.sub.width) + box.main.height + box.sub.height)
    }

    /// There is a text, and no font for it.
    mutating func setUnmeasured(slot: Int) {
        set(nil, slot: slot)
        unmeasured.insert(Int32(slot))
    }
}

/// The drawn blocks of captions by the captions' indices, good as long as what they say has not changed.
struct CaptionCache {
    /// Captions that are not scaled are drawn with their sub caption, and without it where that does not show.
    enum Variant: Int {
        case main
        case whole

        init(isWhole: Bool) { self = isWhole ? .whole : .main }
    }

    private struct Blocks {
        var revision: UInt32 = 0
        var main = CaptionImages.Handle.none
        var whole = CaptionImages.Handle.none
    }

    private var blocks: [Blocks] = []

    /// The block of a caption, or `.none`.
    func block(_ caption: Int32, _ variant: Variant, revision: UInt32) -> CaptionImages.Handle {
        guard Int(caption) < blocks.count, blocks[Int(caption)].revision == revision else { return .none }
        return variant == .main ? blocks[Int(caption)].main : blocks[Int(caption)].whole
    }

    mutating func set(_ block: CaptionImages.Handle, _ caption: Int32, _ variant: Variant, revision: UInt32) {
        let index = Int(caption)
        if index >= blocks.count { blocks.append(contentsOf: repeatElement(Blocks(), count: index + 1 - blocks.count)) }
        if blocks[index].revision != revision { blocks[index] = Blocks(revision: revision) }
        switch variant {
        case .main: blocks[index].main = block
        case .whole: blocks[index].whole = block
        }
    }
}
