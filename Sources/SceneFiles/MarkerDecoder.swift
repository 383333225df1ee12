import Foundation
import WaymarkGeo
import WaymarkScene
import WaymarkText

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
        try readCaption(&object, of: marker)
        try readCollisions(&object, of: marker)
    }

    private static func readCaption(_ object: inout ObjectReader, of marker: Marker) throws(SceneFileError) {
        if let value = object["captionText"] { marker.captionText = try value.readString() }
        if let value = object["captionColor"] { marker.captionColor = try value.readColor() }
        if let value = object["captionHaloColor"] { marker.captionHaloColor = try value.readColor() }
        if let value = object["captionTextSize"] { marker.captionTextSize = try value.readNumber(in: Marker.textSizeRange) }
        if let value = object["captionRequestedWidth"] { marker.captionRequestedWidth = try value.readNumber(in: Marker.sizeRange) }
        if let value = object["captionOffset"] { marker.captionOffset = try value.readNumber(in: Marker.offsetRange) }
        if let value = object["captionAlign"] { marker.captionAlign = try readAlign(value) }
        if let value = object["captionAligns"] {
            guard object["captionAlign"] == nil else { throw value.error("captionAlign says it, too; leave one of them out") }
            marker.captionAligns = try readAligns(value)
        }
        if let value = object["captionMinZoom"] { marker.captionMinZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["captionMaxZoom"] { marker.captionMaxZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["captionPerspectiveEnabled"] { marker.captionPerspectiveEnabled = try value.readBoolean() }
        if let value = object["captionFontWeight"] { marker.captionFontWeight = try readWeight(value) }
        if let value = object["captionFont"] { marker.captionFont = try value.readString() }
        if let value = object["subCaptionText"] { marker.subCaptionText = try value.readString() }
        if let value = object["subCaptionColor"] { marker.subCaptionColor = try value.readColor() }
        if let value = object["subCaptionHaloColor"] { marker.subCaptionHaloColor = try value.readColor() }
        if let value = object["subCaptionTextSize"] { marker.subCaptionTextSize = try value.readNumber(in: Marker.textSizeRange) }
        if let value = object["subCaptionRequestedWidth"] { marker.subCaptionRequestedWidth = try value.readNumber(in: Marker.sizeRange) }
        if let value = object["subCaptionMinZoom"] { marker.subCaptionMinZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["subCaptionMaxZoom"] { marker.subCaptionMaxZoom = try value.readNumber(in: Camera.zoomRange) }
    }

    private static func readCollisions(_ object: inout ObjectReader, of marker: Marker) throws(SceneFileError) {
        if let value = object["isHideCollidedSymbols"] { marker.isHideCollidedSymbols = try value.readBoolean() }
        if let value = object["isHideCollidedMarkers"] { marker.isHideCollidedMarkers = try value.readBoolean() }
        if let value = object["isHideCollidedCaptions"] { marker.isHideCollidedCaptions = try value.readBoolean() }
        if let value = object["isForceShowIcon"] { marker.isForceShowIcon = try value.readBoolean() }
        if let value = object["isForceShowCaption"] { marker.isForceShowCaption = try value.readBoolean() }
    }

    private static func readAlign(_ value: JSONValue) throws(SceneFileError) -> AlignType {
        try value.readName(AlignType.allCases.map(\.rawValue), AlignType.init)
    }

    /// One side, or the sides to be tried, first to last.
    private static func readAligns(_ value: JSONValue) throws(SceneFileError) -> [AlignType] {
        guard value.kind == .array else { return [try readAlign(value)] }
        var aligns: [AlignType] = []
        for element in try value.readArray() { aligns.append(try readAlign(element)) }
        guard !aligns.isEmpty else { throw value.error("names no side to stand at") }
        guard aligns.count <= AlignType.allCases.count else {
            throw value.error("names \(aligns.count) sides, and there are \(AlignType.allCases.count)")
        }
        return aligns
    }

    static func readWeight(_ value: JSONValue) throws(SceneFileError) -> FontWeight {
        try value.readName(FontWeight.allCases.map(\.rawValue), FontWeight.init)
    }

    static func readSize(_ value: JSONValue) throws(SceneFileError) -> Double {
        value.isString("auto") ? Marker.sizeAuto : try value.readNumber(in: Marker.sizeRange)
    }
}
