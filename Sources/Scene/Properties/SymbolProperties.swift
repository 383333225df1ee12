import WaymarkGeo
import WaymarkText

package enum SymbolProperties {
    package static let table = PropertyTable<Box<Symbol>>(
        { Box(Symbol(position: LatLng(lat: 0, lng: 0))) },
        synonyms: [
            "coordinates": "position", "location": "position", "latLng": "position", "center": "position", "icon": "iconImage",
            "image": "iconImage", "caption": "captionText", "text": "captionText", "label": "captionText", "name": "captionText",
            "title": "captionText", "textSize": "captionTextSize", "fontSize": "captionTextSize", "textColor": "captionColor",
            "color": "captionColor", "haloColor": "captionHaloColor", "haloWidth": "captionHaloWidth",
            "haloBlur": "captionHaloBlur", "letterSpacing": "captionLetterSpacing", "padding": "captionPadding", "priority": "rank",
        ],
        [
            .position(
                "position", { $0.value.position }, { $0.value.position = $1 },
                "The position of the icon's center or, without an icon, of the text's center."
            ).required(),
            .text(
                "id", { $0.value.id }, { $0.value.id = $1 }, form: .identifier,
                "A name that is unique in the scene; by default, `symbol-` followed by the symbol's index in the list."
            )
            .fixed(),
            .text(
                "captionText", { $0.value.captionText }, { $0.value.captionText = $1 ?? "" },
                "The text, drawn beneath the icon or, without an icon, centered on the position; `\\n` begins a new line."),
            .color("captionColor", { $0.value.captionColor }, { $0.value.captionColor = $1 }, "Color of the text.")
                .themed({ $0.value.ownCaptionColor }, { $0.value.ownCaptionColor = $1 }),
            .color(
                "captionHaloColor", { $0.value.captionHaloColor }, { $0.value.captionHaloColor = $1 },
                "Color of the text's outline."
            ).themed({ $0.value.ownCaptionHaloColor }, { $0.value.ownCaptionHaloColor = $1 }),
            .number(
                "captionHaloWidth", { $0.value.captionHaloWidth }, { $0.value.captionHaloWidth = $1 }, in: Marker.haloWidthRange,
                "Width in pt of the text's outline; 0 means no outline."),
            .number(
                "captionHaloBlur", { $0.value.captionHaloBlur }, { $0.value.captionHaloBlur = $1 }, in: Marker.haloBlurRange,
                "Distance in pt over which the text's outline fades on each side of its outer edge; 0 means a sharp edge."),
            .number(
                "captionTextSize", { $0.value.captionTextSize }, { $0.value.captionTextSize = $1 }, in: Marker.textSizeRange,
                "Size of the text in pt."),
            .number(
                "captionRequestedWidth", { $0.value.captionRequestedWidth }, { $0.value.captionRequestedWidth = $1 }, in: Marker.sizeRange,
                "Width in pt at which the text wraps between words; 0 means no wrapping."),
            .number(
                "captionLetterSpacing", { $0.value.captionLetterSpacing }, { $0.value.captionLetterSpacing = $1 },
                in: Marker.letterSpacingRange,
                "Space in em that is added between the letters of the text. In joined scripts such as Arabic, it is added only between "
                    + "words."),
            .number(
                "captionPadding", { $0.value.captionPadding }, { $0.value.captionPadding = $1 }, in: Marker.captionPaddingRange,
                "Space in pt that is kept free around the text."),
            .choice(
                "captionFontWeight", { $0.value.captionFontWeight }, { $0.value.captionFontWeight = $1 }, changes: [], "Weight of the text."
            ),
            .image(
                "iconImage", { $0.value.iconImage }, { $0.value.iconImage = $1 }, "The icon, specified in the same way as a marker's icon."),
            .size("width", { $0.value.width }, { $0.value.width = $1 }, "Width of the icon in pt; `auto` or 0 uses the image's width."),
            .size(
                "height", { $0.value.height }, { $0.value.height = $1 }, "Height of the icon in pt; `auto` or 0 uses the image's height."),
            .text(
                "kind", { $0.value.kind }, { $0.value.kind = $1 ?? Symbol.pointOfInterest }, template: .name,
                "The type that picking reports: `pointOfInterest`, `transitStop`, `trafficEvent` or a custom name."),
            .text("category", { $0.value.category }, { $0.value.category = $1 }, "The category that picking reports."),
            .text("phone", { $0.value.phone }, { $0.value.phone = $1 }, "The telephone number that picking reports."),
            .number(
                "rank", { $0.value.rank }, { $0.value.rank = $1 },
                "The priority among overlapping symbols. Only the symbol with the lowest rank is drawn; among equal ranks, only the first "
                    + "symbol."),
            .number(
                "minZoom", { $0.value.minZoom }, { $0.value.minZoom = $1 }, in: Camera.zoomRange,
                "The lowest zoom at which the symbol is drawn, inclusive."),
            .number(
                "maxZoom", { $0.value.maxZoom }, { $0.value.maxZoom = $1 }, in: Camera.zoomRange,
                "The highest zoom at which the symbol is drawn, inclusive."),
        ])
}

extension Symbol {
    /// The first property whose value is invalid, with the reason; nil if all values are valid.
    package func firstProblem() -> PropertyError? {
        SymbolProperties.table.list.firstProblem(Box(self))
    }
}
