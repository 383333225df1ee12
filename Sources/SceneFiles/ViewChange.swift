import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The settings of a picture that replace those of the scene: size, background and camera. A setting that is nil keeps the scene's value.
///
/// ``PictureOption`` has the name, the range and the meaning of each setting.
public struct ViewChange: Equatable, Sendable {
    /// The size of the picture in pt.
    public var size: CGSize?
    /// The number of device pixels per pt.
    public var pixelRatio: Double?
    /// The background color in CSS notation.
    public var background: String?
    /// The center of the camera. It replaces the scene's center, even if the scene's camera is fitted.
    public var center: LatLng?
    /// The zoom of the camera. It replaces the scene's zoom, even if the scene's camera is fitted.
    public var zoom: Double?
    /// The compass direction at the top of the picture, in degrees clockwise from north.
    public var bearing: Double?
    /// The tilt in degrees from straight down.
    public var tilt: Double?
    /// Whether the camera is fitted to all overlays, instead of using the scene's center and zoom. Default false.
    public var isFitted = false
    /// The space in pt that is left free on every side when the camera is fitted.
    public var padding: Double?

    public init() {}
}

extension ViewChange {
    /// The change that applies these settings to a scene, for use with `RenderPool`: a JSON merge patch, or nil if no settings are changed.
    /// - Parameter scene: The content of the scene or GeoJSON file. Invalid content is reported when the scene is read.
    /// - Throws: The errors of `check()`, and `PropertyError` if a padding is given but the camera is not fitted.
    public func patch(of scene: Data) throws(PropertyError) -> Data? {
        let root = (try? JSONDocument(parsing: [UInt8](scene)))?.root
        return try patch(of: root).map { Data($0) }
    }

    /// The merge patch for a scene with this root; nil if no settings are changed.
    package func patch(of root: JSONValue?) throws(PropertyError) -> [UInt8]? {
        guard self != Self() else { return nil }
        try check()
        return try JSONWriter.object { (writer) throws(PropertyError) in
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
        }
    }

    /// The keys that a patch may contain.
    static let keys: Set<String> = ["size", "pixelRatio", "background", "camera"]

    /// - Parameter camera: The camera of the scene; nil if it has no camera and so fits its overlays.
    private func writeCamera(on camera: JSONValue?, into writer: inout JSONWriter) throws(PropertyError) {
        let isSceneFitted = camera.map { $0.member("fit") != nil } ?? true
        if padding != nil, !isFitted, !isSceneFitted || center != nil || zoom != nil {
            throw PropertyError(
                path: PictureOption.padding.name,
                problem: "padding requires a fitted camera, but the camera's center or zoom is given; use fit instead")
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
