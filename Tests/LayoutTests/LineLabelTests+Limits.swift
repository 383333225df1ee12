import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

// Where letters and images are.
extension LineLabelTests {
    /// The points of a circle of 110 pt around a point below the view's center.
    private var arc: [(x: Double, y: Double)] {
        stride(from: 150.0, through: 30, by: -4).map { (degrees: Double) -> (x: Double, y: Double) in
            let angle = degrees * .pi / 180
            return (110 * cos(angle), 110 * sin(angle) - 60)
        }
    }

    /// The middle of every letter lies on the projected line, and at tilt 0 the letters have the distances that they have in a straight text.
    @Test(arguments: [0.0, 60], [false, true]) func lettersLieOnTheLine(tilt: Double, isPerspective: Bool) throws {
        let design = camera(tilt: tilt)
        let line = line(arc) {
            ($0.width, $0.lineText, $0.lineTextSize, $0.lineTextHaloWidth) = (0, "oooooooo", 10, 0)
            $0.isPerspectiveEnabled = isPerspective
        }
        let frame = try map(design, line).frame()
        let path = try #require(frame.paths.last)
        // Every letter has an outer and an inner contour with the same middle.
        #expect(frame.paths.count == 1 && path.contours.count == 16)
        let middles = path.contours.map { contour in
            let points = frame.points(ofContour: contour).map { (x: Double($0.x), y: Double($0.y)) }
            let (xs, ys) = (points.map(\.x), points.map(\.y))
            return Inspection.Point(x: (xs.min()! + xs.max()!) / 2, y: (ys.min()! + ys.max()!) / 2)
        }
        let places = middles.map { nearest($0, line, design) }
        #expect(places.allSatisfy { $0.off < 1.2 }, "\(places)")
        guard tilt == 0 else { return }
        let (width, _) = try textSize("oooooooo", size: 10)
        let alongs = Set(places.map { ($0.along * 2).rounded() / 2 }).sorted()
        for (a, b) in zip(alongs, alongs.dropFirst()) where b - a > 1 { #expect(abs(b - a - width / 8) < 1, "\(alongs)") }
        #expect(abs(alongs.last! - alongs.first! - width * 7 / 8) < 1)
    }

    /// The middle of the sprite of every image lies on the projected line.
    @Test(arguments: [0.0, 60], [false, true]) func imagesLieOnTheLine(tilt: Double, isPerspective: Bool) throws {
        let design = camera(tilt: tilt)
        let line = line(arc) {
            ($0.lineImage, $0.lineImageSize, $0.lineImageSpacing, $0.isPerspectiveEnabled) = (.solid(8, 8), 12, 25, isPerspective)
        }
        let sprites = try map(design, line).frame().sprites
        #expect(sprites.count >= 7)
        for sprite in sprites {
            let x = Double(sprite.x) + Double(sprite.acrossX + sprite.downX) / 2
            let y = Double(sprite.y) + Double(sprite.acrossY + sprite.downY) / 2
            let seen = isPerspective ? design.project(x, y, height: 0) : (x: x, y: y, depth: 1)
            #expect(nearest(.init(x: seen.x, y: seen.y), line, design).off < 0.1)
        }
    }

    /// The places on a line through the air with a vertical segment are on the line.
    @Test func verticalSegmentsAreFollowed() throws {
        let design = camera(tilt: 60)
        let height = 40 / design.pointsPerMeter(lat: 0)
        let line = line([(-100, 0), (0, 0), (0, 0), (100, 0)]) {
            ($0.lineImage, $0.lineImageSpacing, $0.lineText, $0.lineTextMaxAngle) = (.solid(4, 4), 15, "Up", 180)
            $0.points[2].altitude = height
            $0.points[3].altitude = height
        }
        let entry = try entry(map(design, line))
        let places = try #require(entry.lineImage).places + #require(entry.lineText).places
        #expect(places.count >= 13)
        for place in places { #expect(nearest(place.anchor, line, design).off < 0.1, "\(place)") }
    }

    /// The area that is picked and kept free covers all letters of tall and low scripts.
    @Test(arguments: ["Hg", "ที่ปู่", "नि्ट्रू", "Ấy", "---"]) func areasCoverTheInk(text: String) throws {
        let line = line([(-150, 0), (150, 0)]) {
            ($0.width, $0.lineText, $0.lineTextSize, $0.lineTextHaloWidth) = (0, text, 30, 0)
        }
        let map = map(camera(), line)
        let (placement, frame) = (try map.placement(), try map.frame())
        let area = try #require(placement.areas(lineTolerance: 0).first { $0.hit.part == .caption })
        let corners = area.polygons.flatMap { $0 }
        let path = try #require(frame.paths.last)
        let ys = path.contours.flatMap { frame.points(ofContour: $0).map { Double($0.y) } }
        #expect(ys.min()! > corners.map(\.y).min()! - 0.5 && ys.max()! < corners.map(\.y).max()! + 0.5)
    }

    /// The larger of two paddings is kept free, also that of the upper line.
    @Test func theLargerPaddingIsKept() throws {
        let (a, b) = (line([(-150, 0), (150, 0)]), line([(0, -120), (0, 120)]))
        (a.id, b.id, a.lineText, a.zIndex) = ("a", "b", "East", 1)
        (b.lineImage, b.lineImageSize, b.lineImageSpacing) = (.solid(4, 4), 4, 30)
        let map = map(camera(), a, b)
        func hidden(_ upper: Double, _ lower: Double) throws -> [Double] {
            (a.lineTextPadding, b.lineTextPadding) = (upper, lower)
            return try image(map, "b").places.filter { $0.hiddenBy == "a" }.map { ($0.anchor.y - 150).rounded() }.sorted()
        }
        #expect(try hidden(0, 0) == [])
        #expect(try hidden(20, 0) == [-15, 15])
        #expect(try hidden(0, 20) == [-15, 15])
        #expect(try hidden(20, 20) == [-15, 15])
        #expect(try hidden(50, 0) == [-45, -15, 15, 45])
    }

    /// Where the nearest places are taken, and the next one is outside of the picture, the search goes on inside.
    @Test func theSearchGoesOnBesideTheEdge() throws {
        // The middle of the text would be at the left edge; the places that are tried are 50 pt apart.
        let line = line([(-400, 0), (0, 0)]) { ($0.lineText, $0.lineTextSpacing) = ("Text", 400) }
        let map = map(camera(), line)
        #expect(try text(map).places.map { $0.anchor.x.rounded() } == [0])
        let marker = try map.put("marker", 35, 150) { ($0.width, $0.height, $0.isHideCollidedCaptions) = (80, 20, true) }
        let places = try text(map).places
        #expect(places.count == 1 && places[0].isVisible && places[0].anchor.x.rounded() == 100)
        // The first place that is taken is listed when there is no other.
        let middle = try #require(map.geoCoordinates(from: CGPoint(x: 100, y: 150)))
        (marker.position, marker.width) = (middle, 240)
        #expect(try text(map).places.map(\.hiddenBy) == ["marker"] && text(map).reason == .collided)
    }
}

// The amount of work.
extension LineLabelTests {
    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    /// A line of a million pt in the picture.
    private func zigzag(_ height: Double) -> [(x: Double, y: Double)] {
        (0..<4000).map { (number: Int) -> (x: Double, y: Double) in
            (number % 2 == 0 ? -190 : 190, height / 2 - Double(number) * height / 4000)
        }
    }

    /// Not more than about eight images overlap, and the area of all of them is bounded.
    @Test func largeImagesAreFew() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.lineImage, $0.lineImageSize, $0.lineImageSpacing) = (.solid(2, 2), 10_000, 1) }
        #expect(try map(camera(), line).frame().sprites.count == 1)
        line.mapView = nil
        line.lineImageSize = 64
        // Every eighth place.
        #expect(try map(camera(), line).frame().sprites.count == 38)
        let long = self.line(zigzag(280)) { ($0.lineImage, $0.lineImageSize, $0.lineImageSpacing) = (.solid(2, 2), 1000, 125) }
        var count = 0
        let time = try seconds { count = try map(camera(), long).frame().sprites.count }
        // Each covers the picture, which counts as 29 further places.
        #expect(count > 3000 && count < 3600 && time < 60)
    }

    /// Texts without a width take a place, and their letters are counted.
    @Test(arguments: [(String(repeating: "i", count: 1000), -0.25), (String(repeating: "\u{301}", count: 1000), 0.0)])
    func textsWithoutWidthAreBounded(text: String, spacing: Double) throws {
        let line = line(zigzag(280)) {
            ($0.lineText, $0.lineTextSpacing, $0.lineTextLetterSpacing, $0.lineTextPadding) = (text, 1, spacing, 0)
            ($0.lineTextHaloWidth, $0.lineTextMaxAngle) = (0, 180)
        }
        var contours = 0
        let time = try seconds {
            let frame = try map(camera(), line).frame()
            contours = frame.paths.dropFirst().reduce(0) { $0 + $1.contours.count }
        }
        #expect(contours < 1_000_000 && time < 60, "\(contours) contours in \(time) s")
    }

    /// Ten thousand images of each line in one cell of the collision grid do not take time that grows with the square of their number.
    @Test func crowdedCellsTakeLinearTime() throws {
        let lines = (0..<9).map { number in
            let points = (0..<4000).map { (index: Int) -> (x: Double, y: Double) in
                (Double(index % 2 == 0 ? 2 : 28), Double(number * 3 + 2) + Double(index) * 0.0005)
            }
            let line = line(points) { ($0.lineImage, $0.lineImageSize, $0.lineImageSpacing, $0.lineTextPadding) = (.solid(1, 1), 1, 1, 0) }
            line.id = "line \(number)"
            return line
        }
        let map = MapView(camera())
        map.add(lines)
        var count = 0
        let time = try seconds { count = try map.frame().sprites.count }
        #expect(count > 10_000 && time < 20, "\(count) images in \(time) s")
    }

    /// Properties that are out of range leave the line out, and a diagnostic names them.
    @Test(arguments: [Double.nan, 0, -1, .infinity]) func invalidDistancesAreReported(value: Double) throws {
        let changes: [(path: String, change: (Polyline) -> Void)] = [
            ("lineImageSpacing", { $0.lineImageSpacing = value }), ("lineTextSpacing", { $0.lineTextSpacing = value }),
            ("lineTextSize", { $0.lineTextSize = value }),
        ]
        for (path, change) in changes {
            let line = line([(-100, 0), (100, 0)]) { ($0.lineText, $0.lineImage) = ("Text", .solid(4, 4)) }
            let map = map(camera(), line)
            #expect(try text(map).isVisible)
            change(line)
            let inspection = try map.inspection()
            #expect(inspection.overlays[0].reason == .invalid && inspection.diagnostics.map(\.path) == [path], "\(path)")
            #expect(inspection.overlays[0].lineText == nil && inspection.overlays[0].lineImage == nil)
            #expect(try map.frame().paths.isEmpty && map.frame().sprites.isEmpty)
        }
    }
}

