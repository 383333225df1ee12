import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Lines whose color changes along them, down to the pixels.
@Suite struct LineGradientTests {
    private func map(_ line: Polyline, tilt: Double = 0, bearing: Double = 0) -> MapView {
        let map = MapView(300, 200, Camera(zoom: 4, bearing: bearing, tilt: tilt))
        map.add(line)
        return map
    }

    private func draw(_ frame: Frame) -> Bitmap {
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    private func draw(_ map: MapView) throws -> Bitmap { draw(try Composer.of(map).place(map).frame) }

    private func line(_ points: [(lat: Double, lng: Double)], _ change: (Polyline) -> Void = { _ in }) -> Polyline {
        let line = Polyline(points: points.map { LatLng(lat: $0.lat, lng: $0.lng) })
        (line.width, line.gradient) = (9, [.init(0, .red), .init(1, .blue)])
        change(line)
        return line
    }

    /// Along the equator, the share of the length equals the share of the longitudes.
    private func expectEven(
        _ bitmap: Bitmap, _ map: MapView, within tolerance: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var compared = 0
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width where bitmap[x, y].alpha == 255 {
                let place = try #require(map.geoCoordinates(from: CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)))
                let share = min(max((place.lng + 5) / 10, 0), 1)
                let pixel = bitmap[x, y]
                let error = abs(Double(pixel.red) - 255 * (1 - share))
                #expect(error <= Double(tolerance) + 0.51, "\(x), \(y)", sourceLocation: sourceLocation)
                #expect(Int(pixel.red) + Int(pixel.blue) == 255 || abs(Int(pixel.red) + Int(pixel.blue) - 255) <= 1)
                compared += 1
            }
        }
        #expect(compared > 800, sourceLocation: sourceLocation)
    }

    @Test func theColorChangesEvenlyAlongTheLine() throws {
        let map = map(line([(0, -5), (0, 5)]))
        try expectEven(try draw(map), map)
        // The same with points in between, also where the level leaves them out.
        let map2 = self.map(line((0...1000).map { (0, -5 + Double($0) / 100) }))
        try expectEven(try draw(map2), map2)
    }

