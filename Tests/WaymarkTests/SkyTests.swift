import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkGPU
import WaymarkLayout
import WaymarkRendering
import WaymarkTestSupport

/// The sky, into which everything on the ground fades.
@Suite(.serialized) @MainActor struct SkyTests {
    init() { PinnedRasterizer.pin }

    private static let white = MadeTiles(TileSetInfo(maxZoom: 24)) { _ in .bitmap(Bitmap(width: 256, height: 256, fill: .white)) }
    private static let magenta = Color(red: 1, green: 0, blue: 1)

    private func map(
        _ width: Double, _ height: Double, hasBaseMap: Bool = false, lat: Double = 0, zoom: Double = 10, bearing: Double = 0, tilt: Double
    ) -> MapView {
        let map = MapView(
            width, height, Camera(center: LatLng(lat: lat, lng: 0), zoom: zoom, bearing: bearing, tilt: tilt))
        if hasBaseMap { map.baseMap = [BaseMapLayer(source: Self.white)] }
        return map
    }

    /// An area around the view's center that reaches beyond the picture.
    private func area(_ map: MapView, _ color: Color) -> Overlay {
        let side = 120 * map.size.height / 512 * 360 / exp2(map.camera.zoom)
        let low = max(-85.06, map.camera.center.lat - side / 2)
        let high = min(85.06, map.camera.center.lat + side / 2)
        let polygon = Polygon(points: [(low, -side), (high, -side), (high, side), (low, side)].map { LatLng(lat: $0.0, lng: $0.1) })
        polygon.fillColor = color
        return polygon
    }

    /// The share of the sky in the row of a tilted picture of ratio 1, by the contract's formulas.
    private func share(row: Int, _ map: MapView) -> Double {
        let (height, tilt) = (map.size.height, map.camera.tilt * .pi / 180)
        // The far limit: depth 20 D, so u = 19 D / sin t.
        let far = height / 2 - 1.5 * height * (19 * cos(tilt) / sin(tilt)) / 20
        let share = 1 - (Double(row) + 0.5 - far) / max(12, (height - far) / 10)
        let clamped = min(1, max(0, share))
        return clamped * clamped * (3 - 2 * clamped)
    }

    private func expect(
        _ picture: Bitmap, _ map: MapView, isMix ground: Color, _ sky: Color, column: Int = 30, within tolerance: Double = 2.01,
        location: SourceLocation = #_sourceLocation
    ) {
        let (ground, sky) = (ground.premultipliedBytes, sky.premultipliedBytes)
        for row in 0..<picture.height {
            let (share, pixel) = (share(row: row, map), picture[column, row])
            for (is_, a, b) in [
                (pixel.red, ground.red, sky.red), (pixel.green, ground.green, sky.green), (pixel.blue, ground.blue, sky.blue),
                (pixel.alpha, ground.alpha, sky.alpha),
            ] {
                let expected = Double(a) * (1 - share) + Double(b) * share
                guard abs(Double(is_) - expected) > tolerance else { continue }
                Issue.record("row \(row): \(pixel), share \(share)", sourceLocation: location)
                return
            }
        }
    }

    @Test(arguments: [(80.0, 400.0), (75, 90), (71, 200)])
    func theSkyFadesInOverTheLastTenthOfTheGroundsHeight(tilt: Double, height: Double) throws {
        let colors: [(sky: Color?, background: Color)] = [
            (nil, .clear), (.red, .clear), (nil, .blue), (Color(red: 1, green: 0, blue: 0, alpha: 0.5), .black), (.clear, .black),
        ]
        for (sky, background) in colors {
            // The base map, the background, and shapes alike.
            for content in ["base map", "background", "area", "area over a base map"] {
                let map = map(60, height, hasBaseMap: content.hasSuffix("base map"), tilt: tilt)
                (map.sky, map.background) = (sky.map(Sky.init), background)
                if content.hasPrefix("area") { map.add(area(map, .green)) }
                let ground = content.hasPrefix("area") ? Color.green : content == "base map" ? .white : background
                expect(try draw(map), map, isMix: ground, sky ?? background)
            }
        }
    }

