import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// What a scene says of the picture as a whole: read apart from the overlays, since jobs that change nothing else need none of them.
package struct SceneSettings {
    package var size = SceneReader.defaultSize
    package var pixelRatio = 1.0
    package var language = MapView.defaultLanguage
    package var background = Color.clear
    package var modelSamples = 4
    package var camera = Camera()
    /// nil for a fixed camera.
    package var fit: FitOptions? = FitOptions()

    /// The keys that ``read(_:)`` asks for.
    static let keys = ["size", "pixelRatio", "language", "background", "modelSamples", "camera"]

    package func apply(to mapView: MapView) {
        mapView.size = size
        mapView.pixelRatio = pixelRatio
        mapView.language = language
        mapView.background = background
        mapView.modelSamples = modelSamples
        mapView.camera = camera
    }
}

extension SceneSettings {
    mutating func read(_ object: inout ObjectReader) throws(SceneFileError) {
        if let value = object["size"] { size = try readSize(value) }
        if let value = object["pixelRatio"] { pixelRatio = try value.readNumber(in: Viewport.pixelRatioRange) }
        if let value = object["language"] { language = try readLanguage(value) }
        if let value = object["background"] { background = try value.readColor() }
        if let value = object["modelSamples"] { modelSamples = try readModelSamples(value) }
        if let value = object["camera"] { try readCamera(value) }
    }

    /// A BCP 47 tag, as far as its form goes.
    private func readLanguage(_ value: JSONValue) throws(SceneFileError) -> String {
        let tag = try value.readString()
        guard MapView.isLanguageTag(tag) else {
            throw value.error("\(value.brief) is no language tag such as \"ko\" or \"zh-Hant\"")
        }
        return tag
    }

    private func readModelSamples(_ value: JSONValue) throws(SceneFileError) -> Int {
        let count = try value.readInteger()
        guard MapView.modelSampleCounts.contains(count) else { throw value.error("\(count) is neither 1 nor 4") }
        return count
    }

    private func readSize(_ value: JSONValue) throws(SceneFileError) -> CGSize {
        try value.readObject { (object) throws(SceneFileError) in
            CGSize(width: try object.required("width").readNumber(), height: try object.required("height").readNumber())
        }
    }

    private mutating func readCamera(_ value: JSONValue) throws(SceneFileError) {
        try value.readObject { (object) throws(SceneFileError) in
            let bearing = try object["bearing"]?.readNumber() ?? 0
            let tilt = try object["tilt"]?.readNumber(in: Camera.tiltRange) ?? 0
            let inset = try object["contentInset"].map(readInsets) ?? EdgeInsets()
            if let fit = object["fit"] {
                guard fit.isString("overlays") else { throw fit.unexpected("\"overlays\"") }
                var request = FitOptions()
                request.bearing = bearing
                request.tilt = tilt
                request.contentInset = inset
                if let padding = object["padding"] { request.padding = try padding.readNumber(in: 0...Double.infinity) }
                if let maxZoom = object["maxZoom"] { request.maxZoom = try maxZoom.readNumber(in: Camera.zoomRange) }
                self.fit = request
            } else {
                let center = try object.required("center")
                let position = try center.readPosition()
                guard Camera.centerLatitudeRange.contains(position.lat) else {
                    throw center.error(
                        "latitude \(plain(position.lat)) is outside \(Camera.centerLatitudeRange.lowerBound)…"
                            + "\(Camera.centerLatitudeRange.upperBound)")
                }
                camera = Camera(
                    center: position, zoom: try object["zoom"]?.readNumber(in: Camera.zoomRange) ?? 0, bearing: bearing, tilt: tilt,
                    contentInset: inset)
                fit = nil
            }
        }
    }

    private func readInsets(_ value: JSONValue) throws(SceneFileError) -> EdgeInsets {
        try value.readObject { (object) throws(SceneFileError) in
            EdgeInsets(
                top: try object["top"]?.readNumber(in: 0...Double.infinity) ?? 0,
                left: try object["left"]?.readNumber(in: 0...Double.infinity) ?? 0,
                bottom: try object["bottom"]?.readNumber(in: 0...Double.infinity) ?? 0,
                right: try object["right"]?.readNumber(in: 0...Double.infinity) ?? 0)
        }
    }
}
