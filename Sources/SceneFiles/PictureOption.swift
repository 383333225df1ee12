import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// An option for drawing a picture: its name, its values and its meaning.
///
/// The options of the program, the options of jobs and the parameters of the server are all derived from these options.
public struct PictureOption: Sendable {
    /// The name in jobs, which is also the name of the server's parameter. The program's option is ``flag``.
    public let name: String
    /// The values that the option accepts.
    public let values: Values
    /// The meaning of the option in one or two sentences, with its unit and default.
    public let text: String

    /// The kinds of values that an option may accept.
    public enum Values: Sendable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case boolean
        case choice([String])
        /// A width and a height in pt.
        case size
        /// A latitude and a longitude in degrees; the range applies to the latitude.
        case coordinate(ClosedRange<Double>)
        /// A CSS color, given by hexadecimal digits or by name.
        case color
    }

    /// The program's option, such as `--pixel-ratio`.
    public var flag: String { Self.flag(name) }

    /// The program's option for a name in jobs: `--pixel-ratio` for `pixelRatio`, and `--size` for `size.width`.
    public static func flag(_ name: String) -> String {
        "--" + name.prefix { $0 != "." }.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }
}

extension PictureOption {
    public static let size = Self("size", .size, "The size of the picture in pt, WIDTHxHEIGHT. Default: the scene's, or 512x512.")
    public static let pixelRatio = Self("pixelRatio", .number(Viewport.pixelRatioRange), "Device pixels per pt, 0.5 to 8.")
    public static let center = Self(
        "center", .coordinate(Camera.centerLatitudeRange),
        "The coordinates at the center of the picture, LATITUDE,LONGITUDE in degrees. With a fitted camera, the fitted zoom is kept.")
    public static let zoom = Self("zoom", .number(Camera.zoomRange), "The zoom, 0 to 24. With a fitted camera, the fitted center is kept.")
    public static let bearing = Self(
        "bearing", .number(.finite), "The compass direction at the top of the picture, in degrees clockwise from north.")
    public static let tilt = Self("tilt", .number(Camera.tiltRange), "The tilt of the camera in degrees from straight down, 0 to 80.")
    public static let fit = Self("fit", .boolean, "Fit the camera to all overlays, instead of using the scene's center and zoom.")
    public static let padding = Self(
        "padding", .number(.notNegative),
        "The space in pt left free on every side when fitting. Default: 32 or, in a small picture, a quarter of its shorter side.")
    public static let background = Self("background", .color, "The background color, as CSS hex digits or a color name.")
    public static let theme = Self(
        "theme", .choice(MapTheme.allCases.map(\.rawValue)),
        "The theme: light, dark or gray. It sets the colors of the base map and all other colors that the scene does not set. "
            + "Default: the scene's.")
    public static let format = Self("format", .choice(ImageFormat.allCases.map(\.rawValue)), "The format of the picture.")
    public static let quality = Self(
        "quality", .integer(EncodingOptions.qualities), "The quality, 1 to 100, of a JPEG (default 85) or a WebP (lossless by default).")
    public static let progressive = Self(
        "progressive", .boolean, "Write a progressive JPEG, which first appears in low detail and is usually a little smaller.")
    public static let palette = Self(
        "palette", .integer(EncodingOptions.paletteColorCounts),
        "Write a PNG with a palette of at most this many colors, 2 to 256. Colors change only if the picture has more.")

    private init(_ name: String, _ values: Values, _ text: String) {
        (self.name, self.values, self.text) = (name, values, text)
    }
}

extension PictureOption {
    /// An error about this option.
    func error(_ problem: String) -> PropertyError { PropertyError(path: name, problem: problem) }

    /// Checks a number against the range of the option.
    func check(_ value: Double?) throws(PropertyError) {
        guard let value else { return }
        switch values {
        case .number(let range) where range == .notNegative:
            guard range.contains(value) else { throw error("\(plain(value)) is less than 0") }
        case .number(let range): try PropertyError.check(value, in: range, name)
        case .coordinate(let range):
            if let error = range.error(of: value, name) {
                throw self.error("\(error.problem); the order is LATITUDE,LONGITUDE")
            }
        case .integer(let range):
            try PropertyError.check(value, in: Double(range.lowerBound)...Double(range.upperBound), name)
        case .boolean, .choice, .size, .color: break
        }
    }
}

extension ViewChange {
    /// Sets the background color.
    /// - Parameter text: The color in CSS notation: hexadecimal digits or a name.
    /// - Throws: `PropertyError` if the text is not a color; the error's path is the name of ``PictureOption/background``.
    public mutating func setBackground(css text: String) throws(PropertyError) {
        guard let color = Color(css: text) else {
            throw PictureOption.background.error("\(text.quotedBriefly) is not a CSS color such as #3388ff80 or white")
        }
        background = color
    }

    /// Checks that each setting is in its range, and that no two settings exclude each other. The size is checked with the scene's pixel
    /// ratio when the scene is read.
    /// - Throws: `PropertyError` for the first invalid setting; the error's path is the name of its ``PictureOption``.
    public func check() throws(PropertyError) {
        if isFitted, center != nil || zoom != nil {
            throw PictureOption.fit.error("fit cannot be combined with center or zoom")
        }
        try PictureOption.zoom.check(zoom)
        try PictureOption.tilt.check(tilt)
        try PictureOption.center.check(center?.lat)
        try PictureOption.pixelRatio.check(pixelRatio)
        try PictureOption.bearing.check(bearing)
        try PictureOption.padding.check(padding)
    }
}

extension EncodingOptions {
    /// Checks that each option is in its range and applies to the format.
    /// - Parameter format: The format of the picture; nil if pictures may have any format.
    /// - Throws: `PropertyError` for the first invalid option; the error's path is the option's name.
    public func check(as format: ImageFormat?) throws(PropertyError) {
        if let format {
            let isOther = { (formats: String) in "this option applies to \(formats), not to \(format.name)" }
            if quality != nil, !format.hasQuality { throw PictureOption.quality.error(isOther("JPEG and WebP")) }
            if isProgressive, !format.canBeProgressive { throw PictureOption.progressive.error(isOther("JPEG")) }
            if paletteColors != nil, !format.hasPalette { throw PictureOption.palette.error(isOther("PNG")) }
        }
        try PictureOption.quality.check(quality.map { Double($0) })
        try PictureOption.palette.check(paletteColors.map { Double($0) })
    }
}

extension ImageFormat {
    /// Finds a format by its name.
    /// - Throws: `PropertyError` if the name is unknown.
    public init(named name: String) throws(PropertyError) { try self.init(named: name, PictureOption.format.name) }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Finds a value by its name; `path` is the path of the error if the name is unknown.
    package init(named name: String, _ path: String) throws(PropertyError) {
        guard let value = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw PropertyError(path: path, problem: "\(name.quotedBriefly) is not one of \(known)")
        }
        self = value
    }
}
