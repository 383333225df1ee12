import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The settings of a picture that replace its scene's: size, background and camera. Nil keeps the scene's value.
///
/// ``PictureOption`` has the name, the range and the meaning of each.
public struct ViewChange: Equatable, Sendable {
    /// The size in pt.
    public var size: CGSize?
    /// Device pixels per pt.
    public var pixelRatio: Double?
    /// A CSS color.
    public var background: String?
    /// Replaces the center, fitted or not.
    public var center: LatLng?
    /// Replaces the zoom, fitted or not.
    public var zoom: Double?
    /// The compass direction at the top of the picture, in degrees clockwise from north.
    public var bearing: Double?
    /// The tilt in degrees from straight down.
    public var tilt: Double?
    /// Whether the camera is fitted to all overlays, instead of using the scene's center and zoom. Default false.
    public var isFitted = false
    /// The space in pt left free on every side when fitting.
    public var padding: Double?

    public init() {}
}

extension ViewChange {
    /// The change that makes this the view of a scene, for `RenderPool`: a merge patch as JSON, or nil for a view without changes.
    /// - Parameter scene: The content of the scene or GeoJSON file. Invalid content is reported when it is read.
    /// - Throws: The errors of `check()`, and `PropertyError` for a padding in a picture whose camera is not fitted.
    public func patch(of scene: Data) throws(PropertyError) -> Data? {
        let root = (try? JSONDocument(parsing: [UInt8](scene)))?.root
        return try patch(of: root).map { Data($0) }
    }

    /// The merge patch for a scene with this root; nil for a view without changes.
    package func patch(of root: JSONValue?) throws(PropertyError) -> [UInt8]? {
        guard self != Self() else { return nil }
        try check()
        var writer = JSONWriter()
        writer.beginObject()
        if let size {
            writer.key("size")
            writer.beginObject()
            writer.member("width", size.width)
            writer.member("height", size.height)
            writer.endObject()
        }
        writer.member("pixelRatio", pixelRatio)
        writer.member("background", background)
        if isFitted || center != nil || zoom != nil || bearing != nil || tilt != nil || padding != nil {
            writer.key("camera")
            writer.beginObject()
            try writeCamera(on: root?.member("waymark") == nil ? nil : root?.member("camera"), into: &writer)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// The keys of a patch.
    static let keys: Set<String> = ["size", "pixelRatio", "background", "camera"]

    /// - Parameter camera: The camera of the scene; nil if it has no camera and so fits its overlays.
    private func writeCamera(on camera: JSONValue?, into writer: inout JSONWriter) throws(PropertyError) {
        let isSceneFitted = camera.map { $0.member("fit") != nil } ?? true
        if padding != nil, !isFitted, !isSceneFitted || center != nil || zoom != nil {
            throw PropertyError(
                path: PictureOption.padding.name,
                problem: "it requires a fitted camera, but the camera's center or zoom is given; add fit")
        }
        if camera == nil || isFitted && !isSceneFitted {
            writer.member("fit", "overlays")
        }
        if let center {
            writer.member("center", [center.lng, center.lat])
        } else if isFitted, camera?.member("center") != nil {
            writer.key("center")
            writer.null()
        }
        if isFitted, camera?.member("zoom") != nil {
            writer.key("zoom")
            writer.null()
        }
        writer.member("zoom", zoom)
        writer.member("padding", padding)
        writer.member("bearing", bearing)
        writer.member("tilt", tilt)
    }
}