    /// The colors of places that the camera's formulas project: on a great circle, and on a line through the air.
    @Test func colorsOfOtherLines() throws {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.lat, camera.lng, camera.zoom) = (300, 200, 22, 2, 2)
        func check(_ line: Polyline, _ place: (Double) -> (lat: Double, lng: Double, altitude: Double)) throws {
            let map = MapView(camera)
            map.add(line)
            let bitmap = try draw(map)
            for share in stride(from: 0.02, to: 0.99, by: 0.01) {
                let place = place(share)
                let point = camera.project(lat: place.lat, lng: place.lng, altitude: place.altitude)
                #expect(abs(Double(bitmap[Int(point.x), Int(point.y)].red) - 255 * (1 - share)) <= 3, "\(share)")
            }
        }
        let ends = [(lat: 5.0, lng: -16.0), (lat: 35.0, lng: 20.0)]
        let vectors = ends.map { end in
            let (lat, lng) = (end.lat * .pi / 180, end.lng * .pi / 180)
            return SIMD3(cos(lat) * cos(lng), cos(lat) * sin(lng), sin(lat))
        }
        let angle = acos((vectors[0] * vectors[1]).sum())
        try check(line(ends) { $0.isGeodesic = true }) { share in
            let vector = (vectors[0] * sin((1 - share) * angle) + vectors[1] * sin(share * angle)) / sin(angle)
            return (asin(vector.z) * 180 / .pi, atan2(vector.y, vector.x) * 180 / .pi, 0)
        }
        for tilt in [0.0, 50] {
            (camera.lat, camera.lng, camera.zoom, camera.tilt) = (0, 0, 4, tilt)
            let line = line([(0, -5), (0, 5)])
            line.points = [LatLng(lat: 0, lng: -5), LatLng(lat: 0, lng: 5, altitude: 300_000)]
            try check(line) { (0, -5 + 10 * $0, 300_000 * $0) }
        }
    }

    /// At zoom 22, a line around an eighth of the earth whose color changes within a few meters.
    @Test func colorsAreExactAtZoom22() throws {
        let map = MapView(300, 200, Camera(zoom: 22))
        let half = 4e-7
        map.add(
            line([(0, -24), (0, 24)]) {
                $0.gradient = [.init(0, .red), .init(0.5 - half, .red), .init(0.5 + half, .blue), .init(1, .blue)]
            })
        let bitmap = try draw(map)
        for x in 0..<300 {
            let share = (Double(x) + 0.5 - 150) * 360 / (512 * 4_194_304) / 48
            let blue = 255 * min(max((share + half) / (2 * half), 0), 1)
            #expect(abs(Double(bitmap[x, 100].blue) - blue) <= 1, "\(x)")
        }
    }

    /// A line that trembles by a fraction of a pixel is longer there, although the picture does not show it.
    @Test func tremblingLinesAreLonger() throws {
        let (pixel, step) = (360.0 / 8192, 0.1)
        // From -5 to 0 degrees, up and down by 0.12 pixels every 0.1 pixels; then straight to 5 degrees.
        let count = Int(5 / pixel / step)
        let points = (0..<count).map { (lat: ($0.isMultiple(of: 2) ? 0.12 : -0.12) * pixel, lng: -5 + Double($0) * 5 / Double(count)) }
        let bitmap = try draw(map(line(points + [(0, 0), (0, 5)])))
        let factor = (step * step + 0.24 * 0.24).squareRoot() / step
        for x in 40..<260 {
            let lng = (Double(x) + 0.5 - 150) * pixel
            let share = lng < 0 ? (lng + 5) * factor / (5 * factor + 5) : (5 * factor + lng) / (5 * factor + 5)
            let red = Double(bitmap[x, 100].red)
            #expect(abs(red - 255 * (1 - share)) <= 2, "\(x)")
        }
    }

    /// A value that jumps between two of many points within a pixel changes the color there.
    @Test func aJumpAmongManyPoints() throws {
        let longitudes = (0...1000).map { -5 + Double($0) / 100 }
        let bitmap = try draw(
            map(
                line(longitudes.map { (0, $0) }) { line in
                    line.gradient = []
                    line.colorScale = Scale(by: "speed", ramp: [.init(0, .red), .init(1, .blue)])
                    line.values = ["speed": longitudes.map { $0 < 1 ? 0 : 1 }]
                }))
        // 1 degree east is 22.8 pixels to the right.
        for x in 40..<260 where x != 172 && x != 173 {
            #expect(bitmap[x, 100] == (x < 172 ? Color.red : .blue).premultipliedBytes, "\(x)")
        }
    }

    /// The color at a place of the ground does not depend on the camera.
    @Test(arguments: [false, true]) func theColorChangesEvenlyOnTheGround(isPerspectiveEnabled: Bool) throws {
        // Along the view's direction, so that pixels across the line are at one longitude.
        let map = map(line([(0, -5), (0, 5)]) { $0.isPerspectiveEnabled = isPerspectiveEnabled }, tilt: 60, bearing: 90)
        // Far away, a pixel is several levels long.
        try expectEven(try draw(map), map, within: 3)
    }

    /// Values give the same colors as the lengths that they equal, on any axis.
    @Test func valuesAreColorsAtPoints() throws {
        let points = [-5.0, -3, 1, 2, 5].map { (lat: 0.0, lng: $0) }
        let byValue = line(points) { line in
            line.gradient = []
            line.colorScale = Scale(by: "lng", ramp: [.init(-5, .red), .init(5, .blue)])
            line.values = ["lng": points.map(\.lng)]
        }
        let map1 = map(byValue)
        try expectEven(try draw(map1), map1)
        byValue.colorScale = Scale(by: "lng", linear: [.red, .blue])
        try expectEven(try draw(map1), map1)
        // A point without a value lies between its neighbors.
        byValue.values = ["lng": [-5, nil, 1, .nan, 5]]
        try expectEven(try draw(map1), map1)
        byValue.colorScale?.missing = .green
        let bitmap = try draw(map1)
        let x = try #require(map1.point(from: LatLng(lat: 0, lng: -3))).x
        #expect(bitmap[Int(x), 100].green > 250)
        // Without any value, the line has its color.
        byValue.colorScale?.missing = nil
        byValue.values = ["lng": [nil, nil, nil, nil, nil]]
        byValue.color = .green
        #expect(try draw(map1)[150, 100] == Bitmap.Pixel(red: 0, green: 255, blue: 0, alpha: 255))
    }

    @Test func colorsJumpWhereTwoStopsMeet() throws {
        let stops: [Scale<Color>.Stop] = [.init(0, .red), .init(0.5, .red), .init(0.5, .blue), .init(1, .blue)]
        for points in [[(0.0, -5.0), (0, 5)], [(0, -5), (0, 0), (0, 5)]] {
            let bitmap = try draw(map(line(points) { $0.gradient = stops }))
            #expect(bitmap[148, 100] == Bitmap.Pixel(red: 255, green: 0, blue: 0, alpha: 255))
            #expect(bitmap[151, 100] == Bitmap.Pixel(red: 0, green: 0, blue: 255, alpha: 255))
        }
    }

    /// The length is in meters: on a Mercator map, the middle of a meridian is nearer its southern end.
    @Test func theLengthIsInMeters() throws {
        let map = MapView(200, 300, Camera(center: LatLng(lat: 60, lng: 0), zoom: 1))
        let line = line([(40, 0), (80, 0)]) { $0.gradient = [.init(0, .red), .init(0.5, .red), .init(0.5, .blue), .init(1, .blue)] }
        map.add(line)
        let bitmap = try draw(map)
        let middle = try #require(map.point(from: LatLng(lat: 60, lng: 0)))
        #expect(bitmap[100, Int(middle.y) - 2].blue == 255 && bitmap[100, Int(middle.y) + 1].red == 255)
    }

    /// The shape and the translucency are the same as for a line in one color.
    @Test(arguments: [0.0, 60]) func onlyTheColorsDiffer(tilt: Double) throws {
        let corners = [(-1.0, -4.0), (1.2, -2), (-0.8, -1.4), (1, 1), (-1.4, 1.2), (0.4, 4)]
        func check(_ change: (Polyline) -> Void) throws {
            let plain = line(corners) {
                change($0)
                ($0.gradient, $0.color) = ([], Color(red: 0, green: 1, blue: 0, alpha: 0.4))
            }
            let shaded = line(corners) {
                change($0)
                $0.gradient = [.init(0, .red.withAlpha(0.4)), .init(1, .blue.withAlpha(0.4))]
            }
            let (first, second) = (try draw(map(plain, tilt: tilt)), try draw(map(shaded, tilt: tilt)))
            var covered = 0
            for y in 0..<200 {
                for x in 0..<300 {
                    let (a, b) = (first[x, y], second[x, y])
                    #expect(a.alpha == b.alpha, "\(x), \(y)")
                    #expect(abs(Int(a.green) - Int(b.red) - Int(b.blue) - Int(b.green)) <= 2, "\(x), \(y)")
                    covered += a.alpha > 0 ? 1 : 0
                }
            }
            #expect(covered > 500)
        }
        for perspective in [false, true] {
            try check { ($0.isPerspectiveEnabled, $0.joinType) = (perspective, .round) }
            try check { ($0.isPerspectiveEnabled, $0.capType, $0.pattern) = (perspective, .round, [14, 12]) }
            try check { ($0.isPerspectiveEnabled, $0.endArrow, $0.startArrow) = (perspective, .filled, .open) }
            try check { ($0.isPerspectiveEnabled, $0.capType, $0.miterLimit) = (perspective, .square, 20) }
            try check { ($0.isPerspectiveEnabled, $0.outlineWidth, $0.outlineColor) = (perspective, 3, .clear) }
        }
    }

    /// The traveled section keeps its color, and an opaque outline does not show through a translucent line.
    @Test func passedColorsAndOutlinesAreKept() throws {
        let route = Route(points: [LatLng(lat: 0, lng: -5), LatLng(lat: 0, lng: 5)])
        (route.width, route.outlineWidth, route.progress, route.passedColor) = (9, 3, 0.5, .green)
        route.gradient = [.init(0, Color(red: 1, green: 0, blue: 0, alpha: 0.5)), .init(1, Color(red: 0, green: 0, blue: 1, alpha: 0.5))]
        let bitmap = try draw(map(route))
        #expect(bitmap[100, 100] == Bitmap.Pixel(red: 0, green: 255, blue: 0, alpha: 255))
        #expect(bitmap[200, 100].alpha == 128 && bitmap[200, 100].green == 0)
        #expect(bitmap[100, 93] == Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 255) && bitmap[200, 93].alpha == 255)
    }

    /// The colors of two edges meet at the corner between them: neighboring pixels inside the line never differ much.
    @Test(arguments: [20.0, 70, -100]) func colorsMeetAtCorners(turn: Double) throws {
        let end = (lat: 3.5 * sin(turn * .pi / 180), lng: 3.5 * cos(turn * .pi / 180))
        let bitmap = try draw(map(line([(0, -3.5), (0, 0), end]) { ($0.width, $0.joinType) = (20, .round) }))
        var largest = 0
        for y in 1..<200 {
            for x in 1..<300 where bitmap[x, y].alpha == 255 {
                for other in [bitmap[x - 1, y], bitmap[x, y - 1]] where other.alpha == 255 {
                    largest = max(largest, abs(Int(bitmap[x, y].red) - Int(other.red)))
                }
            }
        }
        #expect(largest > 0 && largest <= 12)
    }

    /// An arrow has the colors of the end of the line.
    @Test func arrowsContinueTheColors() throws {
        let bitmap = try draw(map(line([(0, -5), (0, 5)]) { ($0.startArrow, $0.endArrow, $0.arrowSize) = (.filled, .filled, 4) }))
        // Beside the line, in the arrows.
        #expect(bitmap[68, 90].red > 200 && bitmap[68, 90].blue < 60)
        #expect(bitmap[231, 110].blue > 200 && bitmap[231, 110].red < 60)
    }

    /// The same pixels whatever part of the picture is drawn, and in which bands.
    @Test(arguments: Seeds.all) func partsOfThePictureAreTheSame(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let walk = line((0..<200).map { _ in (random.number(-3...3), random.number(-5...5)) }) {
            $0.gradient = [.init(0, .red), .init(0.4, Color(red: 0, green: 1, blue: 0, alpha: 0.2)), .init(1, .blue)]
        }
        let frame = try Composer.of(map(walk, tilt: random.one(of: [0, 60]))).place(map(walk)).frame
        let whole = draw(frame)
        let rect = PixelRect(x: random.integer(0...150), y: random.integer(0...100), width: 130, height: 90)
        let part = draw(frame.cropped(to: rect))
        for y in 0..<rect.height {
            for x in 0..<rect.width { #expect(part[x, y] == whole[x + rect.x, y + rect.y]) }
        }
        var bands = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 5).draw(0..<frame.paths.count, of: frame, into: &bands)
        #expect(bands == whole)
    }

    /// Colors that change faster than pixels take bounded memory.
    @Test func shadesAreBoundedByThePicture() throws {
        let line = line((0..<50_000).map { (0, -5 + Double($0) / 5000) }) { line in
            line.gradient = []
            line.colorScale = Scale(by: "a", ramp: (0..<1000).map { .init(Double($0), $0 % 2 == 0 ? .red : .blue) })
            line.values = ["a": (0..<50_000).map { $0 % 2 == 0 ? 0 : 1000 }]
        }
        let frame = try Composer.of(map(line)).place(map(line)).frame
        #expect(frame.shades.count < 1000)
    }

    /// A GPS track that stands still at its start.
    @Test func aRepeatedFirstPointChangesNothing() throws {
        let points = [(lat: -3.0, lng: -3.0), (3.0, -3.0), (3.0, 3.0)]
        #expect(try draw(map(line([points[0]] + points))) == draw(map(line(points))))
    }

    /// An arrow lies along the chord to its tip, where no piece of a line that turns just before its end lies.
    @Test(arguments: [0.6, 1.2, 2], [20.0, 80, 150]) func anArrowAtABendHasTheColorOfTheEnd(length: Double, turn: Double) throws {
        let angle = turn * .pi / 180
        let points = [(lat: 0.0, lng: -5.0), (0.0, 0.0), (length * sin(angle), length * cos(angle))]
        let map = map(
            line(points) { line in
                (line.endArrow, line.arrowSize) = (.filled, 4)
                line.gradient = [.init(0, .red), .init(0.1, .red), .init(0.1, .blue), .init(1, .blue)]
            })
        let bitmap = try draw(map)
        let start = try #require(map.point(from: LatLng(lat: 0, lng: -5)))
        var compared = 0
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width where bitmap[x, y].alpha > 0 && Double(x) > start.x + 30 {
                #expect(bitmap[x, y].red == 0, "\(x), \(y)")
                compared += 1
            }
        }
        #expect(compared > 500)
    }

    /// In perspective, a butt end is not perpendicular to the line on the screen.
    @Test(arguments: [20.0, 60, 110, 200, 300], [LineCap.butt, .square]) func aWideEndHasTheColorOfTheEnd(bearing: Double, cap: LineCap)
        throws
    {
        let map = map(
            line([(0.0, -3.0), (2.0, 0.0), (0.0, 3.0)]) { line in
                (line.width, line.capType, line.isPerspectiveEnabled) = (40, cap, true)
                line.gradient = [.init(0, .red), .init(0.1, .red), .init(0.1, .blue), .init(1, .blue)]
            }, tilt: 60, bearing: bearing)
        let bitmap = try draw(map)
        let end = try #require(map.point(from: LatLng(lat: 0, lng: 3)))
        var compared = 0
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width where bitmap[x, y].alpha > 0 && hypot(Double(x) - end.x, Double(y) - end.y) < 40 {
                #expect(bitmap[x, y].red == 0, "\(x), \(y)")
                compared += 1
            }
        }
        #expect(compared > 300)
    }
}
