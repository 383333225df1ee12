import Foundation
import WaymarkGeo
import WaymarkScene

/// Reads markers: keys are the property names.
enum MarkerDecoder {
    /// A whole marker object of a scene.
    static func marker(_ value: JSONValue, _ images: inout ImageTable) throws(SceneFileError) -> Marker {
        let marker = Marker()
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            marker.position = try object.required("position").readPosition()
            if let id = object["id"] { marker.id = try readID(id) }
            try readProperties(&object, of: marker, &images)
        }
        return marker
    }

    static func readID(_ value: JSONValue) throws(SceneFileError) -> String {
        let id = try value.readString()
        guard !id.isEmpty else { throw value.error("an id is not empty") }
        return id
    }

    /// What all overlays have, but for their ids.
    static func readOverlay(_ object: inout ObjectReader, of overlay: Overlay) throws(SceneFileError) {
        if let value = object["zIndex"] { overlay.zIndex = try value.readInteger() }
        if let value = object["globalZIndex"] { overlay.globalZIndex = try value.readInteger() }
        if let value = object["altitude"] { overlay.altitude = try value.readNumber(in: Overlay.altitudeRange) }
        if let value = object["isVisible"] { overlay.isVisible = try value.readBoolean() }
        if let value = object["isHidden"] { overlay.isHidden = try value.readBoolean() }
        if let value = object["minZoom"] { overlay.minZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["maxZoom"] { overlay.maxZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["hiddenZooms"] {
            for level in try value.readArray() {
                overlay.setVisibility(false, atZoom: try level.readInteger(in: 0...24))
            }
        }
        if let value = object["tag"] { overlay.tag = try value.readInteger() }
        if let value = object["mapLayerType"] {
            overlay.mapLayerType = try value.readName(MapLayerType.allCases.map { "\($0)" }) { name in
                MapLayerType.allCases.first { "\($0)" == name }
            }
        }
    }

    /// Everything but where it stands and what it is called.
    static func readProperties(
        _ object: inout ObjectReader, of marker: Marker, _ images: inout ImageTable
    ) throws(SceneFileError) {
        try readOverlay(&object, of: marker)
        if let value = object["iconImage"] { marker.iconImage = try images.image(value) }
        if let value = object["width"] { marker.width = try readSize(value) }
        if let value = object["height"] { marker.height = try readSize(value) }
        if let value = object["anchor"] { marker.anchor = try value.readPoint(in: Marker.anchorRange) }
        if let value = object["anchorOffset"] { marker.anchorOffset = try value.readPoint(in: Marker.offsetRange) }
        if let value = object["iconTintColor"] { marker.iconTintColor = try value.readColor() }
        if let value = object["angle"] { marker.angle = try value.readNumber() }
        if let value = object["alpha"] { marker.alpha = try value.readNumber(in: 0...1) }
        if let value = object["isFlat"] { marker.isFlat = try value.readBoolean() }
        if let value = object["iconPerspectiveEnabled"] { marker.iconPerspectiveEnabled = try value.readBoolean() }
        if let value = object["title"] { marker.title = try value.readString() }
        if let value = object["snippet"] { marker.snippet = try value.readString() }
    }

    private static func readSize(_ value: JSONValue) throws(SceneFileError) -> Double {
        value.isString("auto") ? Marker.sizeAuto : try value.readNumber(in: Marker.sizeRange)
    }
}
