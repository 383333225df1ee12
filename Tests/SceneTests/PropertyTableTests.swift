import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Property tables match the behavior of the objects.
@Suite struct PropertyTableTests {
    private static let here = LatLng(lat: 10, lng: 20)

    /// An overlay of a type that can be put on a map.
    private func placed(_ type: OverlayType) -> Overlay {
        let overlay = type.makeOverlay()
        switch overlay {
        case let marker as Marker: marker.position = Self.here
        case let line as Polyline: line.points = [Self.here, LatLng(lat: 11, lng: 21)]
        case let polygon as Polygon: polygon.rings = [[Self.here, LatLng(lat: 11, lng: 21), LatLng(lat: 11, lng: 20)]]
        case let circle as Circle: circle.center = Self.here
        case let model as LocalModel:
            model.coordinates = Self.here
            model.mesh = FloatMesh(vertices: [.zero, [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]])
        case let model as GeoModel: model.mesh = GeoMesh(vertices: [[20, 10, 0], [21, 10, 0], [20, 11, 0]], triangles: [[0, 1, 2]])
        case let ground as GroundOverlay:
            ground.bounds = LatLngBounds(south: 10, west: 20, north: 11, east: 21)
        case is Container, is ClusterLayer: break
        default: Issue.record("a new kind: give an overlay of type \(type) its place here")
        }
        return overlay
    }

    /// Sets a property to a value other than its default; false if no such value is known.
    private func change(_ property: Property, of overlay: Overlay) -> Bool {
        switch property.type {
        case .number(let accessor, let range):
            let old = accessor.get(overlay) ?? 0
            accessor.set(overlay, range.contains(old + 0.5) ? old + 0.5 : old - 0.5)
        case .size(let accessor, _): accessor.set(overlay, 7)
        case .integer(let accessor, _): accessor.set(overlay, accessor.get(overlay) + 1)
        case .wholeNumber(let accessor, _): accessor.set(overlay, (accessor.get(overlay) ?? 0) + 1)
        case .content(let accessor): accessor.set(overlay, .label("a view"))
        case .boolean(let accessor): accessor.set(overlay, !(accessor.get(overlay) ?? false))
        case .text(let accessor, _): accessor.set(overlay, "a text")
        case .color(let accessor): accessor.set(overlay, .magenta)
        case .image(let accessor): accessor.set(overlay, MarkerImage.blue)
        case .point(let accessor, _): accessor.set(overlay, CGPoint(x: 0.25, y: 0.75))
        case .direction(let accessor): accessor.set(overlay, [1, 0, 0])
        case .position(let accessor, _): accessor.set(overlay, LatLng(lat: 1, lng: 2))
        case .bounds(let accessor): accessor.set(overlay, LatLngBounds(south: 1, west: 2, north: 3, east: 4))
        case .choice(let accessor, let names): accessor.set(overlay, (accessor.get(overlay) + 1) % names.count)
        case .choices(let accessor, _): accessor.set(overlay, [2, 1])
        case .zoomLevels(let accessor): accessor.set(overlay, ZoomLevels(from: 3, through: 4))
        case .pattern(let accessor): accessor.set(overlay, [4, 2])
        case .lineColor(let accessor): accessor.set(overlay, LineColor(color: .magenta, scale: Scale(by: "a", linear: [.red])))
        case .gradient(let accessor): accessor.set(overlay, [.init(0.5, .red)])
        case .pointValues(let accessor): accessor.set(overlay, ["a": [1, nil]])
        case .line(let accessor): accessor.set(overlay, [Self.here, LatLng(lat: 12, lng: 22)])
        case .lines(let accessor): accessor.set(overlay, [[Self.here, LatLng(lat: 12, lng: 22)]])
        case .rings(let accessor): accessor.set(overlay, [[Self.here, LatLng(lat: 12, lng: 22), LatLng(lat: 12, lng: 20)]])
        case .polygons(let accessor): accessor.set(overlay, [[[Self.here, LatLng(lat: 12, lng: 22), LatLng(lat: 12, lng: 20)]]])
        case .object(let accessor, _) where property.name == "material": accessor.set(overlay, Box(Material(diffuse: .red)))
        case .object(let accessor, _) where property.name == "textureSampler":
            accessor.set(overlay, Box(TextureSampler(wrapV: .clampToEdge)))
        case .object: return false
        case .objects(let accessor, _, _): accessor.set(overlay, [DirectionalLight(direction: [1, 0, 0])])
        case .part(.floatMesh):
            (overlay as? LocalModel)?.mesh = FloatMesh(vertices: [.zero, [2, 0, 0], [0, 2, 0]], triangles: [[0, 1, 2]])
        case .part(.geoMesh):
            (overlay as? GeoModel)?.mesh = GeoMesh(vertices: [[20, 10, 0], [22, 10, 0], [20, 12, 0]], triangles: [[0, 1, 2]])
        case .part, .refused: return false
        }
        return true
    }

