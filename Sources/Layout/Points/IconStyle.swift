import WaymarkFrame

/// The appearance of an icon, independent of its position. Lengths in pt.
struct IconStyle: Hashable, Sendable {
    var width: Float
    var height: Float
    var anchorX: Float
    var anchorY: Float
    /// The sine and cosine of the angle, exact at multiples of 90 degrees.
    var sin: Float
    var cos: Float
    /// The offset added after the anchor is applied: x right, y down.
    var offsetX: Float = 0
    var offsetY: Float = 0
    var alpha: Float
    /// The tint that is added to the color: red, green and blue in steps of 1/255.
    var tint = Tint.none
    /// The factor for the alpha of the icon and the caption behind a model.
    var occludedAlpha: Float = 1
    /// The index of the icon's raster in the catalog; -1 for no icon.
    var raster: Int32
    /// The number of levels, whose rasters follow that raster, and the number of the raster's pixels per pt of the icon; 0 for upright
    /// icons.
    var levelCount: Int32 = 0
    var texelsPerPoint: Float = 0
    var flags: Flags

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// The icon is neither rotated, flat nor scaled by perspective; it is placed on whole device pixels.
        static let snapped = Flags(rawValue: 8)
        /// The overlay has a zoom range.
        static let zoomRange = Flags(rawValue: 16)
        /// Collisions with others.
        static let hideSymbols = Flags(rawValue: 32)
        static let hideMarkers = Flags(rawValue: 64)
        static let hideCaptions = Flags(rawValue: 128)
        static let forceIcon = Flags(rawValue: 256)
        static let forceCaption = Flags(rawValue: 512)
        /// The icon is snapped, but its raster has another size.
        static let stretched = Flags(rawValue: 1024)
        /// The levels belong to a drawing.
        static let drawing = Flags(rawValue: 2048)
        /// The alpha is different behind models.
        static let occludable = Flags(rawValue: 4096)
        /// One side is automatic and distorts the image.
        static let distorted = Flags(rawValue: 8192)
        /// The point stands behind a model in this picture; only in candidates.
        static let occluded = Flags(rawValue: 16384)
        /// All flags of icons that hide others.
        static let hiding: Flags = [.hideSymbols, .hideMarkers, .hideCaptions]
    }

    /// The raster to sample at a scale: the largest level that has no more texels per pixel along an axis than the shader's samples cover.
    /// - Parameter pixelsPerPoint: Device pixels per pt of the icon.
    @inline(__always)
    func raster(pixelsPerPoint: Double) -> Int32 {
        guard levelCount > 1 else { return raster }
        let isDrawing = flags.contains(.drawing)
        let most =
            !isDrawing
            ? IconLevels.mostTexels : flags.contains(.flat) ? IconLevels.mostTexelsOfFlatDrawings : IconLevels.mostTexelsOfDrawings
        // Rounded to 2⁻²⁰, so that the last bit of a sine has no effect.
        let ratio = (Double(texelsPerPoint) / (most * pixelsPerPoint) * 0x1p20).rounded() / 0x1p20
        guard ratio > 1 else { return raster }
        return raster + min(levelCount - 1, Int32(truncatingIfNeeded: IconLevels.steps(ratio, isDrawing: isDrawing)))
    }

    /// An upper bound in pt on the distance from the icon's place to its corners, without perspective.
    fileprivate var radius: Double {
        func beyond(_ anchor: Float, _ side: Float) -> Double { Double(side) * Double(max(abs(anchor), abs(1 - anchor))) }
        func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return length(beyond(anchorX, width), beyond(anchorY, height)) + length(Double(offsetX), Double(offsetY)) + Self.snapping
    }

    /// An allowance for snapping, which moves an icon by half a device pixel along each axis: 1 pt at the lowest pixel ratio.
    private static let snapping = 1.5

    /// The `image` of a sprite without an image: the bit pattern of raster -1.
    static let noImage = UInt32.max

    /// A marker without an icon.
    static let empty = IconStyle(width: 0, height: 0, anchorX: 0.5, anchorY: 1, sin: 0, cos: 1, alpha: 1, raster: -1, flags: [])
}

/// The distinct icon styles of a map. A million markers have few of them, and style ids keep the columns of markers small.
struct IconStyleTable: Sendable {
    private(set) var styles: [IconStyle] = [.empty]
    private var ids: [IconStyle: Int32] = [.empty: 0]
    /// A small cache of recent style ids, by a hash of the raster, the width and the tint, because markers rarely differ in anything
    /// else.
    private var recent = [Int32](repeating: 0, count: 512)
    /// An upper bound in pt on the distance from an anchor to the corners of its icon.
    private(set) var radius = 0.0
    /// The greatest width of an icon in pt.
    private(set) var widest: Float = 0
    /// The union of the flags of all styles.
    private(set) var flags: IconStyle.Flags = []

    var count: Int { styles.count }

    subscript(id: Int32) -> IconStyle { styles[Int(id)] }

    mutating func id(of style: IconStyle) -> Int32 {
        let tint = UInt32(style.tint.red) << 16 | UInt32(style.tint.green) << 8 | UInt32(style.tint.blue)
        // The upper 9 bits of multiplicative hashing (Knuth, TAOCP 6.4).
        let hash = UInt32(bitPattern: style.raster) &* 0x9E37_79B1 ^ style.width.bitPattern &* 0x85EB_CA6B ^ tint &* 0xC2B2_AE35
        let place = Int(hash >> 23)
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
        widest = max(widest, style.width)
        return id
    }
}
