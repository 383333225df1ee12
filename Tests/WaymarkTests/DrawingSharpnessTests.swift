import Foundation
import Testing
import Waymark
import WaymarkLayout
import WaymarkTestSupport

/// A turned drawing, or one scaled with distance, is as sharp as a drawing made for that size, place and angle.
@Suite(.serialized) @MainActor struct DrawingSharpnessTests {
    init() { PinnedRasterizer.pin }

    /// Its lines are thinner than a device pixel at times.
    private static let drawing = """
        <svg xmlns='http://www.w3.org/2000/svg' width='30' height='30' viewBox='0 0 30 30'><circle cx='15' cy='15' r='14' fill='#245'/>
        <path d='M15 3 L24 24 L15 19 L6 24 Z' fill='#fff' stroke='#e33' stroke-width='1.4'/><circle cx='15' cy='15' r='2' fill='#111'/></svg>
        """

    enum Subject: CaseIterable {
        case svg, pin, lettered

        /// The image, and a drawing of it far larger than it is shown.
        @MainActor func image() throws -> (OverlayImage, Bitmap) {
            switch self {
            case .svg: (OverlayImage(bytes: Array(drawing.utf8)), try large(OverlayImage(bytes: Array(drawing.utf8)), 30, 30))
            case .pin: (MarkerImage.red, try large(MarkerImage.red, 26, 36))
            case .lettered:
                (
                    MarkerImage.pin(color: .orange, symbol: "K") ?? .red,
                    try large(MarkerImage.pin(color: .orange, symbol: "K") ?? .red, 27, 37)
                )
            }
        }

        /// Drawn upright, 16 times as large.
        @MainActor private func large(_ image: OverlayImage, _ width: Double, _ height: Double) throws -> Bitmap {
            let mapView = MapView(width * 16, height * 16)
            mapView.add(0, 0) {
                $0.iconImage = image
                $0.anchor = CGPoint(x: 0.5, y: 0.5)
                ($0.width, $0.height) = (width * 16, height * 16)
            }
            return try draw(mapView)
        }
    }

    /// The gradient energy of the drawn icon, divided by the ideal icon's, over several positions.
    private func sharpness(
        _ subject: Subject, _ mapView: MapView, places: [(Double, Double)], _ change: (Marker) -> Void
    ) throws -> Double {
        let (image, large) = try subject.image()
        let marker = mapView.add(0, 0) {
            $0.iconImage = image
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            change($0)
        }
        var (drawn, ideal) = (0.0, 0.0)
        for (x, y) in places {
            marker.position = LatLng(lat: y / mapView.pixelsPerDegree, lng: x / mapView.pixelsPerDegree)
            let picture = try draw(mapView)
            let quad = try mapView.iconQuad()
            #expect(quad.count == 4)
            let reference = IconMeasure(large, on: quad, width: picture.width, height: picture.height)
            drawn += IconMeasure(picture).gradientEnergy
            ideal += reference.gradientEnergy
        }
        return drawn / ideal
    }

    private static let subPixels = [(0.0, 0.0), (0.25, 0.5), (0.5, 0.25), (0.7, 0.8)]

    @Test(arguments: Subject.allCases, [7.0, 30, 45, 90, 133, 180])
    func turned(subject: Subject, angle: Double) throws {
        for ratio in [1.0, 2] {
            let mapView = MapView(60, 60, pixelRatio: ratio, Camera(zoom: 10))
            let share = try sharpness(subject, mapView, places: Self.subPixels) { $0.angle = angle }
            #expect((0.9...1.08).contains(share), "ratio \(ratio): \(share)")
        }
    }

    /// Near the camera and far from it, with and without an angle.
    @Test(arguments: Subject.allCases, [-90.0, -50, 0, 80, 200])
    func inPerspective(subject: Subject, north: Double) throws {
        for angle in [0.0, 30] {
            let mapView = MapView(200, 240, Camera(zoom: 10, tilt: 60))
            let places = Self.subPixels.map { ($0.0 * 4, north + $0.1 * 4) }
            let share = try sharpness(subject, mapView, places: places) {
                $0.iconPerspectiveEnabled = true
                $0.angle = angle
            }
            #expect((0.9...1.08).contains(share), "angle \(angle): \(share)")
        }
    }

    @Test(arguments: Subject.allCases, [1.3, 2.4, 0.6])
    func turnedAtOtherSizes(subject: Subject, scale: Double) throws {
        let mapView = MapView(100, 100, Camera(zoom: 10))
        let (image, _) = try subject.image()
        _ = image
        let share = try sharpness(subject, mapView, places: Self.subPixels) {
            ($0.width, $0.height) = (30 * scale, 36 * scale)
            $0.angle = 20
        }
        #expect((0.9...1.08).contains(share), "\(share)")
    }

    /// On the ground, the side away from the camera is foreshortened.
    @Test(arguments: Subject.allCases, [0.0, 40, 60, 75, 80])
    func flat(subject: Subject, tilt: Double) throws {
        for isPerspective in [false, true] {
            let mapView = MapView(120, 120, Camera(zoom: 10, tilt: tilt))
            let share = try sharpness(subject, mapView, places: Self.subPixels) {
                $0.isFlat = true
                $0.iconPerspectiveEnabled = isPerspective
                $0.angle = 25
            }
            #expect((0.9...1.08).contains(share), "\(isPerspective): \(share)")
        }
    }

    /// Scales come in steps, so that many markers at many distances share few drawings.
    @Test func manyDistancesShareFewDrawings() throws {
        var random = SplitMix64(seed: 3)
        let mapView = MapView(400, 400, Camera(zoom: 10, tilt: 60))
        let svg = OverlayImage(bytes: Array(Self.drawing.utf8))
        for _ in 0..<1000 {
            mapView.add(random.number(-0.1...0.5), random.number(-0.3...0.3)) {
                $0.iconImage = random.once(in: 2) ? svg : MarkerImage.red
                $0.iconPerspectiveEnabled = true
                $0.angle = random.number(0...360)
            }
        }
        let frame = try mapView.frame()
        #expect(frame.sprites.count > 300)
        #expect(frame.images.count < 64, "\(frame.images.count)")
        // The drawings in between are made from a few drawings by librsvg.
        let sides = Set(frame.images.filter { $0.name == "svg" }.map(\.width))
        #expect(sides.count > 4)
    }
}
