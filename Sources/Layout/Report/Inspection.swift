import WaymarkGeo
import WaymarkScene

/// The positions of everything on a map in one picture, as plain values. Coordinates are in pt from the picture's upper left, y down.
public struct Inspection: Equatable, Sendable {
    /// A point on the screen.
    public struct Point: Equatable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// An icon as drawn.
    public struct Icon: Equatable, Sendable, Decodable {
        /// Whether the icon is in the picture.
        public var isVisible: Bool
        /// The corners of the icon, clockwise from the image's upper left; nil if one of them is behind the camera.
        public var quad: [Point]?
        /// The id of the marker that hides the icon. If the icon is hidden because it requires its caption, this is the id of the marker
        /// that hides the caption. Nil if there is no such marker.
        public var hiddenBy: String?

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", quad, hiddenBy }
    }

    /// A caption with its sub-caption, as one block.
    public struct Caption: Equatable, Sendable, Decodable {
        /// Whether the caption is in the picture.
        public var isVisible: Bool
        /// The caption's placement relative to the icon. For a hidden caption, this is the first placement that neither the picture's edge
        /// nor a map element rules out. If all placements are ruled out, this is the first one.
        public var align: AlignType?
        /// The caption's box as drawn; nil if the caption is not shown at this zoom.
        public var rect: Rect?
        /// The lines of text from top to bottom.
        public var lines: [String]
        /// The id of the marker that hides the caption or its icon; nil if none does.
        public var hiddenBy: String?
        /// Whether the caption is not drawn because, at each of its placements, the picture's edge would cut it
        /// (``MapView/captionsAvoidEdges``) or a map element would cover it (``MapView/captionsAvoidElements``).
        public var isCutByEdge = false

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", align, rect, lines, hiddenBy, isCutByEdge = "cutByEdge" }
    }

    /// The text or the image along a line.
    public struct LineLabel: Equatable, Sendable, Decodable {
        /// Whether the text or the image is in the picture at any place.
        public var isVisible: Bool
        /// The reason why the text or the image is not in the picture; nil if it is.
        public var reason: LabelReason?
        /// The places, on all copies of the world, at which the text or the image is in the picture or would be if nothing hid it. At
        /// most ``Inspection/maximumNumberOfListedLabels`` places are listed.
        public var places: [LabelPlace]

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", reason, places }
    }

    /// A place of the text or the image along a line.
    public struct LabelPlace: Equatable, Sendable, Decodable {
        /// Whether the text or the image is in the picture at this place.
        public var isVisible: Bool
        /// The point of the line at the middle of the text or the image.
        public var anchor: Point
        /// The direction of the text or the image there, in degrees clockwise from the right on the screen, -180…180.
        public var angle: Double
        /// The id of the marker that hides the text or the image at this place, or of the line whose text or image hides it; nil if there
        /// is none.
        public var hiddenBy: String?

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", anchor, angle, hiddenBy }
    }

    /// The reason why the text or the image along a line is not in the picture.
    public enum LabelReason: String, Sendable, CaseIterable, Equatable, Decodable {
        /// No place of the text or the image is in the picture, or perspective makes the text or the image too small to read.
        case outOfView
        /// The picture's zoom is outside the text's zoom range.
        case outOfZoom
        /// Markers, or the texts and images of other lines, occupy all places.
        case collided
        /// The picture's edge would cut the text or the image (``MapView/captionsAvoidEdges``), or a map element would cover it
        /// (``MapView/captionsAvoidElements``).
        case cutByEdge
        /// The line is shorter than the text.
        case tooShort
        /// The line has corners that are sharper than ``Polyline/lineTextMaxAngle`` wherever the text would be.
        case tooSharp
    }

