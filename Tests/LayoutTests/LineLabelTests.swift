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

/// The places of texts and images along lines.
@Suite struct LineLabelTests {
    func camera(zoom: Double = 8, bearing: Double = 0, tilt: Double = 0) -> DesignCamera {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.zoom, camera.bearing, camera.tilt) = (400, 300, zoom, bearing, tilt)
        return camera
    }

    /// A line through points given in pt from the view's center, to the east and north, at zoom 8 and the equator.
    func line(_ points: [(x: Double, y: Double)], _ change: (Polyline) -> Void = { _ in }) -> Polyline {
        let degree = 360 / camera().worldSize
        let line = Polyline(points: points.map { LatLng(lat: $0.y * degree, lng: $0.x * degree) })
        line.id = "line"
        change(line)
        return line
    }

    func map(_ camera: DesignCamera, pixelRatio: Double = 1, _ overlays: Overlay...) -> MapView {
        let map = MapView(camera, pixelRatio: pixelRatio)
        map.add(overlays)
        return map
    }

    func entry(_ map: MapView, _ id: String = "line") throws -> Inspection.OverlayEntry {
        try #require(try map.inspection().overlays.first { $0.id == id })
    }

    func text(_ map: MapView, _ id: String = "line") throws -> Inspection.LineLabel { try #require(try entry(map, id).lineText) }
    func image(_ map: MapView, _ id: String = "line") throws -> Inspection.LineLabel { try #require(try entry(map, id).lineImage) }

    /// The distance of a point from the projected line, by the formulas of the camera, and its distance along the line on the map.
    func nearest(_ point: Inspection.Point, _ line: Polyline, _ camera: DesignCamera) -> (off: Double, along: Double) {
        var (best, passed) = ((off: Double.infinity, along: 0.0), 0.0)
        let center = camera.world(lat: camera.lat, lng: camera.lng)
        for (a, b) in zip(line.points, line.points.dropFirst()) {
            let (from, to) = (camera.world(lat: a.lat, lng: a.lng), camera.world(lat: b.lat, lng: b.lng))
            let heights = [a, b].map { $0.altitude * camera.pointsPerMeter(lat: $0.lat) }
            func seen(_ share: Double) -> (x: Double, y: Double, depth: Double) {
                camera.project(
                    from.x + (to.x - from.x) * share - center.x, from.y + (to.y - from.y) * share - center.y,
                    height: heights[0] + (heights[1] - heights[0]) * share)
            }
            let length = hypot(to.x - from.x, to.y - from.y)
            // In pieces, some of which may be behind the camera.
            let count = 64
            for number in 0..<count {
                let shares = (Double(number) / Double(count), Double(number + 1) / Double(count))
                let (p, q) = (seen(shares.0), seen(shares.1))
                guard p.depth > 0, q.depth > 0 else { continue }
                let (x, y) = (q.x - p.x, q.y - p.y)
                let square = x * x + y * y
                let along = square > 0 ? min(1, max(0, ((point.x - p.x) * x + (point.y - p.y) * y) / square)) : 0
                let off = hypot(point.x - p.x - along * x, point.y - p.y - along * y)
                // Equal steps on the screen are shorter on the map where it is nearer.
                let share = along * p.depth / (q.depth + along * (p.depth - q.depth))
                if off < best.off { best = (off, passed + length * (shares.0 + (shares.1 - shares.0) * share)) }
            }
            passed += length
        }
        return best
    }

    /// Compared with the camera's formulas: all anchors lie on the line, and their distances from its start are as specified.
    @Test(arguments: Seeds.all) func anchorsLieOnTheLine(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 60] {
            var camera = camera(zoom: random.number(4...22), bearing: random.number(0...360), tilt: tilt)
            (camera.lat, camera.lng) = (random.number(-60...60), random.number(-179...179))
            let degree = 360 / camera.worldSize
            let isAerial = random.once(in: 3)
            let line = Polyline(
                points: (0..<random.integer(2...5)).map { _ in
                    LatLng(
                        lat: camera.lat + random.number(-100...100) * degree, lng: camera.lng + random.number(-150...150) * degree,
                        altitude: isAerial ? random.number(1...20) * degree * 100_000 : 0)
                })
            line.id = "line"
            line.lineText = "Way"
            (line.lineTextMaxAngle, line.lineTextSpacing) = (180, 60)
            (line.lineImage, line.lineImageSpacing, line.lineImageSize) = (.solid(8, 8), random.number(20...60), 6)
            line.isPerspectiveEnabled = random.once(in: 2)
            let map = map(camera, pixelRatio: random.one(of: [1, 2]), line)
            let entry = try entry(map)
            let length = zip(line.points, line.points.dropFirst()).reduce(0.0) { sum, ends in
                let (from, to) = (camera.world(lat: ends.0.lat, lng: ends.0.lng), camera.world(lat: ends.1.lat, lng: ends.1.lng))
                return sum + hypot(to.x - from.x, to.y - from.y)
            }
            for place in try #require(entry.lineImage).places {
                let (off, along) = nearest(place.anchor, line, camera)
                #expect(off < 0.1, "seed \(seed), tilt \(tilt)")
                let number = (along - line.lineImageSpacing / 2) / line.lineImageSpacing
                // In the distance, a pixel is long on the map.
                let slack = tilt == 0 ? 0.1 : 2.0
                #expect(abs(number - number.rounded()) * line.lineImageSpacing < slack, "seed \(seed), tilt \(tilt): \(number)")
                #expect(along > 0 && along < length - line.lineImageSpacing / 2 + slack, "seed \(seed), tilt \(tilt)")
            }
            for place in try #require(entry.lineText).places {
                #expect(nearest(place.anchor, line, camera).off < 0.1, "seed \(seed), tilt \(tilt)")
                // The middle of a text on a sharp corner may be turned a little farther than the whole text.
                #expect(abs(place.angle) <= 106)
            }
        }
    }

    /// Images have equal distances, begin at the offset, and stay off the last half spacing.
    @Test func imagesRepeatAtTheirSpacing() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.lineImage, $0.lineImageSpacing) = (.solid(10, 4), 70) }
        let map = map(camera(), line)
        func xs() throws -> [Double] { try image(map).places.map { ($0.anchor.x - 50) } }
        func isNear(_ expected: [Double]) throws -> Bool {
            let xs = try xs()
            return xs.count == expected.count && zip(xs, expected).allSatisfy { abs($0 - $1) < 0.01 }
        }
        #expect(try isNear([35, 105, 175, 245]))
        line.lineImageOffset = 0
        #expect(try isNear([0, 70, 140, 210]))
        line.lineImageOffset = 55
        #expect(try isNear([55, 125, 195, 265]))
        line.lineImageOffset = 55.1
        #expect(try isNear([55.1, 125.1, 195.1]))
        line.lineImageOffset = 400
        #expect(try isNear([]))
        #expect(try image(map).reason == .outOfView && image(map).isVisible == false)
    }

    /// The quad of an image is centered on the line, is as large as asked, and its right side points along the line.
    @Test(arguments: [0.0, 60], [false, true]) func imagesTurnWithTheLine(tilt: Double, isPerspective: Bool) throws {
        for angle in stride(from: 0.0, to: 360, by: 15) {
            let (x, y) = (60 * cos(angle * .pi / 180), 60 * sin(angle * .pi / 180))
            let line = line([(-x, -y), (x, y)]) {
                ($0.lineImage, $0.lineImageSpacing, $0.lineImageSize) = (.solid(10, 4), 120, 20)
                $0.isPerspectiveEnabled = isPerspective
            }
            let map = map(camera(tilt: tilt), line)
            let frame = try map.frame()
            let sprite = try #require(frame.sprites.first)
            #expect(frame.sprites.count == 1 && sprite.plane == (isPerspective ? .ground : .screen))
            let center = (
                x: Double(sprite.x) + Double(sprite.acrossX + sprite.downX) / 2,
                y: Double(sprite.y) + Double(sprite.acrossY + sprite.downY) / 2
            )
            let expected = isPerspective ? (x: 0.0, y: 0.0) : (x: 200.0, y: 150.0)
            #expect(hypot(center.x - expected.x, center.y - expected.y) < 0.01)
            #expect(abs(hypot(Double(sprite.acrossX), Double(sprite.acrossY)) - 20) < 0.001)
            #expect(abs(hypot(Double(sprite.downX), Double(sprite.downY)) - 8) < 0.001)
            let (a, b) = (camera(tilt: tilt).project(-x, y, height: 0), camera(tilt: tilt).project(x, -y, height: 0))
            let along = isPerspective ? (x: x, y: -y) : (x: b.x - a.x, y: b.y - a.y)
            let length = hypot(along.x, along.y)
            #expect(
                abs(Double(sprite.acrossX) / 20 - along.x / length) < 0.01 && abs(Double(sprite.acrossY) / 20 - along.y / length) < 0.01)
        }
    }

    /// Texts are centered between the ends of their line, at equal distances.
    @Test func textsRepeatAtTheirSpacing() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.lineText, $0.lineTextSpacing) = ("A", 70) }
        let map = map(camera(), line)
        #expect(try text(map).places.map { ($0.anchor.x * 100).rounded() / 100 } == [95, 165, 235, 305].map { $0 })
        line.lineTextSpacing = 250
        #expect(try text(map).places.map { ($0.anchor.x * 100).rounded() / 100 } == [200])
        #expect(try text(map).isVisible && text(map).reason == nil)
        // Longer texts follow one another.
        (line.lineText, line.lineTextSpacing) = ("A longer name", 1)
        let places = try text(map).places
        let (width, _) = try textSize("A longer name")
        #expect(places.count >= 2 && places.allSatisfy(\.isVisible))
        for (a, b) in zip(places, places.dropFirst()) { #expect(b.anchor.x - a.anchor.x >= width + 11.9) }
    }

    /// Every 15° of bearing, from every side.
    @Test(arguments: [0.0, 60], [false, true]) func textsAreNeverUpsideDown(tilt: Double, isPerspective: Bool) throws {
        let lines = [[(-80.0, -20.0), (80.0, 20.0)], [(80, 20), (-80, -20)], [(0, -70), (0, 70)], [(0, 70), (0, -70)]]
        for (number, points) in lines.enumerated() {
            for bearing in stride(from: 0.0, to: 360, by: 15) {
                let line = line(points) {
                    $0.lineText = "Upright"
                    $0.isPerspectiveEnabled = isPerspective
                }
                let map = map(camera(bearing: bearing, tilt: tilt), line)
                let label = try text(map)
                #expect(label.places.count == 1 && label.isVisible, "\(number), \(bearing)")
                #expect(abs(label.places[0].angle) <= 90.001, "\(number), \(bearing)")
                // A vertical text is read upward.
                if label.places[0].angle == 90 { Issue.record("line \(number) is read downward at bearing \(bearing)") }
            }
        }
    }

    /// The letters of a flipped text are those of the other one, at the same places.
    @Test func aReversedLineHasTheSameText() throws {
        let points = [(-120.0, -20.0), (-30.0, 15.0), (40.0, 10.0), (120.0, 40.0)]
        func frame(_ points: [(Double, Double)]) throws -> Frame {
            let line = line(points) { ($0.width, $0.lineText, $0.lineTextHaloWidth, $0.lineTextOffset) = (0, "Over the hills", 0, -9) }
            return try map(camera(), line).frame()
        }
        let (there, back) = (try frame(points), try frame(points.reversed()))
        let (a, b) = (there.paths.count - 1, back.paths.count - 1)
        #expect(there.paths[a].contours.count == back.paths[b].contours.count && there.paths[a].contours.count > 10)
        for (first, second) in zip(there.paths[a].contours, back.paths[b].contours) {
            for (p, q) in zip(there.points(ofContour: first), back.points(ofContour: second)) {
                #expect(abs(p.x - q.x) < 0.01 && abs(p.y - q.y) < 0.01)
            }
        }
    }

    /// Above the line as it is read, whatever the direction of the line and the map.
    @Test func theOffsetIsBesideTheLine() throws {
        for (bearing, isReversed) in [(0.0, false), (0, true), (180, false), (180, true)] {
            for offset in [-20.0, 20] {
                let points = [(-100.0, 0.0), (100.0, 0.0)]
                let line = line(isReversed ? points.reversed() : points) {
                    ($0.width, $0.lineText, $0.lineTextOffset) = (0, "xx", offset)
                }
                let frame = try map(camera(bearing: bearing), line).frame()
                let ys = frame.paths.last!.contours.flatMap { frame.points(ofContour: $0).map { Double($0.y) } }
                #expect(abs((ys.min()! + ys.max()!) / 2 - 150 - offset) < 3, "\(bearing) \(isReversed) \(offset)")
            }
        }
    }

    /// With perspective, a text shrinks with the distance; otherwise it keeps its size.
    @Test func textsShrinkOnlyInPerspective() throws {
        func heights(_ isPerspective: Bool) throws -> (near: Double, far: Double) {
            func height(_ y: Double) throws -> Double {
                let line = line([(-100, y), (100, y)]) {
                    ($0.width, $0.lineText, $0.lineTextSize, $0.lineTextHaloWidth) = (0, "HHH", 20, 0)
                    $0.isPerspectiveEnabled = isPerspective
                }
                let frame = try map(camera(tilt: 60), line).frame()
                let ys = frame.paths.last!.contours.flatMap { frame.points(ofContour: $0).map { Double($0.y) } }
                return ys.max()! - ys.min()!
            }
            return (try height(-100), try height(250))
        }
        let (constant, perspective) = (try heights(false), try heights(true))
        #expect(abs(constant.near - constant.far) < 0.1 && constant.near > 13)
        #expect(perspective.far < 0.6 * perspective.near)
    }
}

