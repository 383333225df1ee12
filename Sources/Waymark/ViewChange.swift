import Foundation
import WaymarkGeo
import WaymarkSceneFiles

/// What a picture has in place of its scene's settings: the size, the background and the camera, as the options of the program say it.
/// nil keeps what the scene has.
public struct ViewChange: Equatable, Sendable {
    /// In pt.
    public var size: CGSize?
    public var pixelRatio: Double?
    /// A CSS color.
    public var background: String?
    /// A center or a zoom ends the fitting of a scene that fits its camera. One without the other needs a scene that has a camera.
    public var center: LatLng?
    public var zoom: Double?
    /// Degrees clockwise from north that are up in the picture.
    public var bearing: Double?
    /// Degrees from straight down.
    public var tilt: Double?
    /// Whether all overlays are shown, whatever camera the scene has. Default false.
    public var isFitted = false
    /// pt left free on every side when fitting.
    public var padding: Double?

    public init() {}

    /// Why a view is none of a scene.
    public enum Problem: Error, Equatable, Sendable {
        /// There is a center, or a zoom, without the other one, and the scene fits its camera.
        case halfACamera
        /// There is a padding, and a center or a zoom, so that nothing is fitted.
        case nothingToPad
    }
}

extension ViewChange {
    /// The change of a scene that makes this its view, as `RenderPool` takes it: a merge patch as JSON; nil for a view that changes nothing.
    /// - Parameter scene: The content of the scene or GeoJSON file. One that is invalid shows when it is read.
    public func patch(of scene: Data) throws(Problem) -> Data? {
        guard self != Self() else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        try write(on: [UInt8](scene), into: &writer)
        writer.endObject()
        return Data(writer.bytes)
    }

    /// Whether it says a part of the camera alone.
    package var changesCamera: Bool { isFitted || center != nil || zoom != nil || bearing != nil || tilt != nil || padding != nil }

    /// Writes the members of the patch.
    /// - Parameter scene: The bytes of the scene; nil for the empty one.
    package func write(on scene: [UInt8]?, into writer: inout JSONWriter) throws(Problem) {
        if let size {
            writer.key("size")
            writer.beginObject()
            writer.key("width")
            writer.number(size.width)
            writer.key("height")
            writer.number(size.height)
            writer.endObject()
        }
        Self.write(pixelRatio, "pixelRatio", into: &writer)
        if let background {
            writer.key("background")
            writer.string(background)
        }
        guard changesCamera else { return }
        let root = scene.flatMap { try? JSONDocument(parsing: $0) }?.root
        writer.key("camera")
        writer.beginObject()
        try writeCamera(on: root?.member("waymark") == nil ? nil : root?.member("camera"), into: &writer)
        writer.endObject()
    }

    /// - Parameter camera: The camera of the scene; nil if it has none, and so fits its overlays.
    private func writeCamera(on camera: JSONValue?, into writer: inout JSONWriter) throws(Problem) {
        let isSceneFitted = camera.map { $0.member("fit") != nil } ?? true
        if center != nil || zoom != nil {
            if isSceneFitted {
                guard center != nil, zoom != nil else { throw .halfACamera }
                Self.writeNulls(["fit", "padding", "maxZoom"], into: &writer)
            }
            if let center {
                writer.key("center")
                writer.beginArray()
                writer.number(center.lng)
                writer.number(center.lat)
                writer.endArray()
            }
            Self.write(zoom, "zoom", into: &writer)
        } else if isFitted || camera == nil {
            // What the scene fits, it goes on fitting.
            if camera?.member("fit") == nil {
                writer.key("fit")
                writer.string("overlays")
            }
            if !isSceneFitted { Self.writeNulls(["center", "zoom"], into: &writer) }
        }
        if padding != nil, !isFitted, !isSceneFitted || center != nil || zoom != nil { throw .nothingToPad }
        Self.write(padding, "padding", into: &writer)
        Self.write(bearing, "bearing", into: &writer)
        Self.write(tilt, "tilt", into: &writer)
    }

    private static func write(_ value: Double?, _ key: String, into writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(key)
        writer.number(value)
    }

    private static func writeNulls(_ keys: [String], into writer: inout JSONWriter) {
        for key in keys {
            writer.key(key)
            writer.null()
        }
    }
}
