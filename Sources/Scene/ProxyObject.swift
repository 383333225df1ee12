import WaymarkGeo

/// An object on a map that stands for data of the map, not for an overlay that a user added: a cluster, a point of interest. It is read-only,
/// and describes the picture that it was found in.
public class ProxyObject: ViewObject {}

/// A symbol of the base map as an object: what a transit stop or a traffic event is picked as.
public class SymbolObject: ProxyObject {
    private let symbol: Symbol
    /// The symbol's id, or `symbol-` and its index.
    public let id: String

    init(_ symbol: Symbol, id: String) {
        (self.symbol, self.id) = (symbol, id)
        super.init()
    }

    /// Its position.
    public var position: LatLng { symbol.position }
    /// What it is: `pointOfInterest`, `transitStop`, `trafficEvent` or another name that its data has.
    public var kind: String { symbol.kind }
    /// What else its data says of it, by the names that it has there.
    public var fields: [String: String] { symbol.fields }
    /// The text of the symbol.
    public var placeName: String { symbol.captionText }
    /// Its category; nil when its data has none.
    public var category: String? { symbol.category }
    /// Its telephone number; nil when its data has none.
    public var phone: String? { symbol.phone }
}

/// A point of interest of the base map: a symbol whose `kind` is `pointOfInterest`, as most are.
public final class PointOfInterest: SymbolObject {}

extension MapView {
    /// The object of a symbol, by its index; the same one as long as the symbols do not change.
    package func symbolObject(_ number: Int) -> SymbolObject {
        if let known = windows.symbolObjects[number] { return known }
        let symbol = symbols[number]
        let id = symbol.id ?? "symbol-\(number)"
        let object = symbol.kind == Symbol.pointOfInterest ? PointOfInterest(symbol, id: id) : SymbolObject(symbol, id: id)
        windows.symbolObjects[number] = object
        return object
    }
}