    /// An axis-aligned box.
    public struct Rect: Equatable, Sendable {
        /// The distance of the upper left corner from the picture's left edge.
        public var x: Double
        /// The distance of the upper left corner from the picture's upper edge.
        public var y: Double
        public var width: Double
        public var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        init(_ box: PixelBox, pixelRatio: Double) {
            x = box.left / pixelRatio
            y = box.top / pixelRatio
            width = (box.right - box.left) / pixelRatio
            height = (box.bottom - box.top) / pixelRatio
        }
    }

    /// A label or point of interest of the base map. If several copies of the world are visible, the entry describes only the copy of the
    /// symbol nearest the view's center. Copies that are drawn take precedence over copies that are not.
    public struct SymbolEntry: Equatable, Sendable, Decodable {
        public var id: String
        /// Whether the symbol is in the picture.
        public var isVisible: Bool
        /// The id of the marker or symbol that hides this symbol, or `attribution` for the credits of the base map; nil if nothing does.
        public var hiddenBy: String?
        /// Whether the symbol is not drawn because the picture's edge would cut its text (``MapView/captionsAvoidEdges``), or a map element
        /// would cover it (``MapView/captionsAvoidElements``).
        public var isCutByEdge = false
        /// Whether a label of the base map is not drawn because extruded buildings stand in front of it; nil for the map's own symbols.
        public var isOccluded: Bool?
        /// The symbol's position on the screen, which may lie outside the picture; nil if it has none, for example because it is behind the
        /// camera.
        public var anchor: Point?
        /// The box around the symbol's icon and text; nil if the symbol is outside the picture or its zoom range, or is invalid.
        public var rect: Rect?
        /// The role of a label from the vector tiles of the base map, such as `cityLabel`; nil for the map's own symbols.
        public var role: String?
        /// The text of a label from the vector tiles; nil for the map's own symbols.
        public var text: String?
        /// The angle of the name of a road or river, in degrees clockwise from the right, -180…180; nil for other symbols.
        public var angle: Double?

        private enum CodingKeys: String, CodingKey {
            case id, isVisible = "visible", hiddenBy, isCutByEdge = "cutByEdge", isOccluded = "occluded", anchor, rect, role, text, angle
        }
    }

    /// A view overlay or the info window. If several copies of the world are visible, the entry describes only the copy of a view overlay
    /// nearest the view's center. Copies in the picture take precedence over copies outside it.
    public struct ViewEntry: Equatable, Sendable, Decodable {
        /// The id of the view overlay, or of the marker to which the info window belongs; nil for an info window at a coordinate.
        public var id: String?
        /// Whether the view is in the picture.
        public var isVisible: Bool
        /// The reason why the view is not in the picture; nil if it is.
        public var reason: Reason?
        /// The view's position in the drawing order, which ascends from bottom to top; nil if the view is not in the picture.
        public var order: Int?
        /// The screen position of the view overlay's coordinate, or of the point to which the info window points; nil if the camera cannot
        /// see it.
        public var anchor: Point?
        /// The view's box as drawn, without its shadow; nil if nothing of the view is drawn, or if the camera cannot see it.
        public var rect: Rect?

        private enum CodingKeys: String, CodingKey { case id, isVisible = "visible", reason, order, anchor, rect }
    }

    /// A map element.
    public struct ElementEntry: Equatable, Sendable, Decodable {
        /// The type and the index of the element, such as `legend-2`.
        public var id: String
        public var type: ElementType
        /// The edge or corner of the picture at which the element is placed.
        public var place: ElementPlace
        /// Whether the element is in the picture.
        public var isVisible: Bool
        /// The reason why the element is not in the picture; nil if it is.
        public var reason: ElementReason?
        /// The element's box with its panel; nil if it is not drawn.
        public var rect: Rect?

        private enum CodingKeys: String, CodingKey { case id, type, place, isVisible = "visible", reason, rect }
    }

    /// The reason why a map element is not in the picture.
    public enum ElementReason: String, Sendable, CaseIterable, Equatable, Decodable {
        case hidden
        /// A property has an invalid value; a diagnostic names the property.
        case invalid
        /// The element has nothing to show; a diagnostic gives the reason.
        case empty
        /// The element is larger than the picture, or the elements before it take up the space.
        case noRoom
        /// The tilt makes a scale bar wrong by more than 10%.
        case tilted
    }

