import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The settings of a picture that replace the scene's settings: size, background, theme and camera. A setting that is nil keeps the
/// scene's value.
///
/// ``PictureOption`` describes the name, the range and the meaning of each setting. `SceneFileOptions.view` applies the settings to a scene
/// when it is read; `SceneChange.view` applies them to a scene that a `RenderPool` draws.
public struct ViewChange: Equatable, Sendable {
    /// The size of the picture in pt.
    public var size: CGSize?
    /// The number of device pixels per pt.
    public var pixelRatio: Double?
    /// The background color. It is rounded to 8 bits per channel.
    public var background: Color?
    /// The theme. Base map layers with their own theme keep it.
    public var theme: MapTheme?
    /// The center of the camera. It replaces the scene's center, even if the scene's camera is fitted.
    public var center: LatLng?
    /// The zoom of the camera. It replaces the scene's zoom, even if the scene's camera is fitted.
    public var zoom: Double?
    /// The compass direction at the top of the picture, in degrees clockwise from north.
    public var bearing: Double?
    /// The tilt in degrees from straight down.
    public var tilt: Double?
    /// Whether the camera is fitted to all overlays, instead of using the scene's center and zoom. Default false: the scene's camera is
    /// kept, fitted or not.
    public var isFitted = false
    /// The space in pt that a fitted camera leaves free on every side of the picture.
    public var padding: Double?

    public init() {}
}

extension ViewChange {
    /// The merge patch for a scene with this root; nil if no settings are changed.
    /// - Throws: The errors of `check()`, and `PropertyError` if a padding is given but the camera is not fitted.
    package func patch(of root: JSONValue?) throws(PropertyError) -> [UInt8]? { try patch { CameraForm(of: root) } }

    /// The merge patch for a scene whose camera has this form; nil if no settings are changed.
    /// - Parameter form: The form, for settings of the camera.
    /// - Throws: The errors of `patch(of:)`.
    package func patch(form: () -> CameraForm) throws(PropertyError) -> [UInt8]? {
        guard self != Self() else { return nil }
        return try JSONWriter.object { (writer) throws(PropertyError) in try write(into: &writer, form: form) }
    }

    /// Writes the members of the merge patch.
    /// - Parameter form: The form of the scene's camera, for settings of the camera.
    /// - Throws: The errors of `patch(of:)`.
    package func write(into writer: inout JSONWriter, form: () -> CameraForm) throws(PropertyError) {
        try check()
        if let size {
            writer.key("size")
            writer.beginObject()
            writer.member("width", size.width)
            writer.member("height", size.height)
            writer.endObject()
        }
        writer.member("pixelRatio", pixelRatio)
        writer.member("background", background?.description)
        writer.member("theme", theme?.rawValue)
        if isFitted || center != nil || zoom != nil || bearing != nil || tilt != nil || padding != nil {
            writer.key("camera")
            writer.beginObject()
            try writeCamera(on: form(), into: &writer)
            writer.endObject()
        }
    }

    /// The keys that a patch may contain.
    static let keys: Set<String> = ["size", "pixelRatio", "background", "theme", "camera"]

    private func writeCamera(on form: CameraForm, into writer: inout JSONWriter) throws(PropertyError) {
        if padding != nil, !isFitted, !form.isFitted || center != nil || zoom != nil {
            throw PropertyError(
                path: PictureOption.padding.name,
                problem: "padding requires a fitted camera, but the camera's center or zoom is given; use fit instead")
        }
        if !form.isGiven || isFitted && !form.isFitted {
            writer.member("fit", "overlays")
        }
        if let center {
            writer.member("center", [center.lng, center.lat])
        } else if isFitted, form.hasCenter {
            writer.key("center")
            writer.null()
        }
        if isFitted, form.hasZoom {
            writer.key("zoom")
            writer.null()
        }
        writer.member("zoom", zoom)
        writer.member("padding", padding)
        writer.member("bearing", bearing)
        writer.member("tilt", tilt)
    }
}

/// The facts about a scene's camera that determine how a change of the view is written.
package struct CameraForm: Equatable, Sendable {
    /// Whether the scene has a camera. A scene without a camera shows all its overlays.
    var isGiven = false
    var isFitted = true
    var hasCenter = false
    var hasZoom = false

    /// - Parameter root: The scene; nil for GeoJSON, and for text that cannot be read.
    package init(of root: JSONValue?) {
        guard root?.member("waymark") != nil, let camera = root?.member("camera") else { return }
        isGiven = true
        isFitted = camera.member("fit") != nil
        hasCenter = camera.member("center") != nil
        hasZoom = camera.member("zoom") != nil
    }

    /// Determines the form of the camera of a scene or a file of features, in the same way as `SceneFile`. Features are not parsed.
    /// - Parameter name: The name of the file.
    package init(ofFile bytes: [UInt8], name: String) {
        self.init(of: (try? SceneText(bytes, name: name, options: SceneFileOptions()))?.document.root)
    }
}