// Lines that are in the picture only by their labels.
extension LineLabelTests {
    @Test func onlyTheLabelsOfALineWithoutWidthArePicked() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.width, $0.outlineWidth, $0.lineText) = (0, 4, "Text") }
        let map = map(camera(), line)
        let placement = try map.placement()
        func parts(_ x: Double, _ includesInvisible: Bool) -> [HitPart] {
            placement.hits(PickRequest(CGPoint(x: x, y: 150), includesInvisible: includesInvisible)).map(\.part)
        }
        #expect(parts(200, false) == [.caption] && parts(100, false).isEmpty && parts(100, true).isEmpty)
        #expect(placement.areas(lineTolerance: 3).map(\.hit.part) == [.caption])
        let entry = try entry(map)
        #expect(entry.isVisible && entry.order == 0 && entry.copies == 1)
        // All of the line is fitted.
        let viewport = try map.viewport()
        let extent = try #require(try map.extent())
        let box = try #require(extent.box(in: viewport, centerX: viewport.centerX))
        #expect(abs(box.left - 50) < 0.01 && abs(box.right - 350) < 0.01)
    }

    @Test func aLineWithoutWidthIsHiddenWithItsLabels() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.width, $0.lineText) = (0, "Text") }
        let map = map(camera(), line)
        try map.put("marker", 200, 150) { ($0.width, $0.height, $0.isHideCollidedCaptions) = (400, 20, true) }
        let entry = try entry(map)
        #expect(!entry.isVisible && entry.reason == .collided && entry.order == nil && entry.copies == 0)
        line.points = line.points.map { LatLng(lat: $0.lat + 20, lng: $0.lng) }
        #expect(try self.entry(map).reason == .outOfView)
    }

    /// Each has a position of its own in the drawing order, above the other lines of its key.
    @Test func linesWithoutWidthAreOrdered() throws {
        let lines = [-60.0, 0, 60].map { y in line([(-150, y), (150, y)]) { $0.lineText = "Text" } }
        for (number, line) in lines.enumerated() { line.id = "line \(number)" }
        (lines[0].width, lines[1].width) = (0, 0)
        let map = MapView(camera())
        map.add(lines)
        #expect(try (0..<3).map { try entry(map, "line \($0)").order } == [1, 2, 0])
        try map.put("marker", 200, 150)
        #expect(try entry(map, "marker").order == 3)
    }

    @Test func theCopiesOfLabelsAreCounted() throws {
        var design = DesignCamera()
        (design.width, design.height, design.zoom, design.lng) = (1400, 300, 0, 180)
        let line = Polyline(points: [LatLng(lat: 10, lng: 150), LatLng(lat: 10, lng: -150)])
        (line.id, line.width, line.lineText, line.lineTextSize) = ("line", 0, "Pacific", 10)
        #expect(try entry(map(design, line)).copies == 3)
    }

    /// As they are drawn: above all lines of their key, and below markers.
    @Test func labelsArePickedAboveOtherLines() throws {
        let (lower, upper) = (line([(-150, 0), (150, 0)]), line([(-150, 1), (150, 1)]))
        (lower.id, lower.lineText, upper.id, upper.width) = ("lower", "Text", "upper", 20)
        let map = map(camera(), lower, upper)
        func parts(_ x: Double) throws -> [HitPart] {
            try map.placement().hits(PickRequest(CGPoint(x: x, y: 150), tolerance: 0)).map(\.part)
        }
        #expect(try parts(200) == [.caption, .shape] && parts(100) == [.shape, .shape])
        #expect(try map.placement().areas(lineTolerance: 0).map(\.hit.part) == [.caption, .shape, .shape])
        let marker = try map.put("marker", 200, 150)
        (marker.globalZIndex, marker.zIndex, marker.mapLayerType) = (lower.globalZIndex, lower.zIndex, lower.mapLayerType)
        #expect(try parts(200) == [.icon, .caption, .shape])
        guard case .sprites = try #require(try map.frame().commands.last) else {
            Issue.record("the marker is not drawn last")
            return
        }
    }

    /// A text that became invalid is no longer read.
    @Test func anInvalidLineReportsNoTexts() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.lineText, $0.lineTextFont) = ("Text", "No Such Family") }
        let map = map(camera(), line)
        #expect(try map.inspection().diagnostics.map(\.path) == ["lineTextFont"])
        line.width = -1
        #expect(try map.inspection().diagnostics.map(\.path) == ["width"])
        line.width = 2
        line.isVisible = false
        #expect(try map.inspection().diagnostics.isEmpty)
    }
}