// Where texts and images have no place.
extension LineLabelTests {
    @Test func aLineShorterThanItsTextSaysSo() throws {
        let line = line([(-10, 0), (10, 0)]) { $0.lineText = "A text that is longer than its line" }
        let label = try text(map(camera(), line))
        #expect(!label.isVisible && label.reason == .tooShort && label.places.isEmpty)
    }

    @Test func noTextGoesAroundASharpCorner() throws {
        let line = line([(-50, -50), (0, 50), (50, -50)]) { $0.lineText = "Around the corner we go" }
        let map = map(camera(), line)
        #expect(try text(map).reason == .tooSharp)
        line.lineTextMaxAngle = 180
        #expect(try text(map).isVisible)
        // A short text finds a place beside the corner.
        (line.lineText, line.lineTextMaxAngle) = ("Hi", 45)
        let places = try text(map).places
        #expect(places.count == 1 && places[0].isVisible && abs(places[0].angle) > 30)
    }

    @Test func theZoomRangeIsThatOfTheText() throws {
        let line = line([(-100, 0), (100, 0)]) { ($0.lineText, $0.lineTextMinZoom) = ("Text", 8.5) }
        let map = map(camera(), line)
        #expect(try text(map).reason == .outOfZoom)
        line.lineTextMinZoom = 8
        #expect(try text(map).isVisible)
        line.lineTextMaxZoom = 7
        #expect(try text(map).reason == .outOfZoom)
    }

