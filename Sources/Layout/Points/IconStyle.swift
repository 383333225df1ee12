import WaymarkFrame

/// The appearance of an icon, independent of its position. Lengths in pt.
struct IconStyle: Hashable, Sendable {
    var width: Float
    var height: Float
    var anchorX: Float
    var anchorY: Float
    /// The sine and cosine of the angle; exact at multiples of 90 degrees.
    var sin: Float
    var cos: Float
    /// The offset added after the anchor is applied: x right, y down.
    var offsetX: Float = 0
    var offsetY: Float = 0
    var alpha: Float
    /// Added to the color: red, green and blue in steps of 1/255.
    var tint = Tint.none
    /// Index in the catalog's rasters; -1 for no icon.
    var raster: Int32
    /// The raster's pixels per pt of the icon, and its mipmap levels; 0 and none for icons that are neither turned, flat nor scaled.
    var texelsPerPoint: Float = 0
    var firstLevel: Int32 = 0
    var levelCount: Int32 = 0
    var flags: Flags

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// One image pixel is one device pixel.
        static let exact = Flags(rawValue: 8)
        /// The overlay has a zoom range.
        static let zoomRange = Flags(rawValue: 16)
        /// How it collides with others.
        static let hideSymbols = Flags(rawValue: 32)
        static let hideMarkers = Flags(rawValue: 64)
        static let hideCaptions = Flags(rawValue: 128)
        static let forceIcon = Flags(rawValue: 256)
        static let forceCaption = Flags(rawValue: 512)
        /// All flags that hide others.
        static let hiding: Flags = [.hideSymbols, .hideMarkers, .hideCaptions]
    }

    /// The raster level to sample at a scale: at most twice as many texels as pixels along an axis, which the shader's four samples per
    /// pixel cover.
    /// - Parameter pixelsPerPoint: Device pixels per pt of the icon.
    @inline(__always)
    func raster(pixelsPerPoint: Double) -> Int32 {
        var (texels, level) = (Double(texelsPerPoint), Int32(0))
        while texels > 2 * pixelsPerPoint, level < levelCount {
            texels /= 2
            level += 1
        }
        return level == 0 ? raster : firstLevel + level - 1
    }

    /// The `image` of a sprite without an image: the bit pattern of raster -1.
    static let noImage = UInt32.max

    /// A marker without an icon.
    static let empty = IconStyle(width: 0, height: 0, anchorX: 0.5, anchorY: 1, sin: 0, cos: 1, alpha: 1, raster: -1, flags: [])
}

/// The distinct icon styles of a map. A million markers have few of them, and an id per marker instead of a style keeps the columns small.
struct IconStyleTable: Sendable {
    private(set) var styles: [IconStyle] = [.empty]
    private var ids: [IconStyle: Int32] = [.empty: 0]
    /// A small cache of recent style ids, by the low bits of the raster: successive markers rarely differ in anything else.
    private var recent = [Int32](repeating: 0, count: 64)
    /// An upper bound in pt on how far any icon reaches from its anchor.
    private(set) var reach = 0.0
    /// The union of the flags of all styles.
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
