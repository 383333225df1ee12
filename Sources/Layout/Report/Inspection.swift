import WaymarkGeo
import WaymarkScene

/// Where everything on a map stands in one picture, as plain values. Lengths in pt from the picture's upper left.
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
    public struct Icon: Equatable, Sendable {
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The corners, from the image's upper left, clockwise; nil when one is behind the camera.
        public var quad: [Point]?
        /// The id of the marker that hides it.
        public var hiddenBy: String?
    }

    /// A caption with its sub caption, as one block.
    public struct Caption: Equatable, Sendable {
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// At which side of the icon it stands, or would stand first.
        public var align: AlignType?
        /// Its box as drawn; nil when it does not show at this zoom.
        public var rect: Rect?
        /// Its lines from top to bottom.
        public var lines: [String]
        /// The id of the marker that hides it, or its icon.
        public var hiddenBy: String?
    }

    /// An upright box.
    public struct Rect: Equatable, Sendable {
        /// The upper left corner.
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        init(_ box: Quad.Box, pixelRatio: Double) {
            x = box.left / pixelRatio
            y = box.top / pixelRatio
            width = (box.right - box.left) / pixelRatio
            height = (box.bottom - box.top) / pixelRatio
        }
    }

    /// A label or point of interest of the base map; its numbers are those of the copy nearest the centre, of those shown when any is.
    public struct SymbolEntry: Equatable, Sendable {
        public var id: String
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The id of the marker or the symbol that hides it.
        public var hiddenBy: String?
        /// Where it stands on the screen; nil when the camera cannot see there.
        public var anchor: Point?
        /// The box around its icon and its text; nil when it takes no part in the picture.
        public var rect: Rect?
    }

    /// An overlay; its numbers are those of the copy nearest the centre, of those in the picture when any is.
    public struct OverlayEntry: Equatable, Sendable {
        public var id: String
        public var type: OverlayType
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// Why it is not in the picture; nil when it is.
        public var reason: Reason?
        /// Its place in the drawing order, rising from bottom to top; nil when it is not in the picture.
        public var order: Int?
        /// Where its anchor is seen, before anything is snapped; nil when the camera cannot see there.
        public var anchor: Point?
        /// nil for what has no icon, and where the camera cannot see it.
        public var icon: Icon?
        /// nil for what has no caption, and where the camera cannot see it.
        public var caption: Caption?
        /// The upright box on the screen around a model's triangles, from the upper left corner clockwise, in or beside the picture; nil
        /// for what is no model, and where the camera cannot see it.
        public var quad: [Point]?
        /// How many triangles a model's mesh has; nil for what is no model, and for one that cannot be drawn.
        public var triangles: Int?
        /// How often it is in the picture: once for each copy of the world.
        public var copies: Int
        /// The ids of a container's children, in the order in which they were added; nil for what is no container.
        public var members: [String]?
    }

    public var viewport: Viewport
    /// Every overlay on the map, in the order in which they were added; after a container comes what is in it.
    public var overlays: [OverlayEntry]
    /// The base map's symbols, as they stand in the map's list.
    public var symbols: [SymbolEntry]
    public var diagnostics: [Diagnostic]
}
