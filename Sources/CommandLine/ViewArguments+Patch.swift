import Foundation
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

extension ViewArguments {
    /// The merge patch that makes these options settings of a base scene, as JSON; nil when none is given.
    /// - Parameter base: The bytes of the base scene; nil for the empty one. If they are invalid, the workers say so.
    func patch(of base: [UInt8]?) throws(Failure) -> [UInt8]? {
        let change = change
        guard change != ViewChange() || !basemap.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        do throws(ViewChange.Problem) {
            try change.write(on: base, into: &writer)
        } catch {
            switch error {
            case .halfACamera:
                let given = center == nil ? "--zoom" : "--center"
                throw Failure(.usage, "\(given): the camera of the base scene fits its overlays; give both --center and --zoom")
            case .nothingToPad: throw Failure(.usage, Self.nothingToPad)
            }
        }
        if try baseMapLayers() != nil {
            writer.key("basemap")
            writer.beginArray()
            // Paths in a scene are relative to it, and those in options to the working directory.
            for path in basemap { writer.string(FileSystem.resolved(path) ?? path) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    private var change: ViewChange {
        var change = ViewChange()
        change.size = size.map { CGSize(width: $0.width, height: $0.height) }
        change.pixelRatio = pixelRatio
        change.background = background
        change.center = center.map { LatLng(lat: $0.lat, lng: $0.lng) }
        (change.zoom, change.bearing, change.tilt) = (zoom, bearing, tilt)
        (change.isFitted, change.padding) = (fit, padding)
        return change
    }
}