    /// A marker takes the place; the text finds another one nearby, if there is one.
    @Test func markersHideTextsAndImages() throws {
        let line = line([(-150, 0), (150, 0)]) { ($0.lineText, $0.lineTextSpacing) = ("Text", 300) }
        let map = map(camera(), line)
        let marker = try map.put("marker", 200, 150)
        #expect(try text(map).places.map(\.anchor.x).map { $0.rounded() } == [200])
        marker.isHideCollidedCaptions = true
        #expect(try text(map).places.map(\.anchor.x).map { $0.rounded() } == [238])
        // Wide enough for all places.
        (marker.width, marker.height) = (300, 20)
        let label = try text(map)
        #expect(!label.isVisible && label.reason == .collided && label.places.map(\.hiddenBy) == ["marker"])
        // A marker below the line hides nothing.
        marker.globalZIndex = -300_000
        #expect(try text(map).isVisible)
        marker.globalZIndex = 0
        (line.lineText, line.lineImage, line.lineImageSpacing) = ("", .solid(10, 10), 100)
        #expect(try image(map).places.map(\.isVisible) == [true, true, true])
        (marker.isHideCollidedMarkers, marker.width) = (true, 30)
        #expect(try image(map).places.map(\.hiddenBy) == [nil, "marker", nil])
    }