    /// Above a marker, into a sky that is opaque, or into transparency.
    @Test func shapesAndImagesAboveOtherThingsFadeToo() throws {
        for kind in ["area", "ground overlay"] {
            let map = map(60, 400, tilt: 80)
            (map.sky, map.background) = (Sky(.red), .blue)
            map.add(0, 0) { $0.globalZIndex = -400_000 }
            let overlay: Overlay
            if kind == "area" {
                overlay = area(map, .green)
            } else {
                let bounds = try #require(LatLngBounds(south: -20, west: -20, north: 20, east: 20))
                overlay = GroundOverlay(bounds: bounds, image: OverlayImage(bitmap: Bitmap(width: 4, height: 4, fill: .green)))
            }
            map.add(overlay)
            #expect(try map.placementForTests().frame.commands.map(\.isSky).first == true)
            expect(try draw(map), map, isMix: .green, .red)
            map.sky = Sky(.clear)
            map.background = .clear
            expect(try draw(map), map, isMix: .green, .clear)
            // In the air, nothing fades.
            overlay.altitude = 1
            #expect(try draw(map)[30, 100].green > 250)
        }
    }

    @Test func noOtherPictureChanges() throws {
        for (tilt, zoom) in [(0.0, 10.0), (60, 10), (70.6, 12), (0, 1)] {
            let map = map(60, 200, hasBaseMap: true, zoom: zoom, tilt: tilt)
            map.add(area(map, .green))
            map.add(Polyline(points: [LatLng(lat: 0, lng: 0), LatLng(lat: 80, lng: 3)]))
            let frame = try map.placementForTests().frame
            #expect(!frame.commands.contains(where: \.isSky) && !frame.paths.contains(where: \.fades))
            let picture = try draw(map)
            map.sky = Sky(horizon: .red, zenith: .blue)
            #expect(try map.placementForTests().frame == frame && draw(map) == picture)
        }
    }

