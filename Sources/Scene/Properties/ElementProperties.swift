import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkText

extension ElementType {
    /// The properties of the type in scene files. An element is decoded into a `Box` of its struct.
    package var properties: PropertyList {
        switch self {
        case .title: TitleElementProperties.table.list
        case .legend: LegendElementProperties.table.list
        case .scaleBar: ScaleBarElementProperties.table.list
        case .northArrow: NorthArrowElementProperties.table.list
        case .image: ImageElementProperties.table.list
        case .text: TextElementProperties.table.list
        case .inset: InsetElementProperties.table.list
        }
    }
}

extension MapElement {
    /// The first property whose value is invalid, with the reason; nil if all values are valid. The content of a text element is checked
    /// when it is drawn.
    package func firstProblem() -> PropertyError? {
        // A generic function, so that the box contains the struct itself and not an existential.
        func box(_ element: some PlacedElement) -> AnyObject { Box(element) }
        return type.properties.firstProblem(box(placed))
    }
}

package enum TitleElementProperties {
    package static let table = PropertyTable<Box<TitleElement>>(
        { Box(TitleElement()) },
        synonyms: elementSynonyms.merging(["title": "text", "size": "textSize", "color": "textColor", "subtext": "subtitle"]) { $1 },
        [
            .part("type", .type, "The type of the element.").required(),
            .text("text", { $0.value.text }, { $0.value.text = $1 ?? "" }, "The title; `\\n` begins a new line.").required(),
            .text("subtitle", { $0.value.subtitle }, { $0.value.subtitle = $1 ?? "" }, "Smaller text beneath the title."),
            .number(
                "textSize", { $0.value.textSize }, { $0.value.textSize = $1 }, in: Marker.textSizeRange, "Size of the title in pt."),
            .number(
                "subtitleSize", { $0.value.subtitleSize }, { $0.value.subtitleSize = $1 }, in: Marker.textSizeRange,
                "Size of the subtitle in pt."),
            .color(
                "textColor", { $0.value.textColor }, { $0.value.textColor = $1 },
                "Color of the text; by default, the theme's text color for the title and its secondary text color for the subtitle."),
            .choice("fontWeight", { $0.value.fontWeight }, { $0.value.fontWeight = $1 }, changes: [], "Weight of the title."),
            .text("font", { $0.value.font }, { $0.value.font = $1 }, "The font family to try before Noto."),
        ] + elementFrameLines(\.value.frame))
}

package enum ScaleBarElementProperties {
    package static let table = PropertyTable<Box<ScaleBarElement>>(
        { Box(ScaleBarElement()) },
        synonyms: elementSynonyms.merging(["unit": "units", "width": "maxWidth", "textColor": "color"]) { $1 },
        [
            .part("type", .type, "The type of the element.").required(),
            .choice("units", { $0.value.units }, { $0.value.units = $1 }, changes: [], "The units of the length."),
            .number(
                "maxWidth", { $0.value.maxWidth }, { $0.value.maxWidth = $1 }, in: ScaleBarElement.widthRange,
                "The maximum length of the bar in pt."),
            .color(
                "color", { $0.value.color }, { $0.value.color = $1 },
                "Color of the bar and its text; by default, the theme's text color."),
        ] + elementFrameLines(\.value.frame))
}

package enum NorthArrowElementProperties {
    package static let table = PropertyTable<Box<NorthArrowElement>>(
        { Box(NorthArrowElement()) }, synonyms: elementSynonyms.merging(["width": "size", "height": "size"]) { $1 },
        [
            .part("type", .type, "The type of the element.").required(),
            .number("size", { $0.value.size }, { $0.value.size = $1 }, in: NorthArrowElement.sizeRange, "The width and the height in pt."),
            .color("color", { $0.value.color }, { $0.value.color = $1 }, "Color of the arrow; by default, the theme's text color."),
        ] + elementFrameLines(\.value.frame))
}

package enum ImageElementProperties {
    package static let table = PropertyTable<Box<ImageElement>>(
        { Box(ImageElement(.empty)) },
        synonyms: elementSynonyms.merging(["source": "image", "file": "image", "path": "image", "alpha": "opacity"]) { $1 },
        [
            .part("type", .type, "The type of the element.").required(),
            .image(
                "image", { $0.value.image }, { $0.value.image = $1 ?? .empty }, "The image, specified in the same way as a marker's icon."
            ).required(),
            .size("width", { $0.value.width }, { $0.value.width = $1 }, "Width in pt; `auto` or 0 uses the image's width."),
            .size("height", { $0.value.height }, { $0.value.height = $1 }, "Height in pt; `auto` or 0 uses the image's height."),
            .number(
                "opacity", { $0.value.opacity }, { $0.value.opacity = $1 }, in: ImageElement.opacityRange,
                "Opacity of the image and its panel."),
        ] + elementFrameLines(\.value.frame))
}

