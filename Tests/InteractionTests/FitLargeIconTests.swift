import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// No camera shows all of an icon that is larger than the picture: its position is within the padding at the highest zoom at which everything
/// else is, and as much of the icon as that allows is in the picture. Once such a camera fell to zoom 0.
@Suite struct FitLargeIconTests {
    private func add(_ mapView: MapView, _ id: String, _ lat: Double, _ lng: Double, _ size: (Double, Double)? = nil) {
        let marker = Marker(position: LatLng(lat: lat, lng: lng))
        marker.id = id
        if let size { (marker.width, marker.height) = size }
        mapView.add(marker)
    }

    private struct Fitted {
        var camera: Camera
        var anchors: [String: CGPoint]
        var boxes: [String: ScreenBox]
        var words: [String]
    }

    private func fit(_ mapView: MapView, _ options: FitOptions) throws -> Fitted {
        mapView.camera = try mapView.camera(fitting: options)
        let inspection = try Composer.of(mapView).place(mapView).inspection()
        var fitted = Fitted(camera: mapView.camera, anchors: [:], boxes: [:], words: inspection.diagnostics.map(\.description))
        for entry in inspection.overlays {
            fitted.anchors[entry.id] = try mapView.viewport().point(from: (mapView.overlay(withID: entry.id) as? Marker)!.position!)
            var box = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
            for point in entry.icon?.quad ?? [] {
                (box.left, box.right) = (min(box.left, point.x), max(box.right, point.x))
                (box.top, box.bottom) = (min(box.top, point.y), max(box.bottom, point.y))
            }
            fitted.boxes[entry.id] = box
        }
        return fitted
    }

    /// The part of the picture within the padding.
    private func free(_ mapView: MapView, _ options: FitOptions) -> ScreenBox {
        let padding = options.padding(in: mapView.pointSize)
        return ScreenBox(
            left: padding, top: padding, right: mapView.size.width - padding, bottom: mapView.size.height - padding)
    }

    /// Boxes are half a pixel larger on every side while a camera is searched for, since icons are snapped to whole pixels: an icon that just
    /// fits must not count as too large.
    @Test(arguments: [99.5, 100]) func anIconAsWideAsThePictureFits(width: Double) throws {
        let mapView = MapView(100, 100)
        add(mapView, "wide", 10, 10, (width, 50))
        let camera = try mapView.camera(fitting: FitOptions(padding: 0, maxZoom: 17))
        #expect(camera.zoom == 17)
        #expect(abs(camera.center.lng - 10) < 1e-6)
    }

