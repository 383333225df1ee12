import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Elements at the edges of the picture: their places, their order, and those for which there is no room.
@Suite struct ElementPlacementTests {
    /// An element of a fixed size: an image without a panel.
    private func box(_ width: Double, _ height: Double, _ place: ElementPlace, margin: Double = 10) -> MapElement {
        var element = ImageElement(.solid(4, 4))
        (element.width, element.height, element.place) = (width, height, place)
        element.margins = EdgeInsets(top: margin, left: margin, bottom: margin, right: margin)
        return .image(element)
    }

    private func rects(_ mapView: MapView) throws -> [Inspection.Rect?] { try mapView.inspection().elements.map(\.rect) }

    @Test func eachPlaceIsAtItsEdgeInsideTheContentInset() throws {
        let mapView = MapView(city: 300, 200)
        mapView.camera.contentInset = EdgeInsets(top: 20, left: 30, bottom: 40, right: 50)
        let expected: [(ElementPlace, Double, Double)] = [
            (.topLeft, 40, 30), (.top, 120, 30), (.topRight, 200, 30), (.left, 40, 80), (.right, 200, 80), (.bottomLeft, 40, 130),
            (.bottom, 120, 130), (.bottomRight, 200, 130),
        ]
        for (place, x, y) in expected {
            mapView.elements = [box(40, 20, place)]
            let rect = try #require(rects(mapView)[0])
            #expect(rect == Inspection.Rect(x: x, y: y, width: 40, height: 20), "\(place)")
        }
    }

    @Test func theFirstElementOfAPlaceIsNextToTheEdge() throws {
        let mapView = MapView(city: 300, 200)
        mapView.elements = [box(40, 20, .topLeft), box(30, 10, .topLeft, margin: 4), box(40, 20, .bottomRight), box(30, 10, .bottomRight)]
        let rects = try rects(mapView)
        #expect(rects.map { $0?.y } == [10, 40, 170, 150])
        #expect(rects.map { $0?.x } == [10, 4, 250, 260])
        mapView.elements = [box(40, 20, .left), box(40, 30, .left)]
        // Both together are centered: 20, a space of 10, and 30.
        #expect(try self.rects(mapView).map { $0?.y } == [70, 100])
    }

    @Test func anElementOfAnotherPlaceMovesInward() throws {
        let mapView = MapView(city: 300, 200)
        mapView.elements = [box(200, 20, .top), box(60, 30, .topLeft), box(40, 30, .topRight)]
        #expect(try rects(mapView).map { $0?.y } == [10, 40, 40])
        mapView.elements = [box(100, 20, .top), box(60, 30, .topLeft), box(40, 30, .topRight)]
        #expect(try rects(mapView).map { $0?.y } == [10, 10, 10])
    }