    /// The text of the upper line has its place first, and the images of a line make way for its text.
    @Test func linesHideOneAnother() throws {
        let (a, b) = (line([(-150, 0), (150, 0)]), line([(0, -120), (0, 120)]))
        (a.id, b.id, a.lineText, b.lineText) = ("a", "b", "East", "North")
        let map = map(camera(), a, b)
        #expect(try text(map, "b").places.map(\.anchor.y).map { $0.rounded() } == [150])
        #expect(try text(map, "a").places.map(\.anchor.x).map { $0.rounded() } != [200] && text(map, "a").isVisible)
        a.zIndex = 1
        #expect(try text(map, "a").places.map(\.anchor.x).map { $0.rounded() } == [200])
        #expect(try text(map, "b").places.map(\.anchor.y).map { $0.rounded() } != [150])
        (a.lineImage, a.lineImageSpacing) = (.solid(10, 10), 20)
        let places = try image(map, "a").places
        #expect(places.contains { $0.hiddenBy == "a" } && places.contains(where: \.isVisible))
    }

    @Test func textsAvoidThePicturesEdges() throws {
        let line = line([(-400, 0), (400, 0)]) { ($0.lineText, $0.lineTextSpacing) = ("A fairly long name", 160) }
        let map = map(camera(), line)
        let (width, _) = try textSize("A fairly long name")
        #expect(try text(map).places.contains { $0.anchor.x < width / 2 })
        map.captionsAvoidEdges = true
        let places = try text(map).places.filter(\.isVisible)
        #expect(places.count >= 2 && places.allSatisfy { $0.anchor.x >= width / 2 && $0.anchor.x <= 400 - width / 2 })
        let short = self.line([(-230, 0), (-170, 0)]) { $0.lineText = "Cut by it" }
        let other = self.map(camera(), short)
        other.captionsAvoidEdges = true
        #expect(try text(other).reason == .cutByEdge)
    }

