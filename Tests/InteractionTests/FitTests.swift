import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct FitTests {
    private func inspection(_ mapView: MapView) throws -> Inspection {
        try Composer.of(mapView).place(mapView).inspection()
    }

    /// The bounding box of all icons as drawn; nil when one of them is not in the picture.
    private func box(_ mapView: MapView) throws -> ScreenBox? {
        let entries = try inspection(mapView).overlays.filter { $0.reason != .hidden && $0.reason != .outOfZoom }
        var box = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for entry in entries {
            guard entry.isVisible, let quad = entry.icon?.quad else { return nil }
            for point in quad {
                box.left = min(box.left, point.x)
                box.right = max(box.right, point.x)
                box.top = min(box.top, point.y)
                box.bottom = max(box.bottom, point.y)
            }
        }
        return box
    }

    private func free(_ mapView: MapView, _ options: FitOptions) -> ScreenBox {
        let (inset, padding) = (options.contentInset, options.padding(in: mapView.pointSize))
        return ScreenBox(
            left: inset.left + padding, top: inset.top + padding, right: mapView.size.width - inset.right - padding,
            bottom: mapView.size.height - inset.bottom - padding)
    }

    @Test(arguments: [0.0, 90, 180, 217]) func atZoom0AFittedCameraShowsNoStripBeyondTheWorldUnlessItHasTo(bearing: Double) throws {
        /// The world's rows at the edges of the fitted picture, as fractions of the world.
        func rows(_ width: Double, _ height: Double, _ options: FitOptions = FitOptions(), _ lats: Double...) throws -> (Double, Double) {
            let map = MapView(width, height)
            for lat in lats {
                for lng in [-115.0, 0, 115] { map.add(lat, lng) { $0.iconImage = .solid(2, 2) } }
            }
            var options = options
            options.bearing = bearing
            map.camera = try map.camera(fitting: options)
            let view = try map.viewport()
            let rows = view.groundCorners.map { view.centerY + $0.y / view.worldSize }
            return (rows.min() ?? 0, rows.max() ?? 0)
        }
        // Turned by 217°, the corners of most pictures are beyond the world.
        guard bearing != 217 else { return #expect(try rows(500, 500, FitOptions(), 60, 80).0 < -0.01) }
        let (width, height) = bearing == 90 ? (340.0, 440.0) : (440, 340)
        // In the north and in the south, there is room to move.
        let north = try rows(width, height, FitOptions(), 40, 80)
        #expect(abs(north.0) < 1e-4 && north.1 < 0.999)
        let south = try rows(width, height, FitOptions(), -80, -40)
        #expect(abs(south.1 - 1) < 1e-4 && south.0 > 0.001)
        // Not as far as an overlay would be beyond the padding, and not if the center is given.
        var options = FitOptions()
        options.padding = 150
        #expect(try rows(width, height, options, 40, 83).0 < -0.01)
        options.padding = nil
        options.center = LatLng(lat: 80, lng: 0)
        #expect(try rows(width, height, options, 40, 80).0 < -0.01)
        // The picture is taller than the world.
        let all = bearing == 90 ? try rows(700, 440, FitOptions(), 0, 80) : try rows(440, 700, FitOptions(), 0, 80)
        #expect(all.0 < -0.1)
    }

    /// Fits, and expects everything to be within the padding and to touch it, unless the highest zoom is reached.
    /// - Parameter slack: In pt: icons snapped to whole pixels can be half a pixel off.
    private func expectTight(
        _ mapView: MapView, _ options: FitOptions, slack: Double, location: SourceLocation = #_sourceLocation
    ) throws {
        mapView.camera = try mapView.camera(fitting: options)
        let camera = mapView.camera
        #expect(camera.bearing == options.bearing && camera.tilt == options.tilt && camera.contentInset == options.contentInset)
        let free = self.free(mapView, options)
        let box = try #require(try self.box(mapView), "not everything is in the picture: \(camera)", sourceLocation: location)
        let isInside =
            box.left >= free.left - slack && box.right <= free.right + slack && box.top >= free.top - slack
            && box.bottom <= free.bottom + slack
        guard isInside else {
            // Together they are too large even at zoom 0, so their positions are fitted.
            try expectPositions(mapView, in: free, slack: slack, location: location)
            mapView.camera.zoom = 0
            let lowest = try #require(try self.box(mapView), sourceLocation: location)
            #expect(lowest.width > free.width || lowest.height > free.height, "\(lowest) \(free) \(camera)", sourceLocation: location)
            return
        }
        // Icons snapped to whole pixels may leave half a pixel free on both sides.
        let touches = box.width > free.width - 4 * slack - 0.01 || box.height > free.height - 4 * slack - 0.01
        // On a strongly tilted map, the far limit may limit the zoom.
        let viewport = try mapView.viewport()
        let isFar = mapView.overlays.contains { overlay in
            guard let marker = overlay as? Marker, !marker.isHidden, let offset = viewport.worldOffset(of: marker.position!) else {
                return false
            }
            let height = (marker.altitude + marker.position!.altitude) * viewport.pointsPerMeter(atLatitude: marker.position!.lat)
            return viewport.project(offsetX: offset.x, offsetY: offset.y, height: height).depth > 0.999 * viewport.farDepth
        }
        #expect(touches || isFar || camera.zoom == options.maxZoom, "\(box) \(free) \(camera)", sourceLocation: location)
    }

    /// Expects the positions of all markers to be inside a box.
    private func expectPositions(_ mapView: MapView, in free: ScreenBox, slack: Double, location: SourceLocation) throws {
        let viewport = try mapView.viewport()
        for case let marker as Marker in mapView.overlays {
            let point = try #require(viewport.point(from: marker.position!), sourceLocation: location)
            #expect(
                point.x >= free.left - slack && point.x <= free.right + slack && point.y >= free.top - slack
                    && point.y <= free.bottom + slack, "\(point) \(free) \(mapView.camera)", sourceLocation: location)
        }
    }

    /// A map of markers in a patch of the given size in degrees; unless `isSnapped`, icons are rotated so that they are not snapped.
    private func map(_ random: inout SplitMix64, degrees: Double, isSnapped: Bool = false) -> MapView {
        let mapView = MapView(size: CGSize(width: random.number(300...900).rounded(), height: random.number(300...900).rounded()))
        let (lat, lng) = (random.number(-55...55), random.number(-180...180))
        for _ in 0..<random.integer(2...30) {
            let marker = Marker(
                position: LatLng(lat: lat + random.number(-0.5...0.5) * degrees, lng: lng + random.number(-0.5...0.5) * degrees))
            marker.iconImage = random.one(of: [MarkerImage.red, MarkerImage.clusterHigh, MarkerImage.default])
            if !isSnapped { marker.angle = random.number(1...89) }
            marker.anchor = CGPoint(x: random.number(0...1), y: random.number(0...1))
            mapView.add(marker)
        }
        return mapView
    }

    @Test(arguments: Seeds.all) func tightAtAnyTiltAndBearing(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 30, 60, 75] {
            let mapView = map(&random, degrees: random.one(of: [0.001, 0.1, 5, 20]))
            let options = FitOptions(
                padding: random.number(0...60), bearing: random.one(of: [0, 90, random.number(0...360)]), tilt: tilt,
                contentInset: random.once(in: 2) ? EdgeInsets() : EdgeInsets(top: 20, left: 50, bottom: 0, right: 10))
            try expectTight(mapView, options, slack: 0.01)
        }
    }

    @Test(arguments: Seeds.all) func snappedIconsAreHalfAPixelOffAtMost(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 30, 60, 75] {
            let mapView = map(&random, degrees: random.one(of: [0.1, 5, 20]), isSnapped: true)
            try expectTight(mapView, FitOptions(bearing: random.number(0...360), tilt: tilt), slack: 0.51)
        }
    }

    @Test(arguments: Seeds.all) func flatRaisedAndPerspectiveIcons(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 30, 60] {
            let mapView = map(&random, degrees: random.one(of: [0.1, 5]))
            for case let marker as Marker in mapView.overlays {
                marker.isFlat = random.once(in: 2)
                marker.iconPerspectiveEnabled = random.once(in: 2)
                marker.altitude = random.once(in: 2) ? 0 : random.number(0...500)
            }
            try expectTight(mapView, FitOptions(bearing: random.number(0...360), tilt: tilt), slack: 0.05)
        }
    }

    @Test func overlaysInContainersCount() throws {
        func marker(_ lat: Double, _ lng: Double) -> Marker { Marker(position: LatLng(lat: lat, lng: lng)) }
        let flat = MapView(size: CGSize(width: 300, height: 200))
        flat.add([marker(1, 2), marker(3, 4), marker(-2, 5)])
        let nested = MapView(size: CGSize(width: 300, height: 200))
        let hidden = Container([marker(50, 50)])
        hidden.isHidden = true
        nested.add([marker(1, 2), Container([marker(3, 4), Container([marker(-2, 5)]), hidden])])
        #expect(try nested.camera(fitting: FitOptions(tilt: 40)) == flat.camera(fitting: FitOptions(tilt: 40)))
    }

    @Test func oneMarkerIsSeenAtTheHighestZoom() throws {
        let mapView = MapView(size: CGSize(width: 400, height: 300))
        mapView.add(Marker(position: LatLng(lat: 37.5666, lng: 126.9784)))
        for (maxZoom, tilt) in [(17.0, 0.0), (17, 60), (24, 0), (0, 30)] {
            let options = FitOptions(maxZoom: maxZoom, tilt: tilt)
            mapView.camera = try mapView.camera(fitting: options)
            #expect(mapView.camera.zoom == maxZoom)
            // Its icon is in the center, unless a strip beyond the world would be in the picture.
            let box = try #require(try self.box(mapView))
            #expect(abs(box.middleX - 200) <= 0.51)
            #expect(maxZoom == 0 ? box.middleY < 149 && box.top > 32 : abs(box.middleY - 150) <= 0.51)
        }
    }

    @Test func markersAtOnePlaceFitLikeOne() throws {
        let mapView = MapView(size: CGSize(width: 400, height: 300))
        for _ in 0..<100 { mapView.add(Marker(position: LatLng(lat: 10, lng: 20))) }
        #expect(try mapView.camera(fitting: FitOptions()).zoom == 17)
    }

    @Test func theShortestArcOfLongitudes() throws {
        let mapView = MapView(size: CGSize(width: 400, height: 300))
        for lng in [170.0, -175, 178, -179.5] { mapView.add(Marker(position: LatLng(lat: 10, lng: lng))) }
        try expectTight(mapView, FitOptions(), slack: 0.51)
        let center = mapView.camera.center.lng
        #expect(center > 177 && center < 178.5)
        #expect(mapView.camera.zoom > 3)
        // The shortest arc need not cross the antimeridian.
        mapView.removeAll()
        for lng in [-170.0, 0, 170] { mapView.add(Marker(position: LatLng(lat: 10, lng: lng))) }
        mapView.camera = try mapView.camera(fitting: FitOptions(padding: 0))
        // The gaps are 170, 170 and 20 degrees: the arc leaves out one of the larger ones.
        #expect(abs(abs(mapView.camera.center.lng) - 95) < 1)
        #expect(try box(mapView) != nil)
    }

    @Test func theContentInsetIsLeftFree() throws {
        let mapView = MapView(size: CGSize(width: 500, height: 400))
        for (lat, lng) in [(0.0, 0.0), (1, 1), (-1, 1)] { mapView.add(Marker(position: LatLng(lat: lat, lng: lng))) }
        let inset = EdgeInsets(top: 10, left: 200, bottom: 100, right: 20)
        try expectTight(mapView, FitOptions(padding: 15, contentInset: inset), slack: 0.51)
        try expectTight(mapView, FitOptions(padding: 15, tilt: 50, contentInset: inset), slack: 0.51)
    }

    @Test func zoomRangesAndHiddenMarkersAreIgnored() throws {
        let mapView = MapView(size: CGSize(width: 400, height: 300))
        let markers = [(0.0, 0.0), (0, 1), (0, 50)].map { Marker(position: LatLng(lat: $0, lng: $1)) }
        mapView.add(markers)
        let wide = try mapView.camera(fitting: FitOptions())
        markers[2].minZoom = 20
        #expect(try mapView.camera(fitting: FitOptions()) == wide)
        markers[2].minZoom = 0
        markers[2].isHidden = true
        #expect(try mapView.camera(fitting: FitOptions()).zoom > wide.zoom + 3)
        markers[2].isHidden = false
        markers[2].alpha = 0
        #expect(try mapView.camera(fitting: FitOptions()) == wide)
        markers[2].alpha = 7
        #expect(try mapView.camera(fitting: FitOptions()).zoom > wide.zoom + 3)
    }

    @Test func nothingToFitIsTheWholeWorldAndAWarning() throws {
        let mapView = MapView(size: CGSize(width: 200, height: 100))
        let words = ["warning: camera.fit: there is nothing to fit; the zoom defaults to 0, and the center to (0, 0)"]
        #expect(try mapView.camera(fitting: FitOptions()) == Camera())
        #expect(try inspection(mapView).diagnostics.words == words)
        #expect(try inspection(mapView).diagnostics.isEmpty)
        let marker = Marker(position: LatLng(lat: 10, lng: 10))
        marker.isHidden = true
        mapView.add(marker)
        #expect(try mapView.camera(fitting: FitOptions(bearing: 30, tilt: 40)) == Camera(bearing: 30, tilt: 40))
        #expect(try inspection(mapView).diagnostics.words == words)
    }

    @Test func invalidOptionsThrow() throws {
        let mapView = MapView(size: CGSize(width: 200, height: 100))
        mapView.add(Marker(position: LatLng(lat: 10, lng: 10)))
        func problem(_ options: FitOptions) -> String? {
            do throws(PropertyError) {
                _ = try mapView.camera(fitting: options)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(problem(FitOptions(padding: -1)) == "camera.padding: the value must be finite and at least 0, not -1")
        #expect(problem(FitOptions(padding: 50)) == "camera.padding: a padding of 50 pt leaves no room in the picture")
        #expect(problem(FitOptions(maxZoom: 25)) == "camera.maxZoom: 25 is outside 0…24")
        #expect(problem(FitOptions(tilt: 81)) == "camera.tilt: 81 is outside 0…80")
        #expect(problem(FitOptions(bearing: .nan)) == "camera.bearing: nan is not a finite number")
    }

    @Test(arguments: [0.0, 60]) func aWorldOfPlaces(tilt: Double) throws {
        var random = SplitMix64(seed: 34_006)
        let mapView = MapView(size: CGSize(width: 1024, height: 1024))
        for _ in 0..<34_006 {
            mapView.add(Marker(position: LatLng(lat: random.number(-55...75), lng: random.number(-20...170))))
        }
        try expectTight(mapView, FitOptions(tilt: tilt), slack: 0.51)
    }
}
