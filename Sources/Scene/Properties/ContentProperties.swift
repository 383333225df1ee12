import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// The properties of labels.
package enum LabelProperties {
    package static let table = PropertyTable<Box<LabelContent>>(
        { Box(LabelContent()) }, synonyms: contentSynonyms.merging(["color": "textColor", "size": "textSize"]) { $1 },
        [
            .text("text", { $0.value.text }, { $0.value.text = $1 ?? "" }, "The text; `\\n` begins a new line.").required(),
            .color("textColor", { $0.value.textColor }, { $0.value.textColor = $1 }, "Color of the text.")
                .themed({ $0.value.ownTextColor }, { $0.value.ownTextColor = $1 }),
            .number(
                "textSize", { $0.value.textSize }, { $0.value.textSize = $1 }, in: Marker.textSizeRange, "Size of the text in pt."),
            .choice("fontWeight", { $0.value.fontWeight }, { $0.value.fontWeight = $1 }, changes: [], "Weight of the text."),
            .text("font", { $0.value.font }, { $0.value.font = $1 }, "The font family to try before Noto."),
            .choice(
                "textAlignment", { $0.value.textAlignment }, { $0.value.textAlignment = $1 }, changes: [],
                "The horizontal alignment of lines. `natural` aligns them at the right if the first letter belongs to a script that runs "
                    + "from right to left, and otherwise at the left."),
            .number(
                "maxWidth", { $0.value.maxWidth }, { $0.value.maxWidth = $1 }, in: ContentFrame.lengthRange,
                "Width in pt at which lines wrap if `width` is `auto`; 0 means no wrapping."),
            .wholeNumber(
                "maxLines", { $0.value.maxLines }, { $0.value.maxLines = $1 }, in: LabelContent.lineRange,
                "The maximum number of lines; longer text ends in an ellipsis. 0 means no limit."),
        ] + contentFrameLines())
}

/// The properties of stacks, besides their contents.
package enum StackProperties {
    package static let table = PropertyTable<Box<StackContent>>(
        { Box(StackContent()) }, synonyms: contentSynonyms.merging(["contents": "stack", "children": "stack", "direction": "axis"]) { $1 },
        [
            .part("stack", .stack, "The pieces of content, in order; at most \(StackContent.countLimit).").required(),
            .choice(
                "axis", { $0.value.axis }, { $0.value.axis = $1 }, changes: [],
                "The direction in which the pieces of content are arranged. With `depth`, they lie on top of one another, and the first "
                    + "is at the bottom."),
            .number(
                "spacing", { $0.value.spacing }, { $0.value.spacing = $1 }, in: ContentFrame.lengthRange,
                "The space in pt between neighboring pieces of content. It has no effect with `depth`."),
            .choice(
                "alignment", { $0.value.alignment }, { $0.value.alignment = $1 }, changes: [],
                "The alignment of the pieces of content perpendicular to the axis. With `depth`, it applies horizontally and vertically. "
                    + "Horizontally, `start` is the left; for labels with natural alignment and right-to-left text, it is the right."),
        ] + contentFrameLines())
}

/// The properties of images as content.
package enum ImageContentProperties {
    package static let table = PropertyTable<Box<ImageContent>>(
        { Box(ImageContent(.empty)) },
        [
            .image(
                "image", { $0.value.image }, { $0.value.image = $1 ?? .empty }, "The image, specified in the same way as a marker's icon."
            ).required(),
            .size("width", { $0.value.width }, { $0.value.width = $1 }, "Width in pt; `auto` or 0 uses the image's width."),
            .size("height", { $0.value.height }, { $0.value.height = $1 }, "Height in pt; `auto` or 0 uses the image's height."),
        ])
}

/// The properties of SVG drawings as content.
package enum SVGContentProperties {
    package static let table = PropertyTable<Box<ImageContent>>(
        { Box(ImageContent(.empty)) },
        [
            .part("svg", .svg, "The SVG document itself, `<svg …>…</svg>`, or an SVG file.").required(),
            .size("width", { $0.value.width }, { $0.value.width = $1 }, "Width in pt; `auto` or 0 uses the document's width."),
            .size("height", { $0.value.height }, { $0.value.height = $1 }, "Height in pt; `auto` or 0 uses the document's height."),
        ])
}

private let contentSynonyms = [
    "background": "backgroundColor", "fill": "backgroundColor", "radius": "cornerRadius", "padding": "insets", "border": "borderWidth",
    "align": "textAlignment", "numberOfLines": "maxLines", "cornerRadii": "cornerRadius",
]

private func contentFrameLines<Content: FramedContent>() -> [PropertyLine<Box<Content>>] {
    [
        .color(
            "backgroundColor", { $0.value.backgroundColor }, { $0.value.backgroundColor = $1 }, "The background color."),
        .color("borderColor", { $0.value.borderColor }, { $0.value.borderColor = $1 }, "Color of the border."),
        .number(
            "borderWidth", { $0.value.borderWidth }, { $0.value.borderWidth = $1 }, in: ContentFrame.borderRange,
            "Width of the border in pt, measured inward from the edges."),
        .number(
            "cornerRadius", { $0.value.cornerRadius }, { $0.value.cornerRadius = $1 }, in: ContentFrame.lengthRange,
            "Radius of the corners in pt."),
        .object(
            "insets", { Box($0.value.insets) }, { $0.value.insets = $1.value }, ContentInsetProperties.table,
            "The space in pt between the edges and the content."),
        .size("width", { $0.value.width }, { $0.value.width = $1 }, "Width in pt including insets; `auto` or 0 adapts it to the content."),
        .size(
            "height", { $0.value.height }, { $0.value.height = $1 }, "Height in pt including insets; `auto` or 0 adapts it to the content."),
    ]
}

