import WaymarkFrame

/// An icon's quad before it is placed. Lengths in pt.
struct IconStyle: Hashable, Sendable {
    var width: Float
    var height: Float
    var anchorX: Float
    var anchorY: Float
    /// Sine and cosine of the angle, exact at quarter turns.
    var sin: Float
    var cos: Float
    /// Moves the icon after its anchor.
    var offsetX: Float = 0
    var offsetY: Float = 0
    var alpha: Float
    /// Added to the colour: red, green, blue in steps of 1/255.
    var tint = Tint.none
    /// Index in the catalog's rasters; -1 for no icon at all.
    var raster: Int32
    /// The raster's pixels for one pt of the icon, and its smaller copies: 0 and none for icons that keep their size.
    var texelsPerPoint: Float = 0
    var firstLevel: Int32 = 0
    var levelCount: Int32 = 0
    var flags: Flags

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// One image pixel for one device pixel.
        static let exact = Flags(rawValue: 8)
        /// Is not drawn at all zooms.
        static let zoomRange = Flags(rawValue: 16)
        /// What happens where it overlaps others.
        static let hideSymbols = Flags(rawValue: 32)
        static let hideMarkers = Flags(rawValue: 64)
        static let hideCaptions = Flags(rawValue: 128)
        static let forceIcon = Flags(rawValue: 256)
        static let forceCaption = Flags(rawValue: 512)
        /// Any of those by which others are hidden.
        static let hiding: Flags = [.hideSymbols, .hideMarkers, .hideCaptions]
    }

    /// The raster to read at a scale: one that has at most twice as many pixels, which is what the shader's four samples a
    /// pixel see.
    /// - Parameter pixelsPerPoint: Device pixels for one pt of the icon.
    @inline(__always)
    func raster(pixelsPerPoint: Double) -> Int32 {
        var (texels, level) = (Double(texelsPerPoint), Int32(0))
        while texels > 2 * pixelsPerPoint, level < levelCount {
            texels /= 2
            level += 1
        }
        return level == 0 ? raster : firstLevel + level - 1
    }

    /// The `image` of a sprite without an image: what a raster of -1 comes to.
    static let noImage = UInt32.max

    /// No icon at all.
    static let empty = IconStyle(width: 0, height: 0, anchorX: 0.5, anchorY: 1, sin: 0, cos: 1, alpha: 1, raster: -1, flags: [])
}

/// The styles of a map, each once: a million markers have few, and a number in place of a style keeps the columns small.
struct IconStyleTable: Sendable {
    private(set) var styles: [IconStyle] = [.empty]
    private var ids: [IconStyle: Int32] = [.empty: 0]
    /// The last styles by their raster: most markers differ from the one before in nothing else.
    private var recent = [Int32](repeating: 0, count: 64)
    /// The farthest that any icon reaches from its anchor, in pt.
    private(set) var reach = 0.0
    /// The flags that any style has had.
    private(set) var flags: IconStyle.Flags = []

    var count: Int { styles.count }

    subscript(id: Int32) -> IconStyle { styles[Int(id)] }

    mutating func id(of style: IconStyle) -> Int32 {
        let place = Int(style.raster & 63)
        if styles[Int(recent[place])] == style { return recent[place] }
        if let known = ids[style] {
            recent[place] = known
            return known
        }
        let id = Int32(styles.count)
        styles.append(style)
        flags.formUnion(style.flags)
        ids[style] = id
        recent[place] = id
        let size = Double(style.width) + Double(style.height)
        let offset = Double(abs(style.offsetX) + abs(style.offsetY))
        reach = max(reach, size * (1 + Double(max(abs(style.anchorX), abs(style.anchorY)))) + offset)
        return id
    }
}
