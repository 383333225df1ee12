import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The sentences of the reference page about info windows, with a test for each. Taps are in `InfoWindowTapTests`.
@Suite struct InfoWindowTests {
    let mapView = MapView(400, 400, Camera(center: LatLng(lat: 51.5, lng: -0.127), zoom: 12))
    private let log = CallLog()

    init() { mapView.delegate = log }

    private func london() -> Marker {
        let position = LatLng(lat: 51.5, lng: -0.127)
        let london = Marker(position: position)
        london.id = "london"
        london.title = "London"
        london.map = mapView
        return london
    }

    private func window() throws -> Inspection.ViewEntry { try #require(mapView.inspection().infoWindow) }
    private func rect() throws -> Inspection.Rect { try #require(window().rect) }

    @Test(arguments: [(0.0, 0.0), (45, 30), (60, -120), (75, 200)])
    func theWindowIsParallelToTheScreenAndCenteredAboveItsMarker(tilt: Double, bearing: Double) throws {
        let london = london()
        mapView.selectedMarker = london
        let flat = try rect()
        (mapView.camera.tilt, mapView.camera.bearing) = (tilt, bearing)
        let tilted = try rect()
        #expect(tilted.width == flat.width && tilted.height == flat.height)
        let quad = try #require(mapView.inspection().overlays[0].icon?.quad)
        #expect(abs(tilted.x + tilted.width / 2 - (quad[0].x + quad[1].x) / 2) <= 0.5)
        #expect(abs(tilted.y + tilted.height - quad[0].y) <= 0.5)
    }

    @Test func theTitleIsBoldAndTheSnippetIsBeneathInSmallerType() throws {
        let london = london()
        london.snippet = "Population: 8,174,100"
        mapView.selectedMarker = london
        guard case .contents(.stack(let stack))? = mapView.infoWindow?.view, stack.contents.count == 2,
            case .label(let title) = stack.contents[0], case .label(let snippet) = stack.contents[1]
        else {
            Issue.record("the default window is not a stack of two labels")
            return
        }
        #expect(stack.axis == .vertical && title.text == "London" && title.fontWeight == .bold && title.textSize == 14)
        #expect(snippet.text == "Population: 8,174,100" && snippet.fontWeight == .regular && snippet.textSize == 12)
    }

    @Test func theContentsAreTitleAndSnippet() throws {
        let london = london()
        mapView.selectedMarker = london
        let titleAlone = try rect()
        mapView.selectedMarker = nil
        london.snippet = "Population: 8,174,100"
        mapView.selectedMarker = london
        let both = try rect()
        #expect(both.height > titleAlone.height + 12 && both.width > titleAlone.width)
        #expect(try mapView.frame().images.contains { $0.name == "info window stack of 2" })
    }

    @Test(arguments: [nil, "", "  \n"] as [String?]) func withoutTitleAndSnippetThereIsNoWindow(text: String?) throws {
        let london = london()
        (london.title, london.snippet) = (text, text)
        mapView.selectedMarker = london
        #expect(mapView.selectedMarker === london && mapView.infoWindow == nil)
        #expect(try mapView.inspection().infoWindow == nil)
    }

    @Test func oneWindowAtATimeIsShown() throws {
        let london = london()
        let other = Marker(position: LatLng(lat: 51.51, lng: -0.1))
        (other.id, other.title, other.map) = ("other", "Other", mapView)
        mapView.selectedMarker = london
        #expect(try window().id == "london")
        mapView.selectedMarker = other
        #expect(try window().id == "other")
        #expect(
            log.calls == [
                "markerInfoWindow london", "markerInfoContents london", "didCloseInfoWindowOf london", "markerInfoWindow other",
                "markerInfoContents other",
            ])
    }

    @Test func theSelectedMarkerSelectedAgainClosesAndReopens() {
        let london = london()
        mapView.selectedMarker = london
        log.calls = []
        mapView.selectedMarker = london
        #expect(log.calls == ["didCloseInfoWindowOf london", "markerInfoWindow london", "markerInfoContents london"])
        #expect(mapView.infoWindow?.marker === london)
    }

    /// The space in pt between the first line's ink and the left and right edges of the window's contents.
    private func spaceBesideTheTitle() throws -> (left: Int, right: Int) {
        let frame = try mapView.frame()
        let index = try #require(frame.images.firstIndex { $0.name.hasPrefix("info window") })
        let sprite = try #require(frame.sprites.first { Int($0.image) == index })
        let bitmap = frame.images[index].bitmap
        let box = try rect()
        let (left, top, width) = (Int(box.x - Double(sprite.x)), Int(box.y - Double(sprite.y)), Int(box.width))
        let inked = (left..<left + width).filter { x in
            (top + 8..<top + 8 + 17).contains { y in bitmap[x, y].red < 128 && bitmap[x, y].alpha == 255 }
        }
        return (try #require(inked.first) - left - 12, left + width - 12 - (try #require(inked.last) + 1))
    }

    @Test func titleAndSnippetAlignToTheStartOfTheirFirstStrongDirection() throws {
        let london = london()
        london.snippet = "A text that is longer than its title"
        // Digits and punctuation have no direction.
        for title in ["London", "12: London", "\u{200E}שלום", "123"] {
            london.title = title
            mapView.selectedMarker = london
            #expect(try spaceBesideTheTitle().left < 3 && spaceBesideTheTitle().right > 50, "\(title)")
        }
        for title in ["שלום", "12: שלום", "مرحبا", "(\u{2068}A\u{2069}) שלום", "שלום London"] {
            london.title = title
            mapView.selectedMarker = london
            #expect(try spaceBesideTheTitle().right < 3 && spaceBesideTheTitle().left > 50, "\(title)")
        }
        // Each text has its own direction: here, only the snippet is short.
        (london.title, london.snippet) = ("A title longer than the snippet beneath", "שלום")
        mapView.selectedMarker = london
        #expect(try spaceBesideTheTitle().left < 3)
    }

    @Test func textsWiderThanTheWindowWrap() throws {
        let london = london()
        london.snippet = "Population: 8,174,100, and more than that in the metropolitan area around it"
        mapView.selectedMarker = london
        let box = try rect()
        #expect(box.width <= 240 + 24 && box.width > 150)
        let title = try textSize("London", size: 14), line = try textSize("Population", size: 12)
        // Two lines of the snippet.
        #expect(abs(box.height - (title.height + 2 + 2 * line.height + 16 + 8)) < 3)
        // They are equally long, and the window is as wide as the longer one.
        let snippet = try textSize(try #require(london.snippet), size: 12).width
        #expect(box.width - 24 < snippet / 2 + 40)
    }

    @Test func veryLongTextsAreCut() throws {
        let london = london()
        london.title = nil
        london.snippet = String(repeating: "very long ", count: 2_000)
        mapView.selectedMarker = london
        let line = try textSize("very", size: 12)
        #expect(abs(try rect().height - (8 * line.height + 16 + 8)) < 3)
        london.snippet = String(repeating: "x", count: 3_000)
        mapView.selectedMarker = london
        #expect(abs(try rect().height - (8 * line.height + 16 + 8)) < 3)
        #expect(try rect().width <= 240 + 24)
    }

    @Test func selectedMarkerShowsAndHides() throws {
        let london = london()
        london.snippet = "Population: 8,174,100"
        // Show marker
        mapView.selectedMarker = london
        #expect(try window().isVisible)
        // Hide marker
        mapView.selectedMarker = nil
        #expect(try mapView.inspection().infoWindow == nil && mapView.selectedMarker == nil)
        #expect(log.calls.last == "didCloseInfoWindowOf london")
    }

    @Test func changesShowWhenTheWindowOpensAgain() throws {
        let london = london()
        #expect(!london.tracksInfoWindowChanges)
        mapView.selectedMarker = london
        let before = try rect()
        london.title = "London, the capital"
        #expect(try rect() == before)
        mapView.selectedMarker = nil
        mapView.selectedMarker = london
        #expect(try rect().width > before.width)
    }

    @Test func trackedChangesShowAtOnceAndOnlyWhileTracked() throws {
        let london = london()
        mapView.selectedMarker = london
        let before = try rect()
        london.tracksInfoWindowChanges = true
        london.title = "London, the capital"
        let tracked = try rect()
        #expect(tracked.width > before.width)
        london.tracksInfoWindowChanges = false
        london.title = "L"
        #expect(try rect() == tracked)
        london.tracksInfoWindowChanges = true
        london.title = nil
        #expect(try mapView.inspection().infoWindow == nil)
        #expect(log.calls.last == "didCloseInfoWindowOf london")
    }

    /// The recipe for several changes at once: set to true, and back to false.
    @Test func settingTracksInfoWindowChangesToFalseCapturesTheContentOnceMore() throws {
        let london = london()
        mapView.selectedMarker = london
        let before = try rect()
        london.title = "London, the capital"
        london.snippet = "Population: 8,174,100"
        #expect(try rect() == before)
        log.calls = []
        london.tracksInfoWindowChanges = true
        london.tracksInfoWindowChanges = false
        #expect(log.calls == ["markerInfoWindow london", "markerInfoContents london"])
        let captured = try rect()
        #expect(captured.width > before.width && captured.height > before.height)
        // Later changes do not show, and setting it to false again captures nothing.
        london.title = "L"
        london.tracksInfoWindowChanges = false
        #expect(try rect() == captured && log.calls.count == 2)
        // With the changes in between.
        london.tracksInfoWindowChanges = true
        (london.title, london.snippet) = ("London", nil)
        london.tracksInfoWindowChanges = false
        london.title = "L"
        #expect(try rect() == before)
        // Content that is gone closes the window.
        london.tracksInfoWindowChanges = true
        london.title = nil
        london.tracksInfoWindowChanges = false
        #expect(mapView.infoWindow == nil && log.calls.last == "didCloseInfoWindowOf london")
    }

    @Test func theDelegateIsAskedAtSelectionAndTheContentIsReadForTheFirstPictureThatShowsTheWindow() throws {
        let london = london()
        mapView.selectedMarker = london
        #expect(log.calls == ["markerInfoWindow london", "markerInfoContents london"])
        let narrow = try rect().width
        mapView.selectedMarker = london
        log.calls = []
        london.title = "London, the capital"
        // A picture that does not show the window.
        london.isHidden = true
        #expect(try window().reason == .hidden)
        london.isHidden = false
        london.title = "London, the capital of England"
        let wide = try rect().width
        #expect(wide > narrow + 100 && log.calls.isEmpty)
        london.title = "L"
        #expect(try rect().width == wide)
        // Without anything to show at first.
        mapView.selectedMarker = nil
        london.title = nil
        mapView.selectedMarker = london
        #expect(mapView.infoWindow == nil)
        london.title = "London"
        #expect(try rect().width == narrow)
        // The delegate's content comes first, however the marker changes.
        log.window = { _ in .label(Self.box(80, 30)) }
        mapView.selectedMarker = london
        log.window = { _ in .label(Self.box(10, 10)) }
        london.infoWindow = .label(Self.box(20, 20))
        #expect(try rect().width == 80)
    }

    /// Picking is not a picture: the content is still read afterwards.
    @Test func pickingShowsThePresentContentAndKeepsNone() throws {
        let london = london()
        mapView.selectedMarker = london
        func isHit(_ x: Double) throws -> Bool {
            let request = PickRequest(CGPoint(x: 200 + x, y: 145), tolerance: 0)
            return try Composer.of(mapView).hits(request, on: mapView).hits.contains { $0.part == .infoWindow }
        }
        #expect(try isHit(0) && !isHit(60))
        london.title = "London, the capital of England"
        #expect(try isHit(60))
        london.title = "London"
        #expect(try !isHit(60))
    }

    @Test func aWindowThatThePictureCutsOffCausesAWarning() throws {
        let london = london()
        mapView.selectedMarker = london
        func warnings(_ x: Double, _ y: Double) throws -> [String] {
            mapView.camera.center = LatLng(lat: 51.5, lng: -0.127)
            mapView.camera.center = try #require(mapView.geoCoordinates(from: CGPoint(x: 400 - x, y: 400 - y)))
            return try mapView.placement().diagnostics.map(\.description)
        }
        let warning = "london: infoWindow: the edge of the picture cuts off a part of the info window"
        #expect(try warnings(200, 200) == [])
        #expect(try warnings(10, 200) == [warning])
        #expect(try warnings(395, 200) == [warning])
        #expect(try warnings(200, 50) == [warning])
        // Its shadow may be cut off.
        let height = try rect().height
        #expect(try warnings(200, 36 + height) == [] && warnings(200, 35 + height) == [warning])
        // Far outside, it is not in the picture at all.
        #expect(try warnings(200, -100) == [] && warnings(-300, 200) == [])
        // In tiles, it continues.
        mapView.continuesBeyondEdges = true
        #expect(try warnings(10, 200) == [])
    }

    @Test func theWindowStandsAtTheMiddleOfTheTopByDefault() throws {
        let london = london()
        #expect(london.infoWindowAnchor == CGPoint(x: 0.5, y: 0))
        mapView.selectedMarker = london
        #expect(try window().anchor == .init(x: 200, y: 200 - 36))
    }

    @Test func infoWindowAnchorMovesTheWindow() throws {
        let london = london()
        london.infoWindowAnchor = CGPoint(x: 0.5, y: 0.5)
        london.icon = .solid(40, 40)
        mapView.selectedMarker = london
        #expect(try window().anchor == .init(x: 200, y: 180))
        let box = try rect()
        #expect(box.y + box.height == 180 && abs(box.x + box.width / 2 - 200) <= 0.5)
    }

    @Test func markerInfoWindowGivesTheWholeWindow() throws {
        let london = london()
        log.window = { _ in .label(Self.box(80, 30)) }
        mapView.selectedMarker = london
        #expect(log.calls == ["markerInfoWindow london"])
        // Without the frame, its bottom center on the point.
        #expect(try rect() == .init(x: 160, y: 134, width: 80, height: 30))
    }

    @Test func markerInfoContentsIsAskedWhenMarkerInfoWindowGivesNil() throws {
        let london = london()
        london.title = nil
        log.contents = { _ in .label(Self.box(80, 30)) }
        mapView.selectedMarker = london
        #expect(log.calls == ["markerInfoWindow london", "markerInfoContents london"])
        #expect(try rect() == .init(x: 200 - 52, y: 164 - 54, width: 104, height: 54))
    }

    @Test func didCloseIsToldOfTheMarkerWhoseWindowCloses() {
        let london = london()
        mapView.selectedMarker = london
        mapView.remove(london)
        #expect(log.calls.last == "didCloseInfoWindowOf london" && mapView.selectedMarker == nil && mapView.infoWindow == nil)
    }

    @Test func aCustomWindowHasTextsAndImages() throws {
        let london = london()
        var label = LabelContent(text: "Open until six")
        label.insets = EdgeInsets(top: 4, left: 4, bottom: 4, right: 4)
        let stack = StackContent([.image(.solid(30, 20)), .label(label)], axis: .horizontal)
        london.infoWindow = .stack(stack)
        mapView.selectedMarker = london
        let text = try textSize("Open until six")
        let box = try rect()
        #expect(abs(box.width - (30 + text.width + 8)) <= 1 && abs(box.height - max(20, text.height + 8)) <= 1)
    }

    /// A label of a size.
    private static func box(_ width: Double, _ height: Double) -> LabelContent {
        var label = LabelContent()
        (label.width, label.height, label.backgroundColor) = (width, height, .blue)
        return label
    }
}

/// Records the calls to a delegate.
final class CallLog: MapViewDelegate {
    var calls: [String] = []
    var window: (Marker) -> OverlayContent? = { _ in nil }
    var contents: (Marker) -> OverlayContent? = { _ in nil }
    var closed: (Marker) -> Void = { _ in }

    func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent? {
        calls.append("markerInfoWindow \(marker.id ?? "?")")
        return window(marker)
    }

    func mapView(_ mapView: MapView, markerInfoContents marker: Marker) -> OverlayContent? {
        calls.append("markerInfoContents \(marker.id ?? "?")")
        return contents(marker)
    }

    func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker) {
        calls.append("didCloseInfoWindowOf \(marker.id ?? "?")")
        closed(marker)
    }

    func mapView(_ mapView: MapView, didCloseInfoWindowAt coordinate: LatLng) {
        calls.append("didCloseInfoWindowAt \(coordinate.lat) \(coordinate.lng)")
    }
}
