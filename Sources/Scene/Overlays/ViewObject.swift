import WaymarkGeo

/// An object that is shown on a map and can be picked.
public class ViewObject {
    package init() {}
}

extension ViewObject: Equatable, Hashable {
    /// Whether two objects are identical.
    public static func == (a: ViewObject, b: ViewObject) -> Bool { a === b }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension ViewObject: CustomStringConvertible {
    /// The class and, if the object has one, the id: `Marker "hall"`.
    public var description: String {
        let id: String? =
            switch self {
            case let overlay as Overlay: overlay.id
            case let overlay as ViewOverlay: overlay.id
            case let cluster as Cluster: cluster.id
            case let symbol as SymbolObject: symbol.id
            case let element as ElementObject: element.id
            default: nil
            }
        return "\(Swift.type(of: self))" + (id.map { " \"\($0)\"" } ?? "")
    }
}

/// A read-only object that a map creates for a cluster, a symbol of the base map, an info window or a map element. Overlays, in contrast,
/// are created by your program. The object for a cluster or a symbol describes the picture in which it was found.
public class ProxyObject: ViewObject {}

/// A symbol of the base map that was found by picking, such as a transit stop or a traffic event.
public class SymbolObject: ProxyObject {
    private let symbol: Symbol
    /// The symbol's id; if it has none, `symbol-` followed by its index.
    public let id: String

    init(_ symbol: Symbol, id: String) {
        (self.symbol, self.id) = (symbol, id)
        super.init()
    }

    /// The position of the symbol.
    public var position: LatLng { symbol.position }
    /// The kind of the symbol: `pointOfInterest`, `transitStop`, `trafficEvent` or another name from the symbol's data.
    public var kind: String { symbol.kind }
    /// The other fields of the symbol's data, by name.
    public var fields: [String: String] { symbol.fields }
    /// The text of the symbol.
    public var placeName: String { symbol.captionText }
    /// The category of the symbol; nil if its data contains none.
    public var category: String? { symbol.category }
    /// The telephone number of the symbol; nil if its data contains none.
    public var phone: String? { symbol.phone }
}

/// A point of interest of the base map: a symbol whose `kind` is `pointOfInterest`. Most symbols are points of interest, including all
/// labels from vector tiles.
public final class PointOfInterest: SymbolObject {}

/// A map element that was found by picking.
public final class ElementObject: ProxyObject {
    /// The type of the element.
    public let type: ElementType
    /// The index of the element in `MapView.elements`. Legends that scales request have the indexes after the end of that list.
    public let index: Int
    /// The text of a title, or the title that a legend shows; empty for other elements.
    public let name: String
    /// The type and the index, such as `legend-2`.
    public var id: String { Self.id(type, index: index) }

    package init(_ type: ElementType, index: Int, name: String) {
        (self.type, self.index, self.name) = (type, index, name)
        super.init()
    }

    package static func id(_ type: ElementType, index: Int) -> String { "\(type.rawValue)-\(index)" }
}

extension MapView {
    /// The object for a symbol, given the symbol's index. The object remains the same until the symbols change.
    package func symbolObject(_ number: Int) -> SymbolObject {
        if let known = windows.symbolObjects[number] { return known }
        let symbol = symbols[number]
        let id = symbol.id ?? "symbol-\(number)"
        let object = symbol.kind == Symbol.pointOfInterest ? PointOfInterest(symbol, id: id) : SymbolObject(symbol, id: id)
        windows.symbolObjects[number] = object
        return object
    }
}

extension MapView {
    /// The object for a label of the base map. The object remains the same until the base map changes.
    /// - Parameter label: The label as a symbol with an id.
    package func labelObject(_ label: Symbol) -> PointOfInterest {
        let id = label.id ?? ""
        if let known = windows.labelObjects[id] { return known }
        let object = PointOfInterest(label, id: id)
        windows.labelObjects[id] = object
        return object
    }
}

/// The part of an object that lies at a given point of the picture.
public enum HitPart: String, Sendable, CaseIterable {
    /// The icon of a marker, or an image along a line.
    case icon
    /// The captions of a marker, or a text along a line.
    case caption
    /// A line, an area or its outline, or an image on the ground.
    case shape
    case model
    case cluster
    /// A label or point of interest of the base map.
    case symbol
    case infoWindow
    case viewOverlay
    /// A map element.
    case element
}