    @Test func aMissingImageIsReported() throws {
        let line = line([(-100, 0), (100, 0)]) { $0.lineImage = OverlayImage(name: "missing.png") }
        let inspection = try map(camera(), line).inspection()
        #expect(
            inspection.diagnostics.count == 1 && inspection.diagnostics[0].path == "lineImage" && inspection.diagnostics[0].id == "line")
        #expect(inspection.diagnostics[0].message.hasSuffix("; the line is drawn without this property"))
        #expect(inspection.overlays[0].isVisible && inspection.overlays[0].lineImage == nil)
    }

    @Test func aLineWithoutWidthHasALabel() throws {
        let line = line([(-100, 0), (100, 0)]) { ($0.width, $0.lineText) = (0, "Only the text") }
        let map = map(camera(), line)
        #expect(try entry(map).isVisible && text(map).isVisible)
        line.lineText = ""
        #expect(try entry(map).reason == .empty)
    }

    /// A million images or texts are as many as the picture can show, and the first of them stay where they are.
    @Test func theirNumberIsBounded() throws {
        let zigzag = (0..<4000).map { (number: Int) -> (x: Double, y: Double) in
            (number % 2 == 0 ? -190 : 190, 140 - Double(number) * 0.07)
        }
        let line = line(zigzag) {
            ($0.lineImage, $0.lineImageSize, $0.lineImageSpacing) = (.solid(2, 2), 1, 1)
            ($0.lineText, $0.lineTextSpacing, $0.lineTextPadding) = ("a", 1, 0)
        }
        let map = map(camera(), line)
        let frame = try map.frame()
        #expect(frame.sprites.count <= 100_000 && frame.paths.count < 25_000)
        #expect(try image(map).places.count == Inspection.maximumNumberOfListedLabels)
    }
}

// The places do not depend on the view.
extension LineLabelTests {
    /// While the map is panned, all places stay on the same ground.
    @Test(arguments: Seeds.all) func placesMoveWithTheMap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var points = [(x: -400.0, y: 0.0)]
        while points.count < 60 {
            let last = points[points.count - 1]
            points.append((last.x + random.number(5...25), last.y + random.number(-12...12)))
        }
        let line = line(points) {
            ($0.lineText, $0.lineTextSpacing, $0.lineImage, $0.lineImageSpacing) = ("A street", 90, .solid(8, 8), 30)
            $0.isPerspectiveEnabled = seed % 2 == 0
        }
        let design = camera(tilt: line.isPerspectiveEnabled && seed % 3 == 0 ? 50 : 0)
        let map = map(design, line)
        func grounds(_ label: Inspection.LineLabel) -> [LatLng] {
            label.places.filter { (60...340).contains($0.anchor.x) && (60...240).contains($0.anchor.y) && $0.isVisible }.compactMap {
                map.geoCoordinates(from: CGPoint(x: $0.anchor.x, y: $0.anchor.y))
            }
        }
        let (texts, images) = (grounds(try text(map)), grounds(try image(map)))
        let degree = 360 / design.worldSize
        map.camera.center.lng += random.number(-40...40) * degree
        let entry = try entry(map)
        let (movedTexts, movedImages) = (try #require(entry.lineText).places, try #require(entry.lineImage).places)
        for (before, after) in [(texts, movedTexts), (images, movedImages)] {
            for place in before {
                guard let seen = map.point(from: place), (30...370).contains(seen.x), (30...270).contains(seen.y) else { continue }
                #expect(after.contains { hypot($0.anchor.x - seen.x, $0.anchor.y - seen.y) < 0.05 }, "seed \(seed)")
            }
        }
    }