    /// An overlay. If several copies of the world are visible, the entry describes only the copy of the overlay nearest the view's center.
    /// Copies in the picture take precedence over copies outside it.
    public struct OverlayEntry: Equatable, Sendable, Decodable {
        public var id: String
        public var type: OverlayType
        /// Whether the overlay is in the picture.
        public var isVisible: Bool
        /// The reason why the overlay is not in the picture; nil if it is.
        public var reason: Reason?
        /// The overlay's position in the drawing order, which ascends from bottom to top; nil if the overlay is not in the picture.
        public var order: Int?
        /// The screen position of the overlay's anchor, before snapping to pixels; nil if the camera cannot see it.
        public var anchor: Point?
        /// The overlay's icon; nil if the overlay has none, or if the camera cannot see it.
        public var icon: Icon?
        /// The overlay's caption; nil if the overlay has none, or if the camera cannot see it.
        public var caption: Caption?
        /// Whether a model stands in front of a marker's position, so that ``Marker/occludedAlpha`` applies. Nil for other overlays, for
        /// markers that are not in the picture, and for markers whose `occludedAlpha` is 1, for which occlusion is not computed.
        public var isOccluded: Bool?
        /// The four corners of a model or a ground overlay on the screen, which may lie outside the picture. For a model, they are the
        /// corners of the axis-aligned box around its triangles, clockwise from the upper left; for a ground overlay, the corners of the
        /// image, clockwise from the image's upper left. Nil for other overlays, for a model that the camera cannot see, and for a ground
        /// overlay with a corner behind the camera.
        public var quad: [Point]?
        /// The lines of a polyline or route as points on the screen, which may lie outside the picture. Lines are cut at the camera's
        /// near and far limits, and have at most 1,000 points in total: longer lines are simplified, and if there are very many lines,
        /// the shortest are left out. Nil for other overlays.
        public var lines: [[Point]]?
        /// The rings of a polygon, or the ring of a circle, as points on the screen, with the same limits as `lines`. The last point does
        /// not repeat the first. Nil for other overlays.
        public var rings: [[Point]]?
        /// The box around all lines or rings, not including their widths; nil for other overlays, and for a shape that the camera does
        /// not see.
        public var rect: Rect?
        /// The text along a polyline or route; nil if there is no text, or if the line is hidden or invalid.
        public var lineText: LineLabel?
        /// The image along a polyline or route; nil if there is no image, or if the line is hidden or invalid.
        public var lineImage: LineLabel?
        /// The number of triangles in a model's mesh; nil for other overlays, and for a model that cannot be drawn.
        public var triangles: Int?
        /// The number of copies of the world in which the overlay is in the picture.
        public var copies: Int
        /// The ids of a container's children, in the order in which they were added; nil for other overlays.
        public var members: [String]?

        private enum CodingKeys: String, CodingKey {
            case id, type, isVisible = "visible", reason, order, anchor, icon, caption, isOccluded = "occluded", quad, lines, rings, rect
            case lineText, lineImage, triangles, copies, members
        }
    }

    /// A cluster that is in the picture, or would be if nothing hid it. If several copies of the world are visible, the entry describes the
    /// copy of the cluster that is nearest the view's center.
    public struct ClusterEntry: Equatable, Sendable, Decodable {
        /// An id such as `shops/12/3489/1582`: the layer's id, the zoom level, and the column and row of the grid cell. With
        /// `ClusterStrategy.hierarchical`, the index of the cluster's first marker replaces the column and row. If overlapping clusters
        /// were merged, this is the id of the largest cluster.
        public var id: String
        /// The id of the cluster's layer.
        public var layer: String
        /// The number of markers in the cluster.
        public var count: Int
        /// The text on the cluster's disc.
        public var text: String
        /// The mean of the positions of the cluster's markers, computed in Web Mercator coordinates.
        public var position: LatLng
        /// The cluster's position on the screen, before snapping to pixels.
        public var anchor: Point?
        /// The cluster's disc.
        public var icon: Icon?
        /// The cluster's position in the drawing order, which ascends from bottom to top; nil if a marker hides the cluster.
        public var order: Int?
        /// The ids of at most 1,000 of the cluster's markers, in the order in which they were added.
        public var markers: [String]
        public var boundingBox: LatLngBounds
        /// The lowest integer zoom level above the picture's zoom at which the markers no longer form a single cluster; nil if they never
        /// separate.
        public var expansionZoom: Int?
    }

