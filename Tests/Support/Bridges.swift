import WaymarkGeo
import WaymarkImaging

extension DesignCamera {
    /// The same for the library.
    public var camera: Camera {
        Camera(
            center: LatLng(lat: lat, lng: lng), zoom: zoom, bearing: bearing, tilt: tilt,
            contentInset: EdgeInsets(top: top, left: left, bottom: bottom, right: right))
    }

    public var size: PointSize { PointSize(width: width, height: height) }

    public func viewport(pixelRatio: Double = 1) throws(PropertyError) -> Viewport {
        try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
    }
}

extension Bitmap {
    /// Random pixels, premultiplied; a third of them opaque, a third clear or nearly.
    public static func noise(_ width: Int, _ height: Int, _ random: inout SplitMix64, isOpaque: Bool = false) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let alpha = isOpaque ? 255 : [255, random.integer(0...255), random.integer(0...3)][random.integer(0...2)]
                bitmap[x, y] = Pixel(
                    red: UInt8(random.integer(0...alpha)), green: UInt8(random.integer(0...alpha)), blue: UInt8(random.integer(0...alpha)),
                    alpha: UInt8(alpha))
            }
        }
        return bitmap
    }

    /// The largest channel difference to another bitmap of the same size; 255 when the sizes differ.
    public func largestDifference(to other: Bitmap) -> Int {
        guard width == other.width, height == other.height else { return 255 }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

extension Bitmap.Pixel {
    public static let clear = Self(red: 0, green: 0, blue: 0, alpha: 0)
    public static let white = Self(red: 255, green: 255, blue: 255, alpha: 255)
    public static let opaqueRed = Self(red: 255, green: 0, blue: 0, alpha: 255)
    public static let opaqueGreen = Self(red: 0, green: 255, blue: 0, alpha: 255)
    public static let opaqueBlue = Self(red: 0, green: 0, blue: 255, alpha: 255)

    /// Whether each channel is within the given number of steps.
    public func isNear(_ other: Self, within steps: Int = 1) -> Bool {
        let pairs: [(UInt8, UInt8)] = [(red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha)]
        return pairs.allSatisfy { abs(Int($0.0) - Int($0.1)) <= steps }
    }
}
