import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The icons and captions of clusters, and of points of a source. They are kept between pictures until images or fonts change.
struct ClusterAppearances {
    private struct DiscKey: Hashable {
        var style: ClusterStyle.Values
        var diameter: Double
        var text: String
    }

    private var discs: [DiscKey: PointAppearance] = [:]
    /// The widths of images in place of discs; nil if the default disc is drawn instead.
    private var imageWidths: [ClusterStyle.Values: Double?] = [:]
    /// The points of the source that were shown alone, keyed by number.
    private var points: [Int32: SourcePoint] = [:]
    /// Points of earlier pictures that are dropped unless this picture uses them.
    private var leaving: [Int32: SourcePoint] = [:]
    /// The number of points that the picture has requested.
    private var asked = 0
    /// The images that are missing, with the reason.
    private(set) var missingImages: [OverlayImage: ImageProblem] = [:]
    /// The maximum number of cached discs, and of cached points in addition to the points of the last picture.
    private static let limit = 65_536
    /// The space in pt between a text and the ring.
    private static let textMargin = 2.0
    /// The height of digits in ems: the cap height of the Noto fonts. A text fits when its corners are inside the disc, or inside the circle
    /// of the image.
    private static let textHeight = 0.714
    /// The height of a line in ems, including the space above and below its digits.
    private static let lineHeight = 1.2

    /// A point of a source that was shown alone.
    struct SourcePoint {
        var appearance: PointAppearance
        var key: SortKey
        /// The problem that excludes the point from the picture.
        var problem: PropertyError?
        /// The reason why the point's image is missing. The default icon is drawn instead.
        var missing: ImageProblem?
    }

    mutating func removeAll() { self = ClusterAppearances() }

    /// The disc or image of a cluster, with its text.
    mutating func disc(_ style: ClusterStyle.Values, count: Int, text: String, _ resources: MapResources) -> PointAppearance {
        let diameter = Self.diameter(style, count: count)
        let key = DiscKey(style: style, diameter: diameter, text: text)
        if let known = discs[key] { return known }
        let marker = Self.marker(style)
        var textDiameter = diameter
        if case .disc(let disc) = style.form {
            let halo = min(disc.haloWidth, diameter / 4)
            let ring = min(disc.strokeWidth, diameter / 2 - halo)
            textDiameter -= 2 * (halo + ring + Self.textMargin)
            let image = DiscImage(
                fill: disc.fill, stroke: disc.stroke, strokeWidth: ring, diameter: diameter, halo: disc.halo, haloWidth: halo)
            if let image { marker.iconImage = OverlayImage(vector: .disc(image)) }
        }
        marker.captionText = text
        marker.captionAlign = .center
        marker.captionColor = style.textColor
        marker.captionHaloColor = .clear
        marker.captionTextSize = style.textSize
        marker.captionFontWeight = .bold
        marker.captionPerspectiveEnabled = marker.iconPerspectiveEnabled
        // The text is part of the disc, so other captions and the picture's edge do not hide it.
        marker.isForceShowCaption = true
        let icon = IconStyle.reading(marker, resources, substitute: "the default disc")
        if let problem = icon.problem { missingImages[marker.iconImage] = problem }
        if icon.isReplaced {
            var other = ClusterStyle.Values.standard(resources.theme)
            other.flags = style.flags
            return disc(other, count: count, text: text, resources)
        }
        var made = PointAppearance(marker, resources)
        var isFree = false
        if case .image(_, let radius) = style.form {
            textDiameter = radius == Marker.sizeAuto ? Double(min(icon.style.width, icon.style.height)) : 2 * radius
            // An image without area shows only its text.
            isFree = textDiameter <= 0
        }
        if let caption = made.caption, !isFree {
            let extent = (
                width: caption.box.main.width,
                height: Self.textHeight * style.textSize + max(0, caption.box.main.height - Self.lineHeight * style.textSize)
            )
            let share = textDiameter / hypot(extent.width, extent.height)
            if share < 1 {
                // A text that is too large is drawn smaller, in steps of a quarter of a pt. It is left out if even 1 pt is too large.
                let size = (style.textSize * share * 4).rounded(.down) / 4
                if size >= 1 { marker.captionTextSize = size } else { marker.captionText = "" }
                made = PointAppearance(marker, resources)
            }
        }
        made.caption?.box.flags.insert(.part)
        if discs.count >= Self.limit { discs = [:] }
        discs[key] = made
        return made
    }

    /// The width in pt of the disc or image of a cluster.
    mutating func width(_ style: ClusterStyle.Values, count: Int, _ resources: MapResources) -> Double {
        guard case .image = style.form else { return Self.diameter(style, count: count) }
        let standard = ClusterStyle.Values.diameter(ofCount: count)
        if let known = imageWidths[style] { return known ?? standard }
        if imageWidths.count >= Self.limit { imageWidths = [:] }
        let icon = IconStyle.reading(Self.marker(style), resources)
        let width = icon.isReplaced ? nil : ClusterDiscs.wholePoints(icon.style.width)
        imageWidths.updateValue(width, forKey: style)
        return width ?? standard
    }

    /// The diameter of a disc in pt; 0 for an image.
    private static func diameter(_ style: ClusterStyle.Values, count: Int) -> Double {
        guard case .disc(let disc) = style.form else { return 0 }
        return disc.size == Marker.sizeAuto ? ClusterStyle.Values.diameter(ofCount: count) : disc.size
    }

    /// A marker with the image of a style, if it has one, and with its flags.
    private static func marker(_ style: ClusterStyle.Values) -> Marker {
        let marker = Marker()
        marker.anchor = CGPoint(x: 0.5, y: 0.5)
        if case .image(let image, _) = style.form { marker.iconImage = image }
        marker.iconPerspectiveEnabled = style.flags.contains(.perspective)
        marker.isHideCollidedSymbols = style.flags.contains(.hideSymbols)
        marker.isHideCollidedMarkers = style.flags.contains(.hideMarkers)
        marker.isHideCollidedCaptions = style.flags.contains(.hideCaptions)
        return marker
    }

    /// The appearance of a point of a source.
    mutating func point(_ number: Int32, of source: any ClusterSource, _ resources: MapResources) -> SourcePoint {
        asked += 1
        if let known = points[number] ?? leaving[number] {
            points[number] = known
            return known
        }
        let marker = source.makeMarker(Int(number))
        let made = SourcePoint(
            appearance: PointAppearance(marker, resources), key: ContainerState.sortKey(of: marker, in: nil),
            problem: marker.firstProblem(),
            missing: IconStyle.reading(marker, resources).problem)
        points[number] = made
        return made
    }

    mutating func forgetPoints() { (points, leaving) = ([:], [:]) }

    /// Begins a picture. If far more points are cached than the last picture used, keeps only those that this one uses.
    mutating func beginPicture() {
        leaving = [:]
        if points.count > Self.limit + 2 * asked { swap(&points, &leaving) }
        asked = 0
    }
}
