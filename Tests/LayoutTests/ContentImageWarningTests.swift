import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Warnings about images in contents named neither the overlay nor the property, but `iconImage`.
@Suite struct ContentImageWarningTests {
    private let mapView = MapView(city: 400, 400)
    private var here: LatLng { LatLng(lat: 37.5670135, lng: 126.9783740) }
    private static let document =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><filter id='f'><feGlow/></filter><rect width='9' height='9'/></svg>"
    private static let message = "librsvg does not know the filter primitive feGlow and skips it"

    private func messages() throws -> [String] { try mapView.placement().diagnostics.map(\.description) }

    @Test func aWarningNamesTheOverlayAndThePropertyThatHasTheContent() throws {
        let content = OverlayContent.stack(StackContent([.label("label"), .svg(Self.document)]))
        let marker = try mapView.put("hall", 200, 200) { ($0.iconView, $0.infoContents) = (content, .svg(Self.document)) }
        mapView.selectedMarker = marker
        mapView.add(ViewOverlay(content: content, coordinates: here))
        let all = [
            "hall: iconView.stack[1].svg: \(Self.message)", "hall: infoContents.svg: \(Self.message)",
            "viewOverlay-0: content.stack[1].svg: \(Self.message)",
        ]
        #expect(try messages().sorted() == all)
        // The same in the next picture, which measures nothing.
        #expect(try messages().sorted() == all)
        mapView.selectedMarker = nil
        marker.iconView = nil
        #expect(try messages() == [all[2]])
    }

    @Test func anImageThatIsAlsoAnIconIsNamedTwiceInAnyOrder() throws {
        let image = OverlayImage(bytes: Array(Self.document.utf8), reuseIdentifier: "glow.svg")
        mapView.openInfoWindow(.image(image), at: here)
        let ofWindow = "infoWindow.image: \(Self.message)"
        #expect(try messages() == [ofWindow])
        try mapView.put("hall", 200, 200) { $0.iconImage = image }
        #expect(try Set(messages()) == [ofWindow, "glow.svg: iconImage: \(Self.message)"] && messages().count == 2)
    }

    /// Markers that share a view have the same warning.
    @Test func aViewOfManyMarkersIsReportedOnce() throws {
        let view = OverlayContent.stack(StackContent([.label("label"), .svg(Self.document)]))
        let markers = try (0..<5).map { try mapView.put("m\($0)", Double(100 + 40 * $0), 200) { $0.iconView = view } }
        let message = "m0: iconView.stack[1].svg: \(Self.message)"
        #expect(try messages() == ["\(message); 4 other overlays have the same problem"])
        markers[2].iconView = nil
        markers[3].iconView = .svg(Self.document)
        #expect(try messages() == ["\(message); 2 other overlays have the same problem", "m3: iconView.svg: \(Self.message)"])
        mapView.remove(markers[0])
        mapView.remove(markers[4])
        #expect(try messages().first == "m1: iconView.stack[1].svg: \(Self.message)")
    }

    /// A view as the image of a ground overlay or the texture of a model.
    @Test func viewsOnTheGroundAndOnModels() throws {
        let image = OverlayImage(content: .stack(StackContent([.label("label"), .svg(Self.document)])))
        let bounds = try #require(LatLngBounds(south: 37.56, west: 126.97, north: 37.57, east: 126.98))
        let ground = GroundOverlay(bounds: bounds, image: image)
        ground.id = "plan"
        mapView.add(ground)
        let model = LocalModel(id: "house") { $0.texture = image }
        mapView.add(model)
        let all = ["house: texture.stack[1].svg: \(Self.message)", "plan: image.stack[1].svg: \(Self.message)"]
        #expect(try messages().sorted() == all)
        #expect(try messages().sorted() == all)
        ground.image = .empty
        model.texture = nil
        #expect(try messages().isEmpty)
        // A missing part is reported, and the rest is drawn.
        let missing = OverlayContent.image(OverlayImage(path: "/nonexistent/photo.png"))
        ground.image = OverlayImage(content: .stack(StackContent([missing, .label("label")])))
        let words = try messages()
        #expect(words.count == 1 && words[0].hasPrefix("plan: image.stack[0].image: /nonexistent/photo.png: "), "\(words)")
        #expect(words[0].hasSuffix("; only the rest of the content is drawn"))
    }

    /// The part that is missing is reported first, since only one message about a marker's view is.
    @Test func aMissingImageComesBeforeAWarning() throws {
        let missing = OverlayContent.image(OverlayImage(path: "/nonexistent/photo.png"))
        try mapView.put("hall", 200, 200) { $0.iconView = .stack(StackContent([.svg(Self.document), missing, .label("label")])) }
        let words = try messages()
        #expect(words.count == 1 && words[0].hasPrefix("hall: iconView.stack[1].image: /nonexistent/photo.png: "))
    }
}
