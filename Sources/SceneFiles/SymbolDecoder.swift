import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Reads symbols of the base map: keys are the property names.
enum SymbolDecoder: TemplateKind {
    /// A symbol on its way from a template to a map.
    final class Draft {
        var symbol = Symbol(position: LatLng(lat: 0, lng: 0))
    }

    /// A whole symbol object of a scene.
    static func symbol(_ value: JSONValue, _ images: inout ImageTable) throws(SceneFileError) -> Symbol {
        let draft = Draft()
        try value.readObject { (object) throws(SceneFileError) in
            draft.symbol.position = try object.required("position").readPosition()
            if let id = object["id"] { draft.symbol.id = try MarkerDecoder.readID(id) }
            try readProperties(&object, of: draft, &images)
        }
        return draft.symbol
    }

    static func make() -> Draft { Draft() }

    static func copyProperties(of prototype: Draft, to draft: Draft) { draft.symbol = prototype.symbol }

    static func readProperties(_ object: inout ObjectReader, of draft: Draft, _ images: inout ImageTable) throws(SceneFileError) {
        var symbol = draft.symbol
        if let value = object["captionText"] { symbol.captionText = try value.readString() }
        if let value = object["captionColor"] { symbol.captionColor = try value.readColor() }
        if let value = object["captionHaloColor"] { symbol.captionHaloColor = try value.readColor() }
        if let value = object["captionTextSize"] { symbol.captionTextSize = try value.readNumber(in: Marker.textSizeRange) }
        if let value = object["captionRequestedWidth"] { symbol.captionRequestedWidth = try value.readNumber(in: Marker.sizeRange) }
        if let value = object["captionFontWeight"] { symbol.captionFontWeight = try MarkerDecoder.readWeight(value) }
        if let value = object["iconImage"] { symbol.iconImage = try images.image(value) }
        if let value = object["width"] { symbol.width = try MarkerDecoder.readSize(value) }
        if let value = object["height"] { symbol.height = try MarkerDecoder.readSize(value) }
        if let value = object["rank"] { symbol.rank = try value.readNumber() }
        if let value = object["minZoom"] { symbol.minZoom = try value.readNumber(in: Camera.zoomRange) }
        if let value = object["maxZoom"] { symbol.maxZoom = try value.readNumber(in: Camera.zoomRange) }
        draft.symbol = symbol
    }
}

typealias SymbolTemplate = OverlayTemplate<SymbolDecoder>

extension SymbolTemplate {
    /// What symbols are where a scene does not tell: their name, by their rank.
    static func plain(_ images: inout ImageTable) throws(SceneFileError) -> SymbolTemplate {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: Array(#"{"captionText": "{name}", "rank": "{rank}"}"#.utf8))
        } catch {
            throw SceneFileError(error, file: "")
        }
        return try SymbolTemplate(document.root, &images)
    }
}
