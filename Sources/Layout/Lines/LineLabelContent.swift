import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The image and the text along a line, as read from its overlay. Lengths are in pt.
final class LineLabelContent: Sendable {
    /// The image; nil for none.
    let image: LineImage?
    /// The text; nil for none.
    let text: LineText?
    /// The space that is kept free around the image and the text.
    let padding: Double
    /// Whether the text could not be laid out for lack of fonts.
    let isUnmeasured: Bool
    /// The problems of the image.
    let problems: [PropertyError]
    /// The maximum distance of the text and the images from the line.
    let overhang: Double

    /// An image with its size and raster.
    struct LineImage: Sendable {
        var style: IconStyle
        var spacing: Double
        /// The distance of the first image from the start of the line.
        var offset: Double
        /// The length of its longer side.
        var side: Double { Double(max(style.width, style.height)) }
    }

    struct LineText: Sendable {
        var layout: TextLayout
        var color: Color
        var haloColor: Color
        var haloWidth: Double
        var spacing: Double
        /// The distance of the middle of the text from the line, downward as it is read.
        var offset: Double
        var maxAngle: Double
        var zooms: ClosedRange<Double>
        /// The requested font family, if it does not exist.
        var unknownFamily: String?

        var size: Double { layout.request.size }
        var width: Double { layout.width }
        /// The distance between two texts along the line.
        var step: Double { max(spacing, width + size) }
        /// The upper and the lower edge of the text's box, measured from the line downward. The ink of tall scripts is not centered on
        /// the line.
        var top: Double { offset + Self.middle * size - (layout.lines.first?.ascent ?? 0) }
        var bottom: Double { offset + Self.middle * size + (layout.lines.first?.descent ?? 0) }
        /// The maximum distance of the text's box from the line.
        var reach: Double { max(abs(top), abs(bottom)) }

        /// The distance of the middle of a line of text from its baseline, in em: half of the difference of its ascent and descent.
        static let middle = 0.33
    }

    /// Reads the labels of a line; nil without any.
    init?(_ line: Polyline, _ resources: MapResources) {
        guard line.hasLabels else { return nil }
        let labels = line.labels
        padding = labels.textStyle.padding
        var problems: [PropertyError] = []
        image = Self.image(line, resources, &problems)
        self.problems = problems
        if let caption = labels.caption, let fonts = resources.fonts.open() {
            text = LineText(caption, labels, language: resources.fonts.language, resources.theme, fonts)
            isUnmeasured = false
        } else {
            text = nil
            isUnmeasured = labels.caption != nil
        }
        let beside = text.map { $0.reach + $0.haloWidth } ?? 0
        overhang = max(beside, image.map(\.side) ?? 0)
    }

    private static func image(_ line: Polyline, _ resources: MapResources, _ problems: inout [PropertyError]) -> LineImage? {
        let labels = line.labels
        guard let image = labels.image else { return nil }
        let isFlat = line.isPerspectiveEnabled && !line.parts.contains { $0.contains { $0.altitude != 0 } }
        let pose = isFlat ? IconPose.flat : .scaled
        do throws(PropertyError) {
            var (width, height) = (0.0, 0.0)
            if labels.imageSize > 0, let own = try resources.naturalSize(of: image, "lineImage"), max(own.width, own.height) > 0 {
                let scale = labels.imageSize / max(own.width, own.height)
                (width, height) = (own.width * scale, own.height * scale)
            }
            guard let icon = try resources.icon(image, "lineImage", width: width, height: height, pose) else { return nil }
            if let problem = resources.problem(ofView: image, "lineImage") { problems.append(problem.reported()) }
            guard icon.raster >= 0, icon.width > 0, icon.height > 0 else { return nil }
            var style = IconStyle.empty
            style.show(icon, isUpright: false)
            if isFlat { style.flags.insert(.flat) }
            return LineImage(style: style, spacing: labels.imageSpacing, offset: labels.imageOffset ?? labels.imageSpacing / 2)
        } catch {
            problems.append(PropertyError(path: error.path, problem: "\(error.problem); the line is drawn without this property"))
            return nil
        }
    }
}

extension LineLabelContent.LineText {
    init(_ caption: Caption, _ labels: LineLabels, language: String, _ theme: ThemeDefaults?, _ fonts: FontLibrary) {
        let text = CaptionText(caption, language: language, theme)
        var request = text.main.request
        request.wrapWidth = 0
        request.hasUnits = true
        layout = fonts.layout(request)
        (color, haloColor) = (text.main.color, text.main.haloColor)
        haloWidth = haloColor.alpha > 0 ? text.haloWidth : 0
        (spacing, offset, maxAngle) = (labels.textSpacing, labels.textOffset, labels.textMaxAngle)
        let style = labels.textStyle
        // An empty range shows nothing.
        zooms = style.main.minZoom <= style.main.maxZoom ? style.main.minZoom...style.main.maxZoom : -1...(-1)
        unknownFamily = style.family.flatMap { fonts.has(family: $0) ? nil : $0 }
    }
}
