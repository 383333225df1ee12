import WaymarkGeo
import WaymarkImaging

/// A part of the picture that explains the map: a title, a legend, a scale bar, a north arrow, an image, any other content, or an inset.
///
/// Elements are anchored to the edges and corners of the picture, inside the camera's `contentInset`, and are drawn above everything else.
/// The camera does not move them.
///
///     mapView.elements = [.title(TitleElement("Airports")), .scaleBar(ScaleBarElement()), .northArrow(NorthArrowElement())]
///
/// Elements are placed in the order of the list. The first element at a place is next to the edge. An element that would touch an earlier
/// element or the credits of the base map is moved to free space: up from the lower edge, and down from all other places. An element for
/// which there is no room is not drawn, and a diagnostic reports it.
public enum MapElement {
    case title(TitleElement)
    case legend(LegendElement)
    case scaleBar(ScaleBarElement)
    case northArrow(NorthArrowElement)
    case image(ImageElement)
    case text(TextElement)
    case inset(InsetElement)
}

/// The type of a map element. The raw value is the `type` in scene files.
public enum ElementType: String, CaseIterable, Sendable, Decodable {
    case title
    case legend
    case scaleBar
    case northArrow
    case image
    case text
    case inset
}

extension MapElement {
    /// The type of the element.
    public var type: ElementType {
        switch self {
        case .title: .title
        case .legend: .legend
        case .scaleBar: .scaleBar
        case .northArrow: .northArrow
        case .image: .image
        case .text: .text
        case .inset: .inset
        }
    }

    /// The place of the element and the panel behind it.
    public var frame: ElementFrame { placed.frame }

    var placed: any PlacedElement {
        switch self {
        case .title(let element): element
        case .legend(let element): element
        case .scaleBar(let element): element
        case .northArrow(let element): element
        case .image(let element): element
        case .text(let element): element
        case .inset(let element): element
        }
    }
}

/// The edge or the corner of the picture at which an element is placed.
public enum ElementPlace: String, CaseIterable, Sendable {
    case topLeft
    /// The middle of the upper edge.
    case top
    case topRight
    /// The middle of the left edge.
    case left
    /// The middle of the right edge.
    case right
    case bottomLeft
    /// The middle of the lower edge.
    case bottom
    case bottomRight
}

/// The place of an element and the panel behind it. All lengths are in pt.
public struct ElementFrame: Hashable, Sendable {
    /// The edge or the corner of the picture.
    public var place: ElementPlace
    /// The space that is kept free around the element, each side valid in 0…1,000. The space between two elements is the larger of their
    /// margins. Default 10 on each side.
    public var margins = EdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
    /// Whether the element is part of the picture. Default true.
    public var isVisible = true
    /// The color of the panel. Default nil: the theme's panel for titles, legends, scale bars and north arrows; none for other elements.
    public var backgroundColor: Color?
    /// The color of the panel's border. Default nil: the theme's hairline.
    public var borderColor: Color?
    /// The width of the panel's border, valid in 0…100. Default nil: a hairline around an inset and around the theme's panel, otherwise 0.
    public var borderWidth: Double?
    /// The radius of the panel's corners, valid in 0…1,000. Default nil: 4; the panel of a north arrow is a circle. Insets always have
    /// square corners.
    public var cornerRadius: Double?
    /// The spaces between the edges of the panel and the content, each valid in 0…1,000. The default depends on the type of the element.
    public var insets: EdgeInsets

    /// Creates the frame of an element.
    public init(place: ElementPlace, insets: EdgeInsets = EdgeInsets()) {
        (self.place, self.insets) = (place, insets)
    }
}

/// A map element with an ``ElementFrame``.
public protocol PlacedElement {
    var frame: ElementFrame { get set }
}

// The properties of the frame, as properties of the element.
extension PlacedElement {
    /// The edge or the corner of the picture.
    public var place: ElementPlace {
        get { frame.place }
        set { frame.place = newValue }
    }

    /// The space in pt that is kept free around the element. Default 10 on each side.
    public var margins: EdgeInsets {
        get { frame.margins }
        set { frame.margins = newValue }
    }

    /// Whether the element is part of the picture. Default true.
    public var isVisible: Bool {
        get { frame.isVisible }
        set { frame.isVisible = newValue }
    }

    /// The color of the panel; nil for the default of the type and the theme.
    public var backgroundColor: Color? {
        get { frame.backgroundColor }
        set { frame.backgroundColor = newValue }
    }

    /// The color of the panel's border; nil for the theme's hairline.
    public var borderColor: Color? {
        get { frame.borderColor }
        set { frame.borderColor = newValue }
    }

    /// The width in pt of the panel's border; nil for the default of the type.
    public var borderWidth: Double? {
        get { frame.borderWidth }
        set { frame.borderWidth = newValue }
    }

    /// The radius in pt of the panel's corners; nil for the default of the type.
    public var cornerRadius: Double? {
        get { frame.cornerRadius }
        set { frame.cornerRadius = newValue }
    }

    /// The spaces in pt between the edges of the panel and the content.
    public var insets: EdgeInsets {
        get { frame.insets }
        set { frame.insets = newValue }
    }
}
