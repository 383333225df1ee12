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
    /// The number of its levels, which follow it, and its pixels per pt of the icon; 0 for upright icons.
    var levelCount: Int32 = 0
    var texelsPerPoint: Float = 0
    var flags: Flags

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// It is neither rotated, flat nor scaled by perspective: it stands on whole device pixels.
        static let snapped = Flags(rawValue: 8)
        /// The overlay has a zoom range.
        static let zoomRange = Flags(rawValue: 16)
        /// How it collides with others.
        static let hideSymbols = Flags(rawValue: 32)
        static let hideMarkers = Flags(rawValue: 64)
        static let hideCaptions = Flags(rawValue: 128)
        static let forceIcon = Flags(rawValue: 256)
        static let forceCaption = Flags(rawValue: 512)
        /// It is snapped, but its raster has not the pixels of the icon.
        static let stretched = Flags(rawValue: 1024)
        /// Its levels are those of a drawing.
        static let drawing = Flags(rawValue: 2048)
        /// All flags that hide others.
        static let hiding: Flags = [.hideSymbols, .hideMarkers, .hideCaptions]
    }

    /// The raster to sample at a scale: the largest of its levels with at most so many texels for a pixel along an axis as the shader's
    /// samples cover.
    /// - Parameter pixelsPerPoint: Device pixels per pt of the icon.
    @inline(__always)
    func raster(pixelsPerPoint: Double) -> Int32 {
        guard levelCount > 1 else { return raster }
        let isDrawing = flags.contains(.drawing)
        let most =
            !isDrawing
            ? IconLevels.mostTexels : flags.contains(.flat) ? IconLevels.mostTexelsOfFlatDrawings : IconLevels.mostTexelsOfDrawings
        // Rounded to 2⁻²⁰, so that the last bit of a sine does not decide.
        let ratio = (Double(texelsPerPoint) / (most * pixelsPerPoint) * 0x1p20).rounded() / 0x1p20
        guard ratio > 1 else { return raster }
        return raster + min(levelCount - 1, Int32(truncatingIfNeeded: IconLevels.steps(ratio, isDrawing: isDrawing)))
    }

    /// An upper bound in pt on how far its corners are from its place, without perspective.
    fileprivate var radius: Double {
        func beyond(_ anchor: Float, _ side: Float) -> Double { Double(side) * Double(max(abs(anchor), abs(1 - anchor))) }
        func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return length(beyond(anchorX, width), beyond(anchorY, height)) + length(Double(offsetX), Double(offsetY)) + Self.snapping
    }

    /// Snapping moves an icon by half a device pixel along each axis, which is 1 pt at the lowest pixel ratio.
    private static let snapping = 1.5

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
    private(set) var radius = 0.0
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
        radius = max(radius, style.radius)
        return id
    }
}