    /// The value of a property as a text; nil if templates cannot set it.
    private func value(of property: Property, _ overlay: Overlay) -> String? {
        switch property.type {
        case .number(let accessor, _): "\(String(describing: accessor.get(overlay)))"
        case .size(let accessor, _): "\(accessor.get(overlay))"
        case .integer(let accessor, _): "\(accessor.get(overlay))"
        case .wholeNumber(let accessor, _): accessor.get(overlay).map { "\($0)" } ?? "nil"
        case .content(let accessor): "\(String(describing: accessor.get(overlay)))"
        case .boolean(let accessor): "\(String(describing: accessor.get(overlay)))"
        case .text(let accessor, _): accessor.get(overlay) ?? "none"
        case .color(let accessor): accessor.get(overlay)?.description ?? "none"
        case .image(let accessor): accessor.get(overlay)?.reuseIdentifier ?? "none"
        case .point(let accessor, _): "\(accessor.get(overlay))"
        case .choice(let accessor, _): "\(accessor.get(overlay))"
        case .choices(let accessor, _): "\(accessor.get(overlay))"
        case .zoomLevels(let accessor): "\(accessor.get(overlay).rawValue)"
        case .pattern(let accessor): "\(accessor.get(overlay))"
        case .lineColor(let accessor): "\(accessor.get(overlay))"
        case .gradient(let accessor): "\(accessor.get(overlay))"
        case .direction, .position, .bounds, .pointValues, .line, .lines, .rings, .polygons, .object, .objects, .part, .refused: nil
        }
    }

    /// Gives a number or a color invalid values, one after another.
    private func makeInvalid(_ property: Property, of overlay: Overlay, _ body: (String) -> Void) {
        switch property.type {
        case .number(let accessor, let range):
            let old = accessor.get(overlay)
            for value in [range.lowerBound.nextDown, range.upperBound.nextUp, .nan, .infinity, -.infinity] where !range.contains(value) {
                accessor.set(overlay, value)
                body(property.name)
            }
            // A number that is not set by default cannot be unset again.
            accessor.set(overlay, old ?? range.lowerBound)
        case .size(let accessor, let range):
            for value in [range.lowerBound.nextDown, range.upperBound.nextUp, .nan, .infinity] {
                accessor.set(overlay, value)
                body(property.name)
            }
            accessor.set(overlay, 0)
        case .point(let accessor, let range):
            let old = accessor.get(overlay)
            for value in [range.lowerBound.nextDown, range.upperBound.nextUp, .nan] {
                accessor.set(overlay, CGPoint(x: value, y: 0))
                body("\(property.name).x")
                accessor.set(overlay, CGPoint(x: 0, y: value))
                body("\(property.name).y")
            }
            accessor.set(overlay, old)
        case .color(let accessor):
            let old = accessor.get(overlay)
            for value in [2, -0.1, .nan] {
                accessor.set(overlay, Color(white: value))
                body(property.name)
            }
            if let old { accessor.set(overlay, old) }
        case .lineColor(let accessor):
            let old = accessor.get(overlay)
            for value in [2, -0.1, .nan] {
                accessor.set(overlay, LineColor(color: Color(white: value)))
                body(property.name)
            }
            accessor.set(overlay, old)
        case .position(let accessor, _):
            let old = accessor.get(overlay)
            accessor.set(overlay, LatLng(lat: 91, lng: 0))
            body("\(property.name).lat")
            accessor.set(overlay, LatLng(lat: 0, lng: .infinity))
            body("\(property.name).lng")
            accessor.set(overlay, LatLng(lat: 0, lng: 0, altitude: 1e10))
            body("\(property.name).altitude")
            if let old { accessor.set(overlay, old) }
        case .choices(let accessor, _):
            accessor.set(overlay, [])
            body(property.name)
            accessor.set(overlay, [4])
        default: break
        }
    }

