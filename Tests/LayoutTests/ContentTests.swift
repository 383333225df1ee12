import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Contents: sizes, own drawings, and that equal ones are drawn once.
@Suite struct ContentTests {
    let mapView = MapView(city: 400, 400)
    private var here: LatLng { LatLng(lat: 37.5670135, lng: 126.9783740) }

    /// A square of one color.
    private struct Square: ContentDrawing {
        var side: Double
        var color: Color
        var scale = 1.0
        var problem: String?

        struct Failure: Error, CustomStringConvertible { let description: String }

        var width: Double { side }
        var height: Double { side }

        func bitmap(pixelRatio: Double) throws -> Bitmap {
            if let problem { throw Failure(description: problem) }
            let pixels = Int(side * pixelRatio * scale)
            return Bitmap(width: pixels, height: pixels, fill: color)
        }
    }

    private func add(_ content: OverlayContent, _ change: (ViewOverlay) -> Void = { _ in }) {
        let overlay = ViewOverlay(content: content, coordinates: here)
        change(overlay)
        mapView.add(overlay)
    }

    private func rects() throws -> [Inspection.Rect?] { try mapView.inspection().viewOverlays.map(\.rect) }

    @Test func theSnippetOfAMapOverlay() throws {
        // NMAMapOverlay's example, call by call.
        let coords = try #require(mapView.geoCoordinates(from: CGPoint(x: 150, y: 120)))
        var label = LabelContent()
        label.textColor = .red
        label.text = "overlay"
        label.textAlignment = .center
        label.backgroundColor = .white
        label.borderWidth = 2
        label.borderColor = .red
        (label.width, label.height) = (70, 30)
        let overlay = ViewOverlay(content: .label(label), coordinates: coords)
        mapView.add(overlay)
        #expect(try rects() == [.init(x: 115, y: 105, width: 70, height: 30)])
        let frame = try mapView.frame()
        let image = try #require(frame.images.first).bitmap
        #expect(image.width == 70 && image.height == 30)
        #expect(image[0, 0] == Color.red.premultipliedBytes && image[1, 15] == Color.red.premultipliedBytes)
        #expect(image[3, 3] == Color.white.premultipliedBytes && image[68, 15] == Color.red.premultipliedBytes)
        // The text is centered: as many white columns at the left as at the right, within a pixel.
        func isInked(_ x: Int) -> Bool { (4..<26).contains { image[x, $0] != Color.white.premultipliedBytes } }
        let inked = (4..<66).filter(isInked)
        let (first, last) = (try #require(inked.first), try #require(inked.last))
        #expect(abs((first - 2) - (67 - last)) <= 1 && last - first > 30)
    }

    /// Shows only this content.
    private func show(_ content: OverlayContent) {
        for overlay in mapView.viewOverlays { mapView.remove(overlay) }
        add(content)
    }

    /// The columns of an image that are not white, in a range of rows.
    private func inkedColumns(_ bitmap: Bitmap, _ rows: Range<Int>) -> [Int] {
        (0..<bitmap.width).filter { x in rows.contains { bitmap[x, $0] != Color.white.premultipliedBytes } }
    }

    @Test func naturalAlignmentFollowsTheText() throws {
        // Lines of unequal length: the second one shows the alignment.
        let cases: [(text: String, alignment: LabelContent.Alignment, isRight: Bool)] = [
            ("long line\na", .natural, false), ("שורה ארוכה\nא", .natural, true), ("שורה ארוכה\nא", .left, false),
            ("long line\na", .right, true), ("שורה ארוכה\na", .natural, true),
        ]
        for (text, alignment, isRight) in cases {
            var label = LabelContent(text: text)
            #expect(label.textAlignment == .natural)
            (label.textAlignment, label.backgroundColor, label.width) = (alignment, .white, 120)
            show(.label(label))
            let bitmap = try #require(mapView.frame().images.first).bitmap
            let columns = inkedColumns(bitmap, bitmap.height / 2 + 2..<bitmap.height)
            #expect(isRight ? try #require(columns.first) > 100 : try #require(columns.last) < 20, "\(text) \(alignment)")
        }
    }

    @Test func aColumnStartsAtTheRightForTextFromRightToLeft() throws {
        var wide = LabelContent(text: "")
        (wide.width, wide.height) = (120, 10)
        func column(_ alignment: LabelContent.Alignment, _ axis: StackContent.Axis = .vertical) throws -> [Int] {
            var label = LabelContent(text: "שלום")
            label.textAlignment = alignment
            var stack = StackContent([.label(wide), .label(label)], axis: axis)
            (stack.backgroundColor, stack.width, stack.height) = (.white, 160, 40)
            show(.stack(stack))
            let bitmap = try #require(mapView.frame().images.first).bitmap
            return inkedColumns(bitmap, 0..<bitmap.height)
        }
        #expect(try #require(column(.natural).first) > 120)
        #expect(try #require(column(.left).last) < 40)
        // In a row, the order of the pieces decides. The label's width is rounded up to whole pt.
        #expect(abs(try #require(column(.natural, .horizontal).first) - #require(column(.left, .horizontal).first)) <= 1)
    }

    @Test func labelsAreBalancedUnlessTheyAreCut() throws {
        let line = max(try textSize("Frankfurt").width, try textSize("am Main").width)
        let wide = try textSize("Frankfurt am").width
        var label = LabelContent(text: "Frankfurt am Main")
        label.maxWidth = wide.rounded(.up)
        add(.label(label))
        #expect(try rects()[0]?.width == line.rounded(.up))
        // A text that is cut shows as much as possible in each line.
        (label.text, label.maxLines) = ("Frankfurt am Main Frankfurt am Main", 2)
        mapView.viewOverlays[0].content = .label(label)
        #expect(try rects()[0]?.width == wide.rounded(.up))
    }

    @Test func offsetsAreInPointsRightAndDown() throws {
        mapView.pixelRatio = 2
        add(.drawing(Square(side: 10, color: .blue))) { $0.offset = CGPoint(x: 30, y: -12.5) }
        #expect(try rects() == [.init(x: 225, y: 182.5, width: 10, height: 10)])
    }

    @Test func equalContentsAreDrawnOnce() throws {
        for index in 0..<50 { add(.label("equal")) { $0.offset = CGPoint(x: Double(index), y: 0) } }
        let first = try mapView.frame()
        #expect(first.images.count == 1 && first.sprites.count == 50)
        for _ in 0..<5 {
            mapView.camera.bearing += 10
            _ = try mapView.frame().images.map(\.bitmap)
        }
        #expect(Composer.of(mapView).statistics.measuredContents == 1 && Composer.of(mapView).statistics.drawnContents == 1)
    }

    /// Contents are measured when they are read, and drawn when a frame shows them.
    @Test func whatIsNotSeenIsNotDrawn() throws {
        mapView.pixelRatio = 8
        var label = LabelContent(text: "far")
        (label.width, label.height) = (1000, 1000)
        for index in 0..<6 {
            label.backgroundColor = Color(red: Double(index) / 6, green: 0, blue: 0)
            let content = OverlayContent.label(label)
            add(content) { $0.coordinates = LatLng(lat: here.lat, lng: here.lng + 2) }
            let marker = Marker(position: LatLng(lat: here.lat, lng: here.lng - 2))
            marker.iconView = content
            mapView.add(marker)
        }
        add(.label("near"))
        var statistics: LayoutStatistics { Composer.of(mapView).statistics }
        #expect(try mapView.frame().images.map(\.name) == ["label “near”"])
        #expect(try mapView.inspection().viewOverlays[0].rect?.width == 1000)
        #expect(statistics.measuredContents == 7 && statistics.drawnContents == 0)
        _ = try mapView.frame().images.map(\.bitmap)
        #expect(statistics.drawnContents == 1)
        #expect(Composer.of(mapView).keptBytes < 1 << 20)
    }

    /// Evicted data are freed immediately, not when the map is placed again.
    @Test func evictedContentsAreFreedAtOnce() throws {
        final class Object: Sendable {}
        struct Holder: ContentDrawing {
            let object: Object
            var width: Double { 10 }
            var height: Double { 10 }

            func bitmap(pixelRatio: Double) throws -> Bitmap { Bitmap(width: 10, height: 10, fill: .red) }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
            static func == (a: Holder, b: Holder) -> Bool { a.object === b.object }
        }
        weak var held: Object?
        func show() throws {
            let object = Object()
            held = object
            add(.drawing(Holder(object: object)))
            _ = try mapView.frame()
            mapView.remove(mapView.viewOverlays[0])
            _ = try mapView.frame()
        }
        try show()
        #expect(held != nil)
        Composer.of(mapView).keep(atMost: 0)
        #expect(held == nil)
    }

    /// An image drawn at its own size is drawn with its own pixels.
    @Test func anImageAloneHasNoPixelsOfItsOwn() throws {
        let bitmap = Bitmap(width: 30, height: 20, fill: .red)
        add(.image(OverlayImage(bitmap: bitmap)))
        #expect(try mapView.frame().images.map(\.bitmap) == [bitmap])
        #expect(Composer.of(mapView).statistics.drawnContents == 0)
        mapView.viewOverlays[0].content = .image(OverlayImage(bitmap: bitmap), width: 60)
        #expect(try mapView.frame().images[0].bitmap == bitmap.scaled(toWidth: 60, height: 20))
    }

    @Test func iconsWindowsAndViewOverlaysShareOneDrawing() throws {
        let content = OverlayContent.label("shared")
        add(content)
        let marker = Marker(position: here)
        (marker.iconView, marker.infoWindow) = (content, content)
        mapView.add(marker)
        _ = try mapView.frame().images.map(\.bitmap)
        #expect(Composer.of(mapView).statistics.drawnContents == 1)
    }

    @Test func aChangeShowsInTheNextFrame() throws {
        add(.drawing(Square(side: 10, color: .blue)))
        _ = try mapView.frame()
        let overlay = mapView.viewOverlays[0]
        overlay.content = .drawing(Square(side: 20, color: .red))
        #expect(try rects() == [.init(x: 190, y: 190, width: 20, height: 20)])
        overlay.isHidden = true
        #expect(try mapView.frame().sprites.isEmpty)
        mapView.remove(overlay)
        #expect(try mapView.inspection().viewOverlays.isEmpty && overlay.mapView == nil)
    }

    @Test func aDrawingOfAnotherSizeIsScaled() throws {
        add(.drawing(Square(side: 10, color: .blue, scale: 3)))
        let image = try #require(mapView.frame().images.first).bitmap
        #expect(image.width == 10 && image.height == 10 && image[5, 5] == Color.blue.premultipliedBytes)
    }

    @Test func aDrawingThatFailsIsADiagnostic() throws {
        add(.drawing(Square(side: 10, color: .blue, problem: "out of ink"))) { $0.id = "square" }
        add(.drawing(Square(side: 10_000, color: .blue)))
        #expect(
            try mapView.placement().diagnostics.map(\.description) == [
                "square: content: the drawing failed: out of ink; the overlay is not drawn",
                "viewOverlay-1: content: the content is 10000 × 10000 pt, but at most 1000 × 1000 are allowed; the overlay is not drawn",
            ])
    }