    @Test func oneIcon() throws {
        let mapView = MapView(200, 100)
        add(mapView, "poster", 10, 20, (400, 60))
        let fitted = try fit(mapView, FitOptions(padding: 10))
        #expect(fitted.camera.zoom == 17)
        #expect(
            fitted.words == [
                "camera.fit: the marker \"poster\" is larger (400 × 60 pt) than the 180 × 80 pt inside the padding; "
                    + "all positions are shown, but icons and captions may be cut off"
            ])
        // Its box is in the middle, since its position is within the padding then.
        let box = try #require(fitted.boxes["poster"])
        #expect(abs(box.middleX - 100) <= 0.51 && abs(box.middleY - 50) <= 0.51)
    }

    /// The anchor stays within the padding, however far the icon reaches beyond it.
    @Test func anIconBesideItsPosition() throws {
        let mapView = MapView(200, 100)
        add(mapView, "tower", 10, 20, (20, 400))
        let fitted = try fit(mapView, FitOptions(padding: 10))
        let anchor = try #require(fitted.anchors["tower"])
        #expect(abs(anchor.x - 100) < 0.01 && abs(anchor.y - 90) < 0.01, "\(anchor)")
    }

    @Test(arguments: [0.0, 40, 65]) func othersAreInsideAsEver(tilt: Double) throws {
        let mapView = MapView(400, 300)
        add(mapView, "a", 37.5, 127)
        add(mapView, "b", 37.6, 127.1)
        let options = FitOptions(padding: 20, bearing: 30, tilt: tilt)
        let without = try fit(mapView, options)
        add(mapView, "poster", 37.55, 127.05, (500, 40))
        let fitted = try fit(mapView, options)
        // The poster's position lies between the others.
        #expect(abs(fitted.camera.zoom - without.camera.zoom) < 0.03, "\(fitted.camera) \(without.camera)")
        let free = free(mapView, options)
        for id in ["a", "b"] {
            let box = try #require(fitted.boxes[id])
            #expect(
                box.left >= free.left - 0.51 && box.right <= free.right + 0.51 && box.top >= free.top - 0.51
                    && box.bottom <= free.bottom + 0.51, "\(id) \(box)")
        }
        #expect(fitted.words.count == 1 && fitted.words[0].contains("the marker \"poster\" is larger"))
    }

    /// Positions are within the padding, and no higher zoom would keep them there: over random icons, some larger than the picture.
    @Test(arguments: Seeds.all) func positionsAreTight(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 30, 60] {
            let mapView = MapView(random.number(120...400).rounded(), random.number(120...400).rounded())
            let (lat, lng, degrees) = (random.number(-55...55), random.number(-170...170), random.one(of: [0.01, 1, 8]))
            for index in 0..<random.integer(2...12) {
                add(
                    mapView, "\(index)", lat + random.number(-0.5...0.5) * degrees, lng + random.number(-0.5...0.5) * degrees,
                    (random.number(450...900), random.number(450...900)))
            }
            let options = FitOptions(padding: 12, bearing: random.number(0...360), tilt: tilt)
            let fitted = try fit(mapView, options)
            let free = free(mapView, options)
            let (xs, ys) = (fitted.anchors.values.map(\.x), fitted.anchors.values.map(\.y))
            #expect(xs.count == mapView.overlays.count)
            let (left, right) = (try #require(xs.min()), try #require(xs.max()))
            let (top, bottom) = (try #require(ys.min()), try #require(ys.max()))
            #expect(
                left >= free.left - 1.01 && right <= free.right + 1.01 && top >= free.top - 1.01 && bottom <= free.bottom + 1.01,
                "\(left) \(right) \(top) \(bottom) \(free)")
            let isTight = right - left > free.width - 0.1 || bottom - top > free.height - 0.1
            #expect(isTight || fitted.camera.zoom == options.maxZoom, "\(fitted.camera)")
            #expect(fitted.words.count == 1 && fitted.words[0].contains("larger"), "\(fitted.words)")
        }
    }

    /// Captions, info windows and view overlays can also be larger; a caption that is larger removes only itself.
    @Test func captionsAndViews() throws {
        let mapView = MapView(200, 160)
        add(mapView, "a", 10, 20)
        let marker = try #require(mapView.overlay(withID: "a") as? Marker)
        marker.captionText = String(repeating: "long ", count: 40)
        let options = FitOptions(padding: 20)
        var fitted = try fit(mapView, options)
        #expect(fitted.camera.zoom == 17 && fitted.words.count == 1 && fitted.words[0].contains("the marker \"a\" is larger ("))
        let box = try #require(fitted.boxes["a"])
        #expect(box.left >= 20 && box.right <= 180 && box.top >= 19.49 && box.bottom <= 140.51, "\(box)")
        marker.captionText = ""
        let view = ViewOverlay(content: .label(String(repeating: "wide ", count: 14)), coordinates: LatLng(lat: 10, lng: 20.001))
        view.id = "banner"
        mapView.add(view)
        fitted = try fit(mapView, options)
        #expect(fitted.camera.zoom > 14 && fitted.words.count == 1, "\(fitted.camera)")
        #expect(fitted.words.first?.contains("the view overlay \"banner\" is larger") == true)
    }

    /// No overlay is too large by itself, but together they are, at any zoom: their positions are inside.
    @Test func twoThatDoNotFitTogether() throws {
        let mapView = MapView(100, 100)
        add(mapView, "west", 0, -20, (45, 20))
        add(mapView, "east", 0, 10, (45, 20))
        let options = FitOptions(padding: 15)
        let fitted = try fit(mapView, options)
        #expect(
            fitted.words == [
                "camera.fit: the overlays do not fit inside the padding at any zoom; all positions are shown, but icons and captions may be cut off"
            ])
        let (west, east) = (try #require(fitted.anchors["west"]), try #require(fitted.anchors["east"]))
        #expect(abs(west.x - 15) < 1.01 && abs(east.x - 85) < 1.01 && fitted.camera.zoom > 0.5)
    }

    /// Whether positions fit or not, a world that is larger than the picture is centered at zoom 0.
    @Test func aWorldThatIsLargerThanThePicture() throws {
        let mapView = MapView(100, 100)
        add(mapView, "west", 0, -80, (45, 20))
        add(mapView, "east", 0, 80, (45, 20))
        let fitted = try fit(mapView, FitOptions())
        #expect(fitted.camera.zoom == 0 && abs(fitted.camera.center.lng) < 0.1)
        #expect(fitted.words == ["camera.fit: the overlays do not fit into the picture at any zoom"])
    }
}