    @Test(arguments: OverlayType.allCases)
    func aSetterNotesWhatTheTableSays(type: OverlayType) {
        var count = 0
        for property in type.properties.properties {
            let mapView = MapView(size: .init(width: 10, height: 10))
            let overlay = placed(type)
            mapView.add(overlay)
            mapView.store.changes.drain { _, _ in }
            guard change(property, of: overlay) else { continue }
            var changes: ChangedProperties = []
            mapView.store.changes.drain { _, change in changes.formUnion(change) }
            #expect(changes == property.changes, "\(type).\(property.name)")
            count += 1
        }
        #expect(count >= 10)
    }

    @Test(arguments: OverlayType.allCases)
    func whatDiffersFromTheDefaultsIsCopied(type: OverlayType) {
        for property in type.properties.properties where property.template != nil {
            let (source, target) = (placed(type), type.makeOverlay())
            #expect(value(of: property, source) == value(of: property, target), "\(type).\(property.name)")
            guard change(property, of: source) else { continue }
            #expect(value(of: property, source) != value(of: property, target), "\(type).\(property.name)")
            target.copyProperties(of: source)
            #expect(value(of: property, source) == value(of: property, target), "\(type).\(property.name)")
            #expect(target.id == nil && target.isPlaceless == type.makeOverlay().isPlaceless)
        }
    }

    @Test(arguments: OverlayType.allCases)
    func invalidValuesAreFound(type: OverlayType) {
        for property in type.properties.properties {
            let overlay = placed(type)
            #expect(overlay.firstProblem() == nil)
            makeInvalid(property, of: overlay) { path in
                #expect(overlay.firstProblem()?.path == path)
            }
            #expect(overlay.firstProblem() == nil, "\(type).\(property.name)")
        }
    }

    @Test func markersWithDetailsAreCheckedToo() {
        let marker = Marker(position: Self.here)
        marker.id = "a"
        marker.tag = 7
        marker.userInfo["key"] = 1
        #expect(marker.firstProblem() == nil)
        marker.alpha = 2
        #expect(marker.firstProblem() == PropertyError(path: "alpha", problem: "2 is outside 0…1"))
        marker.alpha = 1
        marker.altitude = -2e6
        #expect(marker.firstProblem()?.path == "altitude")
        marker.altitude = 0
        marker.captionText = "a"
        #expect(marker.firstProblem() == nil)
        marker.captionOffset = .nan
        #expect(marker.firstProblem()?.path == "captionOffset")
    }

    @Test func copiesShareOneCaptionStyle() throws {
        let source = Marker()
        (source.captionText, source.captionColor, source.captionTextSize) = ("a", .red, 20)
        let (first, second) = (Marker(), Marker())
        first.copyProperties(of: source)
        second.copyProperties(of: source)
        #expect(first.captionText == "a" && first.captionColor == .red && first.captionTextSize == 20)
        #expect(try #require(first.caption).style === #require(second.caption).style)
        second.captionTextSize = 900
        #expect(first.firstProblem() == nil && first.captionTextSize == 20)
        #expect(second.firstProblem() == PropertyError(path: "captionTextSize", problem: "900 is outside 1…512"))
    }

    @Test(arguments: OverlayType.allCases)
    func aPropertyIsFoundByItsName(type: OverlayType) {
        let list = type.properties
        for (place, property) in list.properties.enumerated() {
            var name = property.name
            #expect(name.withUTF8 { list.index(of: $0.span) } == place)
        }
        for var name in ["", "Angle", "angle ", "nothing", "zindex"] {
            #expect(name.withUTF8 { list.index(of: $0.span) } == nil)
        }
        #expect(Set(list.properties.map(\.name)).count == list.properties.count)
        for property in list.properties where !property.summary.isEmpty {
            #expect(property.summary.hasSuffix(".") && !property.summary.contains("|"), "\(type).\(property.name)")
        }
        for name in list.synonyms.values { #expect(list.properties.contains { $0.name == name }) }
    }
}