    /// A line that runs away from the camera: its own width as far as the ground does not fade, and in proportion to the distance from the
    /// horizon beyond.
    @Test(arguments: [[], [3, 3]] as [[Double]]) func linesThinOutWithDistance(pattern: [Double]) throws {
        let map = map(120, 400, tilt: 80)
        let line = Polyline(points: [LatLng(lat: -1, lng: 0), LatLng(lat: 60, lng: 0)])
        (line.width, line.pattern) = (16, pattern)
        map.add(line)
        let frame = try map.placementForTests().frame
        let thinning = try #require(try map.viewport().groundFade?.thinning)
        var widest: [Double: Double] = [:]
        let points = frame.paths[0].contours.flatMap { frame.points(ofContour: $0) }
        for point in points {
            let share = thinning.share(Double(point.y))
            let key = (share * 20).rounded() / 20
            widest[key] = max(widest[key] ?? 0, abs(Double(point.x) - 60) / share)
        }
        #expect(widest.count > (pattern.isEmpty ? 1 : 2))
        for (share, half) in widest { #expect(abs(half - 8) < (pattern.isEmpty ? 0.05 : 1), "\(half) at \(share)") }
        // Dashes shorter than a pixel's twentieth are left out. At the far limit, the line is thinner than a tenth of its width.
        guard pattern.isEmpty else { return }
        let top = points.map(\.y).min() ?? 0
        #expect(points.filter { $0.y == top }.allSatisfy { abs($0.x - 60) < 1.6 })
    }

    /// Dashes whose caps overlap in the distance, on lines to and from the far limit.
    @Test(arguments: [LineCap.round, .square], [[6, 4], [0, 8]] as [[Double]])
    func overlappingDashesThinOutToo(cap: LineCap, pattern: [Double]) throws {
        for isReversed in [false, true] {
            let map = map(120, 400, tilt: 80)
            let points = [LatLng(lat: -1, lng: 0), LatLng(lat: 60, lng: 0)]
            let line = Polyline(points: isReversed ? points.reversed() : points)
            (line.width, line.pattern, line.capType) = (4, pattern, cap)
            map.add(line)
            let frame = try map.placementForTests().frame
            let view = try map.viewport()
            let thinning = try #require(view.groundFade?.thinning)
            let far = try #require(view.farLimitY)
            let outline = frame.paths[0].contours.flatMap { frame.points(ofContour: $0) }
            #expect(outline.allSatisfy { $0.x.isFinite && $0.y.isFinite })
            for point in outline {
                #expect(abs(Double(point.x) - 60) < 2 * thinning.share(Double(point.y)) * 1.05 + 0.01)
            }
            #expect(abs(Double(outline.map(\.y).min() ?? 0) - far) < 1)
            #expect(outline.contains { $0.y > 395 })
        }
    }

    /// Many lines across the view: where the ground begins to fade, their own widths would fill every pixel.
    @Test func linesDoNotPileUpIntoABar() throws {
        let map = map(60, 400, zoom: 8, tilt: 80)
        (map.background, map.sky) = (.white, Sky(.white))
        for lat in stride(from: -2.0, through: 84, by: 0.5) {
            let line = Polyline(points: [LatLng(lat: lat, lng: -100), LatLng(lat: lat, lng: 0), LatLng(lat: lat, lng: 100)])
            line.width = 5
            map.add(line)
        }
        let picture = try draw(map)
        let start = Int(try #require(try map.viewport().groundFade?.lastRow))
        func darkness(_ rows: Range<Int>) -> Int { rows.map { 255 - Int(picture[30, $0].red) }.reduce(0, +) / rows.count }
        #expect(darkness(start..<start + 10) < 150 && darkness(start - 20..<start) < 150)
    }

    @Test func theSkyMayBeTwoColors() throws {
        let map = map(40, 300, hasBaseMap: true, tilt: 80)
        map.sky = Sky(horizon: .red, zenith: .blue)
        let picture = try draw(map)
        let far = try #require(try map.viewport().farLimitY)
        for row in 0..<Int(far) {
            let share = (Double(row) + 0.5) / far
            let pixel = picture[20, row]
            #expect(abs(Double(pixel.red) - 255 * share) < 1.5 && abs(Double(pixel.blue) - 255 * (1 - share)) < 1.5 && pixel.alpha == 255)
        }
    }

    /// In memory and on the device, the first color where the ground ends, however slanted the edge, and the second at the upper edge.
    @Test(arguments: [false, true]) func theSkyOfTwoColorsFollowsSlantedEdges(hasBaseMap: Bool) throws {
        // One edge; the far limit and three edges; an edge with the ground above it.
        for (lat, zoom, bearing, tilt) in [(75.0, 0.0, 20.0, 45.0), (75, 1, 60, 60), (25, 0, 100, 80), (-85, 3, 20, 0)] {
            let map = map(120, 90, hasBaseMap: hasBaseMap, lat: lat, zoom: zoom, bearing: bearing, tilt: tilt)
            map.sky = Sky(horizon: .red, zenith: .blue)
            map.background = Color(red: 0, green: 1, blue: 0)
            let picture = try draw(map)
            let fade = try #require(try map.viewport().groundFade)
            var count = 0
            for y in 0..<90 {
                for x in 0..<120 where fade.share(Double(x) + 0.5, Double(y) + 0.5) == 1 {
                    let row = Double(y) + 0.5
                    let share = row / (row + fade.rise(Double(x) + 0.5, row))
                    let pixel = picture[x, y]
                    count += 1
                    guard abs(Double(pixel.red) - 255 * share) > 1.5 || abs(Double(pixel.blue) - 255 * (1 - share)) > 1.5 else { continue }
                    Issue.record("\(x) \(y): \(pixel), share \(share), at \(map.camera)")
                    return
                }
            }
            #expect(count > 50, "\(map.camera)")
        }
    }

    /// The eastern edge of the world becomes vertical on the screen at the left of the picture, between these bearings.
    @Test func theSkyDoesNotJumpWhileTheMapTurns() throws {
        let pictures = try [118.6743, 118.6755].map { bearing in
            let map = MapView(500, 300, Camera(center: LatLng(lat: 25, lng: 10), zoom: 0, bearing: bearing, tilt: 80))
            map.sky = Sky(horizon: .white, zenith: .blue)
            return try draw(map)
        }
        #expect(pictures[0][499, 299] == .clear && pictures[0][499, 0].blue == 255)
        for y in 0..<300 {
            for x in 0..<500 { #expect(abs(Int(pictures[0][x, y].red) - Int(pictures[1][x, y].red)) <= 1) }
        }
    }

    @Test(arguments: [0.0, 30, 60, 80], [0.0, 90, 217])
    func theSkyBeginsWhereTheWorldEndsAt85DegreesToo(tilt: Double, bearing: Double) throws {
        for (lat, zoom) in [(84.0, 4.0), (80, 2), (-84.9, 6), (20, 0)] {
            let map = map(240, 160, hasBaseMap: true, lat: lat, zoom: zoom, bearing: bearing, tilt: tilt)
            (map.sky, map.background) = (Sky(.blue), Self.magenta)
            let picture = try draw(map)
            // The ground is white and the sky blue, so red equals green except where the background shows.
            var background = 0
            for y in 0..<picture.height {
                for x in 0..<picture.width where Int(picture[x, y].red) > Int(picture[x, y].green) + 2 { background += 1 }
            }
            #expect(background == 0, "\(lat), zoom \(zoom)")
        }
    }

    /// The same bytes, whatever the part of the picture and its edges.
    @Test(arguments: Seeds.slow) func aPictureInBandsOrTilesHasTheSameBytes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let map = map(
            200, 170, lat: random.number(-85...85), zoom: random.number(0...3), bearing: random.number(0...360),
            tilt: random.one(of: [0, 50, 78]))
        map.sky = random.one(of: [Sky(.red), Sky(horizon: .white, zenith: .blue), Sky(Color(red: 0, green: 0, blue: 1, alpha: 0.4))])
        map.background = random.one(of: [.clear, .white])
        map.add(0, 0) { $0.globalZIndex = Polyline.defaultGlobalZIndex - 1 }
        for place in 0..<30 {
            let points = (0..<5).map { _ in LatLng(lat: random.number(-85...85), lng: random.number(-180...180)) }
            let shape: Overlay = place % 2 == 0 ? Polyline(points: points) : Polygon(points: points)
            shape.globalZIndex = Polyline.defaultGlobalZIndex - place % 3
            map.add(shape)
        }
        let frame = try map.placementForTests().frame
        let renderer = try FrameRenderer(Context.make())
        let whole = try renderer.render(frame)
        var bands = Bitmap(width: 0, height: 0)
        try renderer.render(frame, into: &bands, pixelLimit: 200 * 13)
        #expect(bands == whole)
        let rect = PixelRect(x: 37, y: 11, width: 90, height: 70)
        let crop = try renderer.render(frame.cropped(to: rect))
        #expect(crop == whole.cropped(rect.x, rect.y, rect.width, rect.height))
    }
}

extension MapView {
    fileprivate func placementForTests() throws -> Placement { try Composer.of(self).place(self) }
}

extension LineThinning {
    /// The share of the width in a row.
    fileprivate func share(_ row: Double) -> Double { min(1, (row - vanishing) / (center - vanishing)) }
}

extension Command {
    fileprivate var isSky: Bool { if case .sky = self { true } else { false } }
}
