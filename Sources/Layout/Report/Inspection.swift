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
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The corners, clockwise from the image's upper left; nil when one is behind the camera.
        public var quad: [Point]?
        /// The id of the marker that hides it; nil when none does.
        public var hiddenBy: String?

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", quad, hiddenBy }
    }

    /// A caption with its sub-caption, as one block.
    public struct Caption: Equatable, Sendable, Decodable {
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// Its position around the icon. For a hidden caption, the first that was tried, or, where captions avoid the picture's edge, the
        /// first that the edge does not cut.
        public var align: AlignType?
        /// Its box as drawn; nil when the caption is not shown at this zoom.
        public var rect: Rect?
        /// Its lines from top to bottom.
        public var lines: [String]
        /// The id of the marker that hides it or its icon; nil when none does.
        public var hiddenBy: String?
        /// Whether it is not drawn because the picture's edge would cut it at all of its aligns (``MapView/captionsAvoidEdges``).
        public var isCutByEdge = false

        private enum CodingKeys: String, CodingKey { case isVisible = "visible", align, rect, lines, hiddenBy, isCutByEdge = "cutByEdge" }
    }

    /// An axis-aligned box.
    public struct Rect: Equatable, Sendable {
        /// The upper left corner.
        public var x: Double
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

    /// A label or point of interest of the base map. Of its copies, the entry describes the one nearest the view's center, preferring
    /// copies that are shown.
    public struct SymbolEntry: Equatable, Sendable, Decodable {
        public var id: String
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The id of the marker or symbol that hides it; nil when none does.
        public var hiddenBy: String?
        /// Whether it is not drawn because the picture's edge would cut its text (``MapView/captionsAvoidEdges``).
        public var isCutByEdge = false
        /// Its position on the screen; nil when the camera cannot see it.
        public var anchor: Point?
        /// The box around its icon and text; nil when it does not take part in the picture.
        public var rect: Rect?

        private enum CodingKeys: String, CodingKey { case id, isVisible = "visible", hiddenBy, isCutByEdge = "cutByEdge", anchor, rect }
    }

    /// A view overlay or the info window. Of the copies of a view overlay, the entry describes the one nearest the view's center, preferring
    /// copies in the picture.
    public struct ViewEntry: Equatable, Sendable, Decodable {
        /// The id of the view overlay, or of the marker whose info window it is; nil for an info window at a coordinate.
        public var id: String?
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The reason why it is not in the picture; nil when it is.
        public var reason: Reason?
        /// Its position in the drawing order, ascending from bottom to top; nil when it is not in the picture.
        public var order: Int?
        /// The screen position of its coordinate, or of the point on which an info window stands; nil when the camera cannot see it.
        public var anchor: Point?
        /// Its box as drawn, without a shadow; nil when nothing of it is drawn or the camera cannot see it.
        public var rect: Rect?

        private enum CodingKeys: String, CodingKey { case id, isVisible = "visible", reason, order, anchor, rect }
    }

    /// An overlay. Of its copies, the entry describes the one nearest the view's center, preferring copies in the picture.
    public struct OverlayEntry: Equatable, Sendable, Decodable {
        public var id: String
        public var type: OverlayType
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The reason why it is not in the picture; nil when it is.
        public var reason: Reason?
        /// Its position in the drawing order, ascending from bottom to top; nil when it is not in the picture.
        public var order: Int?
        /// The screen position of its anchor, before snapping to pixels; nil when the camera cannot see it.
        public var anchor: Point?
        /// The icon; nil for an overlay that has no icon or that the camera cannot see.
        public var icon: Icon?
        /// The caption; nil for an overlay that has no caption or that the camera cannot see.
        public var caption: Caption?
        /// The corners, inside or outside the picture: of the axis-aligned screen box around a model's triangles, clockwise from the upper
        /// left, or of a ground overlay, clockwise from the image's upper left. Nil for other overlays, for a model that the camera cannot
        /// see, and for an image with a corner behind the camera.
        public var quad: [Point]?
        /// The lines of a polyline or route as points on the screen, inside or outside the picture, cut at the camera's near and far
        /// limits. At most 1,000 points: longer lines are simplified, and if there are very many lines, the shortest are left out. Nil for
        /// other overlays.
        public var lines: [[Point]]?
        /// The rings of a polygon or the ring of a circle, without repeating the first point at the end; limited like `lines`. Nil for
        /// other overlays.
        public var rings: [[Point]]?
        /// The box around all lines or rings, without their widths; nil for other overlays, and for a shape that the camera does not see.
        public var rect: Rect?
        /// The number of triangles of a model's mesh; nil for other overlays, and for a model that cannot be drawn.
        public var triangles: Int?
        /// The number of copies of the world on which it is in the picture.
        public var copies: Int
        /// The ids of a container's children, in the order in which they were added; nil for other overlays.
        public var members: [String]?

        private enum CodingKeys: String, CodingKey {
            case id, type, isVisible = "visible", reason, order, anchor, icon, caption, quad, lines, rings, rect, triangles, copies, members
        }
    }

    /// A cluster that is in the picture or would be if nothing hid it. Of its copies, the entry describes the one nearest the view's center.
    public struct ClusterEntry: Equatable, Sendable, Decodable {
        /// The layer's name, the zoom level, and the cell of the grid.
        public var id: String
        /// The name of its layer.
        public var layer: String
        /// The number of its markers.
        public var count: Int
        /// The text on its disc.
        public var text: String
        /// The mean of its markers' positions in Web Mercator.
        public var position: LatLng
        /// Its screen position, before snapping to pixels.
        public var anchor: Point?
        /// Its disc.
        public var icon: Icon?
        /// Its position in the drawing order, ascending from bottom to top; nil when a marker hides it.
        public var order: Int?
        /// The names of its markers in the order in which they were added, at most 1,000.
        public var markers: [String]
        public var boundingBox: LatLngBounds
        /// The lowest integer zoom level above the picture's zoom at which its markers are no longer one cluster; nil if they never
        /// separate.
        public var expansionZoom: Int?
    }

    /// The maximum number of marker names that a cluster lists.
    public static let mostListedMarkers = 1000

    public var viewport: Viewport
    /// Every overlay on the map, in the order in which they were added. A container is followed by its contents, a cluster layer by the
    /// markers that it shows alone.
    public var overlays: [OverlayEntry]
    /// The clusters of the picture, by layer.
    public var clusters: [ClusterEntry]
    /// The base map's symbols, in the order of the map's list.
    public var symbols: [SymbolEntry]
    /// The view overlays, in the order in which they were added.
    public var viewOverlays: [ViewEntry] = []
    /// The open info window; nil when all are closed.
    public var infoWindow: ViewEntry?
    /// The credits of the base map that the picture shows; nil without credits.
    public var attribution: String?
    public var diagnostics: [Diagnostic]
}