    /// A line with many more points than pixels is simplified, which moves no place.
    @Test func simplificationMovesNoPlace() throws {
        let points = (0...20_000).map { (number: Int) -> (x: Double, y: Double) in
            (Double(number) / 20_000 * 300 - 150, number % 2 == 0 ? 0 : 0.01)
        }
        let fine = line(points) { ($0.lineImage, $0.lineImageSpacing) = (.solid(4, 4), 50) }
        let xs = try image(map(camera(), fine)).places.map(\.anchor.x)
        // Each of its steps is longer than its share of the straight line.
        let longer = hypot(300.0 / 20_000, 0.01) / (300.0 / 20_000)
        let expected = (0..<xs.count).map { 50 + (25 + 50 * Double($0)) / longer }
        #expect(xs.count == 7 && zip(xs, expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(xs) \(expected)")
    }

    @Test func copiesOfTheWorldHaveTheSamePlaces() throws {
        var design = DesignCamera()
        (design.width, design.height, design.zoom, design.lng) = (1400, 300, 0, 180)
        let line = Polyline(points: [LatLng(lat: 10, lng: 150), LatLng(lat: 10, lng: -150)])
        (line.id, line.lineText, line.lineTextSize, line.lineImage, line.lineImageSpacing) = ("line", "Pacific", 10, .solid(4, 4), 40)
        line.lineTextOffset = -12
        let map = map(design, line)
        let (texts, images) = (try text(map).places.map(\.anchor.x).sorted(), try image(map).places.map(\.anchor.x).sorted())
        #expect(texts.count == 3 && images.count == 6)
        for (a, b) in zip(texts, texts.dropFirst()) { #expect(abs(b - a - 512) < 0.01) }
        #expect(abs(texts[1] - 700) < 0.01)
    }

    /// On a great circle, all places are on it.
    @Test func geodesicLinesHavePlacesOnTheGreatCircle() throws {
        var design = DesignCamera()
        (design.width, design.height, design.zoom, design.lat, design.lng) = (800, 400, 2, 55, -40)
        let line = Polyline(points: [LatLng(lat: 51.5, lng: 0), LatLng(lat: 40.6, lng: -73.8)])
        (line.id, line.isGeodesic, line.lineText, line.lineImage, line.lineImageSpacing) = ("line", true, "Atlantic", .solid(4, 4), 30)
        let map = map(design, line)
        let entry = try entry(map)
        let places = try #require(entry.lineText).places + #require(entry.lineImage).places
        #expect(places.count > 8)
        func vector(_ lat: Double, _ lng: Double) -> SIMD3<Double> {
            let (a, b) = (lat * .pi / 180, lng * .pi / 180)
            return SIMD3(cos(a) * cos(b), cos(a) * sin(b), sin(a))
        }
        let (p, q) = (vector(51.5, 0), vector(40.6, -73.8))
        let normal = SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
        let unit = normal / (normal * normal).sum().squareRoot()
        for place in places {
            let ground = try #require(map.geoCoordinates(from: CGPoint(x: place.anchor.x, y: place.anchor.y)))
            let off = asin((vector(ground.lat, ground.lng) * unit).sum()) / (2 * .pi) * design.worldSize
            #expect(abs(off) < 0.2)
        }
    }

    /// At tilt 60, images that would overlap in the distance are left out by halves, so that the others stay.
    @Test func distantImagesAreThinnedOut() throws {
        let line = line([(0, -150), (0, 3000)]) { ($0.lineImage, $0.lineImageSpacing, $0.lineImageSize) = (.solid(8, 8), 12, 12) }
        let design = camera(tilt: 60)
        let places = try image(map(design, line)).places
        #expect(places.count > 8)
        for (a, b) in zip(places, places.dropFirst()) { #expect(hypot(a.anchor.x - b.anchor.x, a.anchor.y - b.anchor.y) > 8) }
    }
}