    /// The maximum number of marker ids listed for a cluster.
    public static let maximumNumberOfListedMarkers = 1000
    /// The maximum number of places listed for the text or the image along a line.
    public static let maximumNumberOfListedLabels = 1000

    public var viewport: Viewport
    /// All overlays on the map, in the order in which they were added. A container is followed by its contents, and a cluster layer by
    /// the markers that it shows individually.
    public var overlays: [OverlayEntry]
    /// The clusters that are in the picture, or would be if nothing hid them, grouped by layer.
    public var clusters: [ClusterEntry]
    /// The symbols, in the order of `MapView.symbols`, and then, if requested, the base map's labels that are in the picture.
    public var symbols: [SymbolEntry]
    /// The view overlays, in the order in which they were added.
    public var viewOverlays: [ViewEntry] = []
    /// The map elements: first `MapView.elements`, then the legends that scales request.
    public var elements: [ElementEntry] = []
    /// The open info window; nil if no window is open.
    public var infoWindow: ViewEntry?
    /// The credits of the base map that are shown in the picture; nil if there are none.
    public var attribution: String?
    public var diagnostics: [Diagnostic]
}

extension Viewport {
    /// A point in pt, rounded to the grid of device pixels used in layout.
    func inspected(_ x: Double, _ y: Double) -> Inspection.Point {
        Inspection.Point(x: quantized(x * pixelRatio) / pixelRatio, y: quantized(y * pixelRatio) / pixelRatio)
    }

    /// The screen point of a coordinate; nil if the camera cannot see it.
    func inspected(_ position: LatLng) -> Inspection.Point? { point(from: position).map { inspected($0.x, $0.y) } }
}

/// The reason why an overlay is not in the picture.
public enum Reason: UInt8, Sendable, CaseIterable, Equatable {
    /// The overlay is outside the picture, or beyond the camera's far limit.
    case outOfView = 1
    case hidden
    /// The picture's zoom is outside the overlay's zoom range.
    case outOfZoom
    /// A marker hides the overlay, or the overlay is a marker that requires its caption (``Marker/isCaptionRequired``) and has no room for
    /// it. If the overlay is a line with a ``Polyline/width`` of 0, markers or other lines occupy all places of its text and image.
    case collided
    /// The overlay is nearer than the camera's near limit, or behind the camera.
    case behindCamera
    /// The overlay lies beyond the latitudes of Web Mercator.
    case outOfProjection
    /// The overlay's altitude is below 0.
    case underground
    /// A property has an invalid value; a diagnostic names the property.
    case invalid
    case noPosition
    /// The overlay has nothing to draw: for example, it is a circle with a radius of 0, a line with a width of 0, a marker with neither an
    /// icon nor a caption, or an empty container. Transparent overlays do not count as empty.
    case empty

    /// The name of the reason, as printed by `inspect`.
    public var name: String {
        switch self {
        case .outOfView: "outOfView"
        case .hidden: "hidden"
        case .outOfZoom: "outOfZoom"
        case .collided: "collided"
        case .behindCamera: "behindCamera"
        case .outOfProjection: "outOfProjection"
        case .underground: "underground"
        case .invalid: "invalid"
        case .noPosition: "noPosition"
        case .empty: "empty"
        }
    }
}
