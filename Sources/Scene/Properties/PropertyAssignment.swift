import Foundation
import WaymarkGeo

/// The result of an assignment to an object: which properties were set, and to which values.
package struct PropertyAssignment {
    /// An object with the assigned values, and the defaults of all other properties.
    package let object: AnyObject
    /// The paths of the properties that were set. Properties of nested objects have paths such as `material.diffuse`.
    package let paths: Set<String>
    /// The first error in the assigned values.
    package let problem: PropertyError?
}

extension PropertyList {
    /// Makes an assignment, and finds all properties that it sets, including those set to their defaults.
    ///
    /// The assignment is made to two objects that differ in every property. The properties in which they agree afterwards were set.
    /// - Parameter assign: Sets properties of its argument. It is called twice.
    package func assignment(_ assign: (AnyObject) -> Void) -> PropertyAssignment {
        let (object, other, plain) = (make(), make(), make())
        distinguish(other, from: plain)
        let alike = Set(sharedPaths(object, other))
        assign(object)
        assign(other)
        let paths = Set(sharedPaths(object, other)).subtracting(alike)
        // Missing geometry is not a problem of the assignment, because the object has no geometry without the assignment, either.
        let problem = properties.lazy.compactMap { property in
            property.problem?(object).flatMap { $0 == property.problem?(plain) ? nil : $0 }
        }.first
        return PropertyAssignment(object: object, paths: paths, problem: problem)
    }

    /// The properties of the objects of a class, which may be a base class of several types; nil if the class has no table.
    package static func list(of kind: AnyObject.Type) -> PropertyList? { listsOfClasses[ObjectIdentifier(kind)] }

    private static let listsOfClasses: [ObjectIdentifier: PropertyList] = {
        var lists = [
            ObjectIdentifier(Overlay.self): OverlayProperties.table.list, ObjectIdentifier(Model.self): ModelProperties.table.list,
            ObjectIdentifier(ViewOverlay.self): ViewOverlayProperties.table.list,
        ]
        for type in OverlayType.allCases { lists[ObjectIdentifier(Swift.type(of: type.makeOverlay()))] = type.properties }
        return lists
    }()

    /// The paths of the properties in which two objects agree.
    private func sharedPaths(_ first: AnyObject, _ second: AnyObject, _ prefix: String = "") -> [String] {
        properties.flatMap { property in
            let path = prefix + property.name
            switch property.type {
            case .object(let accessor, let list): return list.sharedPaths(accessor.get(first), accessor.get(second), path + ".")
            case .part(let part): return part.isShared(first, second) ? [path] : []
            case .objects, .refused: return []
            default: return property.isEqual(first, second) ? [path] : []
            }
        }
    }

    /// Changes every property of an object, so that it differs from the same property of an equal object.
    fileprivate func distinguish(_ object: AnyObject, from plain: AnyObject) {
        // Some properties share a value, as `isVisible` and `isHidden` do: one that already differs must not be changed back.
        for property in properties where property.isEqual(object, plain) { property.type.change(object) }
    }
}

extension ScenePart {
    /// Whether two objects have the same mesh or the same theme. Other parts are not properties.
    fileprivate func isShared(_ first: AnyObject, _ second: AnyObject) -> Bool {
        switch self {
        case .floatMesh: (first as? LocalModel)?.mesh === (second as? LocalModel)?.mesh
        case .geoMesh: (first as? GeoModel)?.mesh === (second as? GeoModel)?.mesh
        case .theme: (first as? ClusterLayer)?.theme === (second as? ClusterLayer)?.theme
        default: false
        }
    }
}

extension PropertyType {
    /// Changes the property of an object to a different value. New objects never share a mesh.
    fileprivate func change(_ object: AnyObject) {
        let origin = LatLng(lat: 0, lng: 0)
        switch self {
        case .number(let accessor, _): accessor.set(object, (accessor.get(object) ?? 0) + 1)
        case .size(let accessor, _): accessor.set(object, accessor.get(object) + 1)
        case .integer(let accessor, _): accessor.set(object, accessor.get(object) + 1)
        case .wholeNumber(let accessor, _): accessor.set(object, (accessor.get(object) ?? 0) + 1)
        case .boolean(let accessor): accessor.set(object, !(accessor.get(object) ?? false))
        case .text(let accessor, _): accessor.set(object, (accessor.get(object) ?? "") + "~")
        case .color(let accessor): accessor.set(object, accessor.get(object) == .black ? .white : .black)
        case .image(let accessor): accessor.set(object, accessor.get(object) == MarkerImage.red ? MarkerImage.blue : MarkerImage.red)
        case .point(let accessor, _): accessor.set(object, CGPoint(x: accessor.get(object).x + 1, y: accessor.get(object).y))
        case .direction(let accessor): accessor.set(object, accessor.get(object) + SIMD3(1, 0, 0))
        case .position(let accessor, _): accessor.set(object, LatLng(lat: (accessor.get(object)?.lat ?? 0) + 1, lng: 0))
        case .bounds(let accessor):
            accessor.set(object, accessor.get(object) == nil ? LatLngBounds(south: 0, west: 0, north: 1, east: 1) : nil)
        case .choice(let accessor, let names): accessor.set(object, (accessor.get(object) + 1) % names.count)
        case .choices(let accessor, let names): accessor.set(object, [((accessor.get(object).first ?? 0) + 1) % names.count])
        case .zoomLevels(let accessor):
            accessor.set(object, accessor.get(object).symmetricDifference(ZoomLevels(from: 1, through: 1)))
        case .pattern(let accessor): accessor.set(object, accessor.get(object) + [1])
        case .lineColor(let accessor):
            var value = accessor.get(object)
            value.color = value.color == .black ? .white : .black
            value.scale = value.scale?.property == "~" ? nil : Scale(by: "~", linear: [.black])
            accessor.set(object, value)
        case .gradient(let accessor): accessor.set(object, accessor.get(object) + [.init(1, .black)])
        case .pointValues(let accessor):
            let values = accessor.get(object)
            accessor.set(object, values["~"] == nil ? ["~": []] : [:])
        case .line(let accessor): accessor.set(object, accessor.get(object) + [origin])
        case .lines(let accessor): accessor.set(object, accessor.get(object) + [[origin]])
        case .rings(let accessor): accessor.set(object, accessor.get(object) + [[origin]])
        case .polygons(let accessor): accessor.set(object, accessor.get(object) + [[[origin]]])
        case .content(let accessor):
            let label = OverlayContent.label("~")
            accessor.set(object, accessor.get(object) == label ? OverlayContent.label("") : label)
        case .object(let accessor, let list):
            // Both are copies of a value.
            let (nested, plain) = (accessor.get(object), accessor.get(object))
            list.distinguish(nested, from: plain)
            accessor.set(object, nested)
        case .part(.theme): (object as? ClusterLayer)?.theme = ClusterTheme()
        case .objects, .part, .refused: break
        }
    }
}
