import Foundation

/// Points of an image, for `anchor` and `infoWindowAnchor`: (0, 0) is its upper left corner, (1, 1) its lower right one.
extension CGPoint {
    /// (0, 0)
    public static var topLeft: CGPoint { CGPoint(x: 0, y: 0) }
    /// (0.5, 0)
    public static var top: CGPoint { CGPoint(x: 0.5, y: 0) }
    /// (1, 0)
    public static var topRight: CGPoint { CGPoint(x: 1, y: 0) }
    /// (0, 0.5)
    public static var left: CGPoint { CGPoint(x: 0, y: 0.5) }
    /// (0.5, 0.5)
    public static var center: CGPoint { CGPoint(x: 0.5, y: 0.5) }
    /// (1, 0.5)
    public static var right: CGPoint { CGPoint(x: 1, y: 0.5) }
    /// (0, 1)
    public static var bottomLeft: CGPoint { CGPoint(x: 0, y: 1) }
    /// (0.5, 1): the default anchor, where a pin's tip is.
    public static var bottom: CGPoint { CGPoint(x: 0.5, y: 1) }
    /// (1, 1)
    public static var bottomRight: CGPoint { CGPoint(x: 1, y: 1) }
}