extension Viewport {
    /// A point in pt, quantized in device pixels.
    func inspected(_ x: Double, _ y: Double) -> Inspection.Point {
        Inspection.Point(x: quantized(x * pixelRatio) / pixelRatio, y: quantized(y * pixelRatio) / pixelRatio)
    }

    /// The screen point of a coordinate; nil when the camera cannot see it.
    func inspected(_ position: LatLng) -> Inspection.Point? { point(from: position).map { inspected($0.x, $0.y) } }
}

/// The reason why an overlay is not in the picture.
public enum Reason: UInt8, Sendable, CaseIterable, Equatable {
    /// Outside the picture, or beyond the far limit.
    case outOfView = 1
    case hidden
    /// Outside its zoom range.
    case outOfZoom
    /// Hidden by another marker.
    case collided
    /// Nearer than the camera's near limit, or behind it.
    case behindCamera
    /// Beyond the latitudes of Web Mercator.
    case outOfProjection
    /// Its altitude is below 0.
    case underground
    /// A property has an invalid value; a diagnostic says which.
    case invalid
    case noPosition
    /// It has nothing to draw: a circle of radius 0, a line of width 0, a marker without icon and caption, or an empty container.
    /// Transparent overlays are not empty.
    case empty

    /// The name that `inspect` prints.
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