package enum ContentInsetProperties {
    package static let table = PropertyTable<Box<EdgeInsets>>(
        { Box(EdgeInsets()) },
        [
            .number("top", { $0.value.top }, { $0.value.top = $1 }, in: ContentFrame.lengthRange, "The space at the top in pt."),
            .number("left", { $0.value.left }, { $0.value.left = $1 }, in: ContentFrame.lengthRange, "The space at the left in pt."),
            .number(
                "bottom", { $0.value.bottom }, { $0.value.bottom = $1 }, in: ContentFrame.lengthRange, "The space at the bottom in pt."),
            .number("right", { $0.value.right }, { $0.value.right = $1 }, in: ContentFrame.lengthRange, "The space at the right in pt."),
        ])
}

/// The properties of view overlays.
package enum ViewOverlayProperties {
    /// The type of a view overlay in scene files.
    package static let type = "viewOverlay"

    package static let table = PropertyTable<ViewOverlay>(
        { ViewOverlay(content: .label(""), coordinates: LatLng(lat: 0, lng: 0)) },
        synonyms: [
            "position": "coordinates", "location": "coordinates", "center": "coordinates", "view": "content", "visible": "isVisible",
        ],
        [
            .part("type", .type, "The type of the overlay.").required(),
            .text(
                "id", { $0.id }, { $0.id = $1 }, form: .identifier,
                "A name that is unique in the scene; by default, the type and index of the overlay."
            ).fixed(),
            .position(
                "coordinates", { $0.coordinates }, { $0.coordinates = $1 }, "The position at which the center of the content is placed."
            ).required(),
            .content("content", { $0.content }, { if let content = $1 { $0.content = content } }, "The content to show.").required(),
            .point(
                "offset", { $0.offset }, { $0.offset = $1 }, in: Marker.offsetRange, changes: [],
                "Offset on the screen in pt, to the right and down."),
            .integer(
                "zIndex", { $0.zIndex }, { $0.zIndex = $1 },
                "Drawing order among view overlays with the same `globalZIndex`; higher values lie above lower ones."),
            .integer(
                "globalZIndex", { $0.globalZIndex }, { $0.globalZIndex = $1 },
                "Drawing order among all overlays in the foreground layer, compared before `zIndex`."),
            .boolean("isVisible", { $0.isVisible }, { $0.isVisible = $1 }, "Whether the overlay is drawn; the opposite of `isHidden`."),
            .boolean("isHidden", { $0.isHidden }, { $0.isHidden = $1 }, "Whether the overlay is hidden."),
            .number(
                "minZoom", { $0.minZoom }, { $0.minZoom = $1 }, in: Camera.zoomRange,
                "The lowest zoom at which the overlay is drawn, inclusive."),
            .number(
                "maxZoom", { $0.maxZoom }, { $0.maxZoom = $1 }, in: Camera.zoomRange,
                "The highest zoom at which the overlay is drawn, inclusive."),
            .boolean(
                "isSelectable", { $0.isSelectable }, { $0.isSelectable = $1 },
                "Whether the overlay can be picked and selected by taps."),
            .boolean(
                "consumesTaps", { $0.consumesTaps }, { $0.consumesTaps = $1 },
                "The result of the overlay's tap handler. `true` consumes the tap, so nothing else happens; `false` passes the tap on to "
                    + "the map. An overlay with a handler can be tapped even if it is not selectable. By default, there is no handler."),
            .boolean(
                "isFitted", { $0.isFitted }, { $0.isFitted = $1 }, "Whether a camera that is fitted to all overlays includes this overlay."),
            .integer("tag", { $0.tag }, { $0.tag = $1 }, "A number for your own purposes."),
        ])
}

extension ViewOverlay {
    /// The first property whose value is invalid, with the reason; nil if all values are valid.
    package func firstProblem() -> PropertyError? {
        mapView?.store.idProblem(of: self) ?? ViewOverlayProperties.table.list.firstProblem(self)
    }
}

extension OverlayContent {
    /// The first value that is out of range, with its path; nil if all are valid.
    /// - Parameter path: The property that contains the content.
    package func firstProblem(_ path: String, depth: Int = 1) -> PropertyError? {
        switch self {
        case .label(let label): return LabelProperties.table.list.firstProblem(Box(label))?.within("\(path).label")
        case .image(let image): return ImageContentProperties.table.list.firstProblem(Box(image))?.within(path)
        case .stack(let stack):
            if let problem = StackProperties.table.list.firstProblem(Box(stack)) { return problem.within(path) }
            guard depth < StackContent.depthLimit else {
                return PropertyError(path: path, problem: "content is nested more than \(StackContent.depthLimit) levels deep")
            }
            guard stack.contents.count <= StackContent.countLimit else {
                return PropertyError(
                    path: "\(path).stack",
                    problem: "a stack may have at most \(StackContent.countLimit) pieces of content, not \(stack.contents.count)")
            }
            for (index, content) in stack.contents.enumerated() {
                if let problem = content.firstProblem("\(path).stack[\(index)]", depth: depth + 1) { return problem }
            }
            return nil
        case .drawing: return nil
        }
    }
}

extension LabelContent.Alignment: NamedChoice {}
extension StackContent.Axis: NamedChoice {}
extension StackContent.Alignment: NamedChoice {}
