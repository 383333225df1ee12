import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The look of a guest: its icon and its caption.
struct GuestLook: Sendable {
    var style: IconStyle
    var caption: MeasuredCaption?
    /// Whether it has a caption that could not be measured, because there are no fonts.
    var isUnmeasured = false

    /// Reads a marker that is on no map.
    init(_ marker: Marker, _ resources: inout MapResources) {
        (style, _) = IconStyle.reading(marker, &resources)
        guard let source = marker.shownCaption else { return }
        if let fonts = resources.fonts.open() {
            caption = MeasuredCaption(source, language: resources.fonts.language, fonts)
        } else {
            isUnmeasured = true
        }
    }
}

/// The looks of clusters and of markers that are no objects, kept between pictures as long as images and fonts stay the same.
struct ClusterLooks {
    private struct DiscKey: Hashable {
        var look: ClusterLook
        var diameter: Double
        var text: String
    }

    private var discs: [DiscKey: GuestLook] = [:]
    /// By number: points of the source that were shown alone.
    private var points: [Int32: PointLook] = [:]
    /// Those of them that go unless the picture asks for them.
    private var leaving: [Int32: PointLook] = [:]
    /// How often the picture has asked for a point.
    private var asked = 0
    /// The images that are missing, and why.
    private(set) var missingImages: [OverlayImage: ImageProblem] = [:]
    /// How many discs, and points besides those of the last picture, are kept.
    private static let limit = 65_536
    /// The space in pt that a text leaves beside the ring.
    private static let textMargin = 2.0
    /// The height of digits in ems: the cap height of the Noto fonts. The corners of a text are inside its disc.
    private static let textHeight = 0.714
    /// The height in ems of a line with the space above and below its digits.
    private static let lineHeight = 1.2

    /// A point of a source that was shown alone.
    struct PointLook {
        var look: GuestLook
        var key: SortKey
        /// What keeps it out of the picture.
        var problem: PropertyError?
        /// An image that is missing, in whose place the default icon is drawn.
        var missing: ImageProblem?
    }

    mutating func removeAll() { self = ClusterLooks() }

    /// The look of a cluster.
    mutating func disc(_ look: ClusterLook, count: Int, text: String, _ resources: inout MapResources) -> GuestLook {
        let diameter: Double
        switch look.form {
        case .disc(_, _, _, let size): diameter = size == Marker.sizeAuto ? ClusterLook.diameter(ofCount: count) : size
        case .image: diameter = 0
        }
        let key = DiscKey(look: look, diameter: diameter, text: text)
        if let known = discs[key] { return known }
        let marker = Marker()
        marker.anchor = CGPoint(x: 0.5, y: 0.5)
        var width = diameter
        switch look.form {
        case .disc(let fill, let stroke, let strokeWidth, _):
            let ring = min(strokeWidth, diameter / 2)
            width -= 2 * (ring + Self.textMargin)
            marker.iconImage = DiscImage(fill: fill, stroke: stroke, strokeWidth: ring, diameter: diameter).map {
                OverlayImage(vector: .disc($0))
            }
        case .image(let image): marker.iconImage = image
        }
        marker.captionText = text
        marker.captionAlign = .center
        marker.captionColor = look.textColor
        marker.captionHaloColor = .clear
        marker.captionTextSize = look.textSize
        marker.captionFontWeight = .bold
        // The text is a part of the disc: neither others nor the picture's edge hide it.
        marker.isForceShowCaption = true
        let (style, missing) = IconStyle.reading(marker, &resources, substitute: "the default disc")
        if let missing {
            missingImages[marker.iconImage] = missing
            return disc(.default, count: count, text: text, &resources)
        }
        if let problem = resources.catalog.problem(ofView: marker.iconImage, marker.shownImagePath) {
            missingImages[marker.iconImage] = problem
        }
        var made = GuestLook(marker, &resources)
        // An image of no size has its text alone.
        let isFree = if case .image = look.form { style.width <= 0 || style.height <= 0 } else { false }
        guard let caption = made.caption, !isFree else { return keep(made, key) }
        let extent = (
            width: caption.box.main.width,
            height: Self.textHeight * look.textSize + max(0, caption.box.main.height - Self.lineHeight * look.textSize)
        )
        let share =
            switch look.form {
            case .disc: width / hypot(extent.width, extent.height)
            case .image: min(Double(style.width) / extent.width, Double(style.height) / extent.height)
            }
        guard share < 1 else { return keep(made, key) }
        // A text too large is drawn smaller, in steps of a quarter of a pt; where 1 pt is too large, it is left out.
        let size = (look.textSize * share * 4).rounded(.down) / 4
        if size >= 1 { marker.captionTextSize = size } else { marker.captionText = "" }
        made = GuestLook(marker, &resources)
        return keep(made, key)
    }

    private mutating func keep(_ made: GuestLook, _ key: DiscKey) -> GuestLook {
        var made = made
        made.caption?.box.flags.insert(.part)
        if discs.count >= Self.limit { discs = [:] }
        discs[key] = made
        return made
    }

    /// The look of a point of a source.
    mutating func point(_ number: Int32, of source: any ClusterSource, _ resources: inout MapResources) -> PointLook {
        asked += 1
        if let known = points[number] { return known }
        if let known = leaving[number] {
            points[number] = known
            return known
        }
        let marker = source.makeMarker(Int(number))
        let made = PointLook(
            look: GuestLook(marker, &resources), key: ContainerState.sortKey(of: marker, in: nil),
            problem: marker.firstProblem(),
            missing: IconStyle.reading(marker, &resources).missing
                ?? resources.catalog.problem(ofView: marker.shownImage, marker.shownImagePath))
        points[number] = made
        return made
    }

    mutating func forgetPoints() { (points, leaving) = ([:], [:]) }

    /// Begins a picture. When many more points are known than the last one asked for, only those that this one asks for stay.
    mutating func beginPicture() {
        leaving = [:]
        if points.count > Self.limit + 2 * asked { swap(&points, &leaving) }
        asked = 0
    }
}