    @Test func anElementWithoutRoomIsLeftOutWithAWarning() throws {
        let mapView = MapView(city: 120, 100)
        mapView.elements = [box(101, 20, .top), box(100, 20, .top), box(40, 60, .bottomLeft), box(20, 20, .top)]
        let inspection = try mapView.inspection()
        #expect(inspection.elements.map(\.isVisible) == [false, true, false, true])
        #expect(inspection.elements.map(\.reason) == [.noRoom, nil, .noRoom, nil])
        #expect(
            inspection.diagnostics.map(\.description) == [
                "elements[0]: the image measures 101 × 20 pt, but only 100 × 80 pt are free; it is not drawn",
                "elements[2]: there is no room for the image at bottomLeft; it is not drawn",
            ])
    }

    /// A title of several lines leaves less room for the list, which then has more columns.
    @Test func aLegendWithALongTitleIsDrawn() throws {
        let scale = Scale(by: "k", categories: (0..<40).map { .init("cat \($0)", Color.red) })
        var element = LegendElement()
        element.legend.title = "A title of a legend that is so long that it has to wrap to a second line and perhaps to a third one"
        let mapView = MapView(city: 900, 300)
        mapView.scales = [
            MapScale(overlay: "a", template: "polygon", property: "fillColor", given: .colors(scale), resolved: .colors(scale))
        ]
        mapView.elements = [.legend(element)]
        for height in stride(from: 180.0, through: 405, by: 15) {
            mapView.size = CGSize(width: 900, height: height)
            let inspection = try mapView.inspection()
            #expect(inspection.elements[0].isVisible, "\(height) pt: \(inspection.diagnostics)")
        }
    }

    /// An element at the lower right is above the credits, and the credits stay in the corner.
    @Test(arguments: [1.0, 2]) func elementsStandAboveTheCredits(ratio: Double) throws {
        let mapView = MapView(city: 400, 200, pixelRatio: ratio)
        mapView.baseMap = [BaseMapLayer(source: HandmadeTiles([:], layers: ["water", "transportation"], attribution: "© Somebody"))]
        mapView.elements = [box(40, 20, .bottomRight), box(380, 20, .bottom), box(40, 20, .bottomLeft)]
        let credits = try #require(mapView.frame().images.first { $0.name.contains("Somebody") })
        let height = Double(credits.height) / ratio
        let rects = try rects(mapView).map { try #require($0) }
        #expect(rects[0].x == 350 && rects[0].y + rects[0].height == 200 - height - 10)
        // The wide one is above both, and the last one beside the credits.
        #expect(rects[1].y + 20 == rects[0].y - 10 && rects[2].y == 170)
        let sprite = try #require(mapView.frame().sprites.first { Int($0.acrossX) == credits.width })
        #expect(Double(sprite.x + sprite.acrossX) == 400 * ratio && Double(sprite.y + sprite.downY) == 200 * ratio)
        mapView.showsAttribution = false
        #expect(try self.rects(mapView)[0]?.y == 170)
    }

    @Test func tilesShowNoElements() throws {
        let mapView = MapView(city: 256, 256)
        mapView.elements = [box(40, 20, .top)]
        mapView.continuesBeyondEdges = true
        let inspection = try mapView.inspection()
        #expect(inspection.elements.isEmpty)
        #expect(
            inspection.diagnostics.map(\.description) == [
                "elements: elements are not drawn on map tiles, because tiles must join without seams"
            ])
        mapView.elements = []
        #expect(try mapView.inspection().diagnostics.isEmpty)
    }

    /// Every type of element that is larger than the picture is left out, with its size and the free space.
    @Test func elementsLargerThanThePicture() throws {
        let mapView = MapView(city: 60, 40)
        var bar = ScaleBarElement()
        bar.maxWidth = 300
        var arrow = NorthArrowElement()
        arrow.size = 90
        let inset = InsetElement(MapView(size: CGSize(width: 100, height: 80)))
        mapView.elements = [
            .title(TitleElement("A title that is far too long")), .scaleBar(bar), .northArrow(arrow), box(61, 41, .top),
            .text(TextElement(.label("A long text", size: 40))), .inset(inset),
        ]
        let inspection = try mapView.inspection()
        #expect(inspection.elements.allSatisfy { $0.reason == .noRoom && $0.rect == nil })
        let messages = inspection.diagnostics.map(\.description)
        #expect(messages.count == 6)
        #expect(
            messages.allSatisfy { $0.contains(" pt, but only 40 × 20 pt are free; it is not drawn") && $0.hasPrefix("elements[") },
            "\(messages)")
        #expect(messages[3] == "elements[3]: the image measures 61 × 41 pt, but only 40 × 20 pt are free; it is not drawn")
    }

    @Test func aHiddenElementTakesNoRoom() throws {
        let mapView = MapView(city: 300, 200)
        var hidden = ImageElement(.solid(4, 4))
        (hidden.place, hidden.isVisible) = (.top, false)
        mapView.elements = [.image(hidden), box(40, 20, .top)]
        let elements = try mapView.inspection().elements
        #expect(elements[0].reason == .hidden && elements[0].rect == nil && elements[1].rect?.y == 10)
    }

    @Test func invalidValuesAreNamed() throws {
        let mapView = MapView(city: 300, 200)
        var margins = TitleElement("A")
        margins.margins.left = -1
        var opacity = ImageElement(.solid(4, 4))
        opacity.opacity = 2
        mapView.elements = [
            .title(margins), .image(opacity), .title(TitleElement("")), .image(ImageElement(OverlayImage(path: "/nowhere.png"))),
        ]
        let inspection = try mapView.inspection()
        #expect(inspection.elements.map(\.reason) == [.invalid, .invalid, nil, .empty])
        let messages = inspection.diagnostics.map(\.description)
        #expect(messages[0] == "elements[0].margins.left: -1 is outside 0…1000; the element is not drawn")
        #expect(messages[1] == "elements[1].opacity: 2 is outside 0…1; the element is not drawn")
        #expect(messages[2].hasPrefix("elements[3].image: ") && messages[2].hasSuffix("; the element is not drawn"))
    }

    /// Random elements never overlap each other or the credits, keep their margins, and stay inside the content inset.
    @Test(arguments: Seeds.all) func elementsNeverOverlap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ratio = [1, 1.5, 2][Int(seed % 3)]
        let mapView = MapView(city: .random(in: 60...500, using: &random), .random(in: 60...400, using: &random), pixelRatio: ratio)
        mapView.camera.contentInset = EdgeInsets(
            top: .random(in: 0...12, using: &random), left: .random(in: 0...12, using: &random),
            bottom: .random(in: 0...12, using: &random),
            right: .random(in: 0...12, using: &random))
        var margins: [Double] = []
        mapView.elements = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            margins.append(Double(Int.random(in: 0...12, using: &random)))
            return box(
                .random(in: 1...160, using: &random), .random(in: 1...90, using: &random),
                ElementPlace.allCases.randomElement(using: &random)!,
                margin: margins[margins.count - 1])
        }
        let inspection = try mapView.inspection()
        let inset = mapView.camera.contentInset
        let slack = 1 / ratio
        var shown: [(rect: Inspection.Rect, margin: Double)] = []
        for (index, element) in inspection.elements.enumerated() {
            guard let rect = element.rect else {
                #expect(element.reason == .noRoom)
                continue
            }
            let margin = margins[index]
            #expect(rect.x >= inset.left + margin - slack && rect.y >= inset.top + margin - slack)
            #expect(rect.x + rect.width <= mapView.size.width - inset.right - margin + slack)
            #expect(rect.y + rect.height <= mapView.size.height - inset.bottom - margin + slack)
            for (other, theirs) in shown {
                let gap = max(margin, theirs) - slack
                let across = max(rect.x, other.x) - min(rect.x + rect.width, other.x + other.width)
                let down = max(rect.y, other.y) - min(rect.y + rect.height, other.y + other.height)
                #expect(max(across, down) >= gap)
            }
            shown.append((rect, margin))
        }
        #expect(inspection.diagnostics.count == inspection.elements.count { $0.rect == nil })
        // The same again.
        #expect(try mapView.inspection() == inspection)
    }

    /// Two legends that scales ask for have different paths in messages.
    @Test func theLegendOfAScaleIsNamedByIt() throws {
        let colors = Scale(by: "v", steps: [1], [Color.red, .black])
        let mapView = MapView(city: 30, 20)
        mapView.elements = [.title(TitleElement("A long title"))]
        mapView.scales = ["polyline", "polygon"].map { template in
            var scale = MapScale(
                overlay: "geojson-0", template: template, property: "outlineColor", given: .colors(colors), resolved: .colors(colors))
            scale.legend = LegendElement(Legend(of: scale))
            return scale
        }
        let paths = ["elements[0]", "geojson-0.polyline.outlineColor.legend", "geojson-0.polygon.outlineColor.legend"]
        #expect(try mapView.inspection().diagnostics.map(\.path) == paths)
    }

    /// Elements that are drawn again are those of a new map, whatever was drawn before.
    @Test func whatChangesIsDrawnAgain() throws {
        func scale(_ color: Color) -> MapScale {
            let colors = Scale(by: "v", steps: [1], [color, .black])
            return MapScale(overlay: "a", template: "polygon", property: "fillColor", given: .colors(colors), resolved: .colors(colors))
        }
        let changes: [(MapView) -> Void] = [
            { $0.elements = [.title(TitleElement("A long title")), box(40, 20, .topLeft), .text(TextElement(.label("T")))] },
            { $0.camera.bearing = 20 }, { $0.theme = .dark }, { $0.elements[0] = .title(TitleElement("B, a long title")) },
            { $0.size = CGSize(width: 90, height: 200) }, { $0.pixelRatio = 2 }, { $0.scales = [scale(.red)] },
            { $0.elements.append(.legend(LegendElement())) }, { $0.scales = [scale(.blue)] }, { $0.elements.remove(at: 1) },
            { $0.theme = nil }, { $0.language = "ja" }, { $0.scales = [] }, { $0.scales = [scale(.blue)] },
            { $0.elements = $0.elements.reversed() }, { $0.elements = [] },
        ]
        let used = MapView(city: 300, 200)
        for count in changes.indices {
            changes[count](used)
            let new = MapView(city: 300, 200)
            for change in changes[...count] { change(new) }
            #expect(try used.inspection() == new.inspection(), "change \(count)")
            #expect(try used.frame().images.map(\.bitmap) == new.frame().images.map(\.bitmap), "change \(count)")
        }
    }

    @Test func captionsAvoidElements() throws {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 30, 30) {
            $0.captionText = "A caption"
            $0.captionAligns = [.right, .bottom]
        }
        try mapView.put("b", 100, 15) {
            $0.captionText = "B"
            $0.captionAligns = [.center]
        }
        mapView.elements = [box(120, 30, .topRight)]
        #expect(try mapView.fates() == ["a": "icon right", "b": "icon center"])
        mapView.captionsAvoidElements = true
        #expect(try mapView.fates() == ["a": "icon bottom", "b": "icon -"])
        #expect(try mapView.entry("b").caption?.isCutByEdge == true)
        mapView.elements = []
        #expect(try mapView.fates() == ["a": "icon right", "b": "icon center"])
    }
}
