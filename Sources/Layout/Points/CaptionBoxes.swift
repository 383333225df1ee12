/// Measured captions, by index. A map may have a million captions, nearly all of which share a few styles, so styles are stored once.
struct CaptionBoxes: Sendable {
    private struct Sizes {
        var main: (width: Double, height: Double)
        var sub: (width: Double, height: Double)
        /// The index in `styles`.
        var style: Int32
    }

    private var sizes: [Sizes] = []
    /// The distinct styles, as boxes without sizes.
    private var styles: [CaptionBox] = []
    private var styleIDs: [CaptionBox: Int32] = [:]
    /// The union of the flags of all styles so far.
    private(set) var flags: CaptionBox.Flags = []

    var count: Int { sizes.count }

    @inline(__always)
    subscript(index: Int) -> CaptionBox {
        let sizes = sizes[index]
        var box = styles[Int(sizes.style)]
        (box.main.width, box.main.height) = sizes.main
        (box.sub.width, box.sub.height) = sizes.sub
        return box
    }

    mutating func append(_ box: CaptionBox) {
        sizes.append(Sizes(main: (0, 0), sub: (0, 0), style: 0))
        set(box, at: sizes.count - 1)
    }

    mutating func set(_ box: CaptionBox, at index: Int) {
        var style = box
        (style.main.width, style.main.height, style.sub.width, style.sub.height) = (0, 0, 0, 0)
        sizes[index] = Sizes(main: (box.main.width, box.main.height), sub: (box.sub.width, box.sub.height), style: id(of: style))
        if styles.count > 2 * sizes.count + 64 { forgetUnused() }
    }

    private mutating func id(of style: CaptionBox) -> Int32 {
        if let last = styles.last, last == style { return Int32(styles.count - 1) }
        if let known = styleIDs[style] { return known }
        let id = Int32(styles.count)
        styles.append(style)
        flags.formUnion(style.flags)
        styleIDs[style] = id
        return id
    }

    /// Drops styles that no caption uses, because they would accumulate in a long-lived map.
    private mutating func forgetUnused() {
        let old = styles
        (styles, styleIDs, flags) = ([], [:], [])
        for index in sizes.indices { sizes[index].style = id(of: old[Int(sizes[index].style)]) }
    }
}
