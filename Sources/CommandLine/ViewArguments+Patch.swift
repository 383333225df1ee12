import Waymark
import WaymarkSceneFiles
import WaymarkSystem

extension ViewArguments {
    /// The merge patch that makes these options settings of a base scene, as JSON; nil when none is given.
    /// - Parameter base: The bytes of the base scene; nil for the empty one. If they are invalid, the workers say so.
    func patch(of base: [UInt8]?) throws(Failure) -> [UInt8]? {
        let hasCamera = fit || center != nil || zoom != nil || bearing != nil || tilt != nil || padding != nil
        guard hasCamera || size != nil || pixelRatio != nil || background != nil || !basemap.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        if let size {
            writer.key("size")
            writer.beginObject()
            writer.key("width")
            writer.number(size.width)
            writer.key("height")
            writer.number(size.height)
            writer.endObject()
        }
        write(pixelRatio, "pixelRatio", into: &writer)
        if let background {
            writer.key("background")
            writer.string(background)
        }
        if try baseMapLayers() != nil {
            writer.key("basemap")
            writer.beginArray()
            // Paths in a scene are relative to it, and those in options to the working directory.
            for path in basemap { writer.string(FileSystem.resolved(path) ?? path) }
            writer.endArray()
        }
        if hasCamera {
            let root = base.flatMap { try? JSONDocument(parsing: $0) }?.root
            writer.key("camera")
            writer.beginObject()
            try writeCamera(on: root?.member("waymark") == nil ? nil : root?.member("camera"), into: &writer)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// - Parameter camera: The camera of the base scene; nil if it has none, and so fits its overlays.
    private func writeCamera(on camera: JSONValue?, into writer: inout JSONWriter) throws(Failure) {
        let isFitted = camera.map { $0.member("fit") != nil } ?? true
        if center != nil || zoom != nil {
            if isFitted, center == nil || zoom == nil {
                let given = center == nil ? "--zoom" : "--center"
                throw Failure(.usage, "\(given): the camera of the base scene fits its overlays; give both --center and --zoom")
            }
            if isFitted { writeNulls(["fit", "padding", "maxZoom"], into: &writer) }
            if let center {
                writer.key("center")
                writer.beginArray()
                writer.number(center.lng)
                writer.number(center.lat)
                writer.endArray()
            }
            write(zoom, "zoom", into: &writer)
        } else if fit || camera == nil {
            writer.key("fit")
            writer.string("overlays")
            if !isFitted { writeNulls(["center", "zoom"], into: &writer) }
        }
        if padding != nil, !fit, !isFitted || center != nil {
            throw Failure(.usage, Self.nothingToPad)
        }
        write(padding, "padding", into: &writer)
        write(bearing, "bearing", into: &writer)
        write(tilt, "tilt", into: &writer)
    }

    private func write(_ value: Double?, _ key: String, into writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(key)
        writer.number(value)
    }

    private func writeNulls(_ keys: [String], into writer: inout JSONWriter) {
        for key in keys {
            writer.key(key)
            writer.null()
        }
    }
}