package enum TextElementProperties {
    package static let table = PropertyTable<Box<TextElement>>(
        { Box(TextElement(.label(""))) }, synonyms: elementSynonyms.merging(["text": "content", "view": "content"]) { $1 },
        [
            .part("type", .type, "The type of the element.").required(),
            .content("content", { $0.value.content }, { if let content = $1 { $0.value.content = content } }, "The content to show.")
                .required(),
        ] + elementFrameLines(\.value.frame))
}

package enum LegendElementProperties {
    package static let table = PropertyTable<Box<LegendElement>>(
        { Box(LegendElement()) }, synonyms: elementSynonyms.merging(LegendProperties.synonyms) { $1 },
        [.part("type", .type, "The type of the element.").required()] + LegendProperties.lines + elementFrameLines(\.value.frame))

    /// The properties of a legend that a scale requests, without the properties that determine the scale.
    package static let scaleTable = PropertyTable<Box<LegendElement>>(
        { Box(LegendElement()) }, synonyms: elementSynonyms.merging(LegendProperties.synonyms) { $1 },
        LegendProperties.lines.filter { !["overlay", "template", "property"].contains($0.property.name) }
            + elementFrameLines(\.value.frame))
}

package enum InsetElementProperties {
    package static let table = PropertyTable<Box<InsetElement>>(
        { Box(InsetElement(MapView(size: InsetElement.defaultSize))) }, synonyms: elementSynonyms,
        [
            .part("type", .type, "The type of the element.").required(),
            .choice(
                "extent", { $0.value.extent }, { $0.value.extent = $1 }, changes: [],
                "The map in which the area of the other map is outlined: `inset` shows the main map's area in the inset, `map` shows the "
                    + "inset's area in the main map, and `none` shows neither."),
            .color(
                "extentColor", { $0.value.extentColor }, { $0.value.extentColor = $1 },
                "Color of the outline of the covered area; by default, the theme's accent color."),
        ] + elementFrameLines(\.value.frame))
}

extension InsetElement {
    /// The size in pt of an inset whose scene file gives no size.
    package static let defaultSize = CGSize(width: 160, height: 120)
}

private let elementSynonyms = [
    "position": "place", "anchor": "place", "placement": "place", "margin": "margins", "visible": "isVisible",
    "background": "backgroundColor", "fill": "backgroundColor", "radius": "cornerRadius", "padding": "insets", "border": "borderWidth",
]

/// The properties of an element's frame.
private func elementFrameLines<Kind: AnyObject>(
    _ frame: ReferenceWritableKeyPath<Kind, ElementFrame> & Sendable
) -> [PropertyLine<Kind>] {
    [
        .choice(
            "place", { $0[keyPath: frame].place }, { $0[keyPath: frame].place = $1 }, changes: [],
            "The edge or corner of the picture where the element is placed. If elements share a place, the first is next to the edge, "
                + "and the others follow inward."
        ),
        .object(
            "margins", { Box($0[keyPath: frame].margins) }, { $0[keyPath: frame].margins = $1.value }, ContentInsetProperties.table,
            "The space in pt that is kept free around the element. Between two elements, it is the larger of their margins."),
        .boolean("isVisible", { $0[keyPath: frame].isVisible }, { $0[keyPath: frame].isVisible = $1 }, "Whether the element is drawn."),
        .color(
            "backgroundColor", { $0[keyPath: frame].backgroundColor }, { $0[keyPath: frame].backgroundColor = $1 },
            "Color of the panel behind the element. By default, titles, legends, scale bars and north arrows have the theme's panel "
                + "color, and other elements have no panel."
        ),
        .color(
            "borderColor", { $0[keyPath: frame].borderColor }, { $0[keyPath: frame].borderColor = $1 },
            "Color of the panel's border; by default, the theme's hairline color."),
        .number(
            "borderWidth", { $0[keyPath: frame].borderWidth }, { $0[keyPath: frame].borderWidth = $1 }, in: ContentFrame.borderRange,
            "Width of the panel's border in pt. By default, insets and panels in the theme's panel color have a hairline, and other panels "
                + "have no border."),
        .number(
            "cornerRadius", { $0[keyPath: frame].cornerRadius }, { $0[keyPath: frame].cornerRadius = $1 }, in: ContentFrame.lengthRange,
            "Radius of the panel's corners in pt. The default is 4, except for a north arrow, whose panel is a circle. Insets have square "
                + "corners."),
        .object(
            "insets", { Box($0[keyPath: frame].insets) }, { $0[keyPath: frame].insets = $1.value }, ContentInsetProperties.table,
            "The space in pt between the edges of the panel and the content."),
    ]
}

extension ElementPlace: NamedChoice {}
extension ScaleBarElement.Units: NamedChoice {}
extension InsetElement.Extent: NamedChoice {}