    @Test func anIconViewThatFailsLeavesTheDefaultIcon() throws {
        let marker = Marker(position: here)
        marker.iconView = .drawing(Square(side: 10, color: .blue, problem: "out of ink"))
        mapView.add(marker)
        let placement = try mapView.placement()
        #expect(
            placement.diagnostics.map(\.description) == [
                "marker-0: iconView: the drawing failed: out of ink; the default icon is drawn in its place"
            ])
        #expect(placement.frame.images.map(\.name) == ["builtin:green"])
    }

    @Test func stacksAlignAndSpaceTheirContents() throws {
        let small = OverlayContent.drawing(Square(side: 10, color: .red))
        let large = OverlayContent.drawing(Square(side: 20, color: .blue))
        var stack = StackContent([small, large], axis: .horizontal, spacing: 5)
        stack.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        stack.alignment = .end
        add(.stack(stack))
        #expect(try rects()[0]?.width == 41 && rects()[0]?.height == 24)
        let image = try #require(mapView.frame().images.first).bitmap
        let (red, blue) = (Color.red.premultipliedBytes, Color.blue.premultipliedBytes)
        #expect(image[2, 11] == red && image[11, 20] == red && image[2, 10].alpha == 0 && image[12, 20].alpha == 0)
        #expect(image[17, 1] == blue && image[36, 20] == blue && image[37, 20].alpha == 0)
    }

    /// A badge on a photo.
    @Test(arguments: [(StackContent.Alignment.start, 2, 1), (.center, 7, 6), (.end, 12, 11)])
    func aStackAlongDepthLaysItsContentsOverOneAnother(alignment: StackContent.Alignment, x: Int, y: Int) throws {
        let photo = OverlayContent.drawing(Square(side: 20, color: .blue))
        let badge = OverlayContent.drawing(Square(side: 10, color: .red))
        var stack = StackContent([photo, badge], axis: .depth, spacing: 5)
        stack.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        stack.alignment = alignment
        add(.stack(stack))
        #expect(try rects()[0]?.width == 26 && rects()[0]?.height == 24)
        let image = try #require(mapView.frame().images.first).bitmap
        for row in 0..<24 {
            for column in 0..<26 {
                let isBadge = (x..<x + 10).contains(column) && (y..<y + 10).contains(row)
                let isPhoto = (2..<22).contains(column) && (1..<21).contains(row)
                let expected = isBadge ? Color.red : isPhoto ? .blue : .clear
                #expect(image[column, row] == expected.premultipliedBytes, "\(column), \(row)")
            }
        }
    }

    /// A piece is put anywhere by the insets of a stack around it.
    @Test func insetsMoveAPieceOfAStackAlongDepth() throws {
        let badge = OverlayContent.drawing(Square(side: 4, color: .red))
        var corner = StackContent([badge])
        corner.insets = EdgeInsets(top: 3, left: 15, bottom: 0, right: 0)
        add(.stack(StackContent([.drawing(Square(side: 20, color: .blue)), .stack(corner)], axis: .depth)))
        let image = try #require(mapView.frame().images.first).bitmap
        #expect(image.width == 20 && image[15, 3] == Color.red.premultipliedBytes && image[18, 6] == Color.red.premultipliedBytes)
        #expect(image[14, 3] == Color.blue.premultipliedBytes && image[19, 6] == Color.blue.premultipliedBytes)
    }

    @Test func frozenIconViewsStayUntilTheyAreTracked() throws {
        let marker = Marker(position: here)
        marker.iconView = .drawing(Square(side: 10, color: .blue))
        mapView.add(marker)
        marker.tracksViewChanges = false
        marker.iconView = .drawing(Square(side: 30, color: .blue))
        #expect(try mapView.frame().images[0].bitmap.width == 10)
        marker.tracksViewChanges = true
        #expect(try mapView.frame().images[0].bitmap.width == 30)
        marker.iconView = nil
        #expect(try mapView.frame().images.map(\.name) == ["builtin:green"])
    }

    @Test func viewOverlaysAreFittedWithTheirWholeContent() throws {
        mapView.camera = Camera()
        add(.drawing(Square(side: 100, color: .blue)))
        let east = ViewOverlay(content: .drawing(Square(side: 20, color: .red)), coordinates: LatLng(lat: 37.5670135, lng: 127.2))
        mapView.add(east)
        let known = try Composer.of(mapView).extent(of: mapView, pixelRatio: 1)
        let extent = try #require(known)
        let viewport = try Viewport(
            camera: Camera(center: here, zoom: 8), size: PointSize(width: 400, height: 400), pixelRatio: 1)
        let box = try #require(extent.box(in: viewport, centerX: viewport.centerX))
        #expect(abs(box.left - 149.5) < 0.1 && abs(box.top - 149.5) < 0.1 && abs(box.bottom - 250.5) < 0.1)
        east.isFitted = false
        mapView.viewOverlays[0].isFitted = false
        #expect(try Composer.of(mapView).extent(of: mapView, pixelRatio: 1) == nil)
    }

    @Test func viewOverlaysWithAnIdInUseAreRefused() throws {
        add(.label("a")) { $0.id = "here" }
        #expect(
            !mapView.add(
                {
                    let other = ViewOverlay(content: .label("b"), coordinates: here); other.id = "here"; return other
                }()))
        #expect(mapView.viewOverlays.count == 1)
    }
}
