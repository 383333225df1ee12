import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct MarkerPropertyTests {
    private let mapView = MapView(300, 200, Camera(zoom: 4))

    private func quad() throws -> [Inspection.Point] { try #require(mapView.entry().icon?.quad) }

    // MARK: anchorOffset

    @Test(arguments: [1.0, 2, 3]) func theAnchorOffsetMovesTheIconOnTheScreen(ratio: Double) throws {
        mapView.pixelRatio = ratio
        let marker = mapView.add(0, 0) { $0.iconImage = .solid(20, 10) }
        #expect(try quad().isNear([(140, 90), (160, 90), (160, 100), (140, 100)], within: 1e-3))
        marker.anchorOffset = CGPoint(x: 7, y: -3)
        for (bearing, tilt) in [(0.0, 0.0), (90, 0), (33, 60)] {
            (mapView.camera.bearing, mapView.camera.tilt) = (bearing, tilt)
            #expect(try quad().isNear([(147, 87), (167, 87), (167, 97), (147, 97)], within: 1e-3))
        }
        // The anchor does not move.
        #expect(try mapView.entry().anchor == .init(x: 150, y: 100))
        // Rotation does not affect the offset.
        marker.angle = 90
        #expect(try quad().isNear([(167, 87), (167, 107), (157, 107), (157, 87)], within: 1e-3))
    }

    @Test func theAnchorOffsetOfAFlatIconIsEastAndSouth() throws {
        mapView.add(0, 0) {
            $0.iconImage = .solid(20, 10)
            $0.isFlat = true
            $0.anchor = CGPoint(x: 0, y: 0)
            $0.anchorOffset = CGPoint(x: 7, y: 3)
        }
        #expect(try quad().isNear([(157, 103), (177, 103), (177, 113), (157, 113)], within: 1e-3))
        // East is up, south is on the right.
        mapView.camera.bearing = 90
        #expect(try quad().isNear([(153, 93), (153, 73), (163, 73), (163, 93)], within: 1e-3))
        mapView.camera.bearing = 180
        #expect(try quad().isNear([(143, 97), (123, 97), (123, 87), (143, 87)], within: 1e-3))
    }

    @Test func anIconMovedIntoThePictureIsInIt() throws {
        let marker = mapView.add(0, 60) {
            $0.id = "m"
            $0.iconImage = .solid(20, 10)
        }
        #expect(try mapView.entry().reason == .outOfView)
        let anchor = try #require(mapView.point(from: marker.position!))
        marker.anchorOffset = CGPoint(x: 290 - anchor.x, y: 0)
        #expect(try mapView.entry().isVisible)
        marker.anchorOffset.x = .infinity
        #expect(try mapView.entry().reason == .invalid)
        #expect(try mapView.inspection().diagnostics.words == ["warning: m: anchorOffset.x: inf is outside -10000…10000"])
    }

    // MARK: Visibility by zoom

    /// The zooms, of those given, at which the only marker is drawn.
    private func drawn(_ zooms: [Double]) throws -> [Double] {
        try zooms.filter { zoom in
            mapView.camera.zoom = zoom
            let entry = try mapView.entry()
            #expect(entry.isVisible || entry.reason == .outOfZoom)
            #expect(try mapView.frame().sprites.count == (entry.isVisible ? 1 : 0))
            #expect((mapView.overlays[0].isVisible(atZoom: zoom)) == entry.isVisible)
            return entry.isVisible
        }
    }

    @Test func aLevelAppliesToTheZoomsUpToTheNext() throws {
        let marker = mapView.add(0, 0)
        let zooms = [3, 13.999, 14, 14.5, 14.999, 15, 15.5, 16, 24]
        #expect(try drawn(zooms) == zooms)
        marker.setVisibility(false, atZoom: 14)
        #expect(try drawn(zooms) == [3, 13.999, 15, 15.5, 16, 24])
        #expect(marker.hiddenZooms == ZoomLevels(from: 14, through: 14))
        marker.setVisibility(false, fromZoom: 13, toZoom: 15)
        #expect(try drawn(zooms) == [3, 16, 24])
        marker.setVisibility(true, atZoom: 14)
        #expect(try drawn(zooms) == [3, 14, 14.5, 14.999, 16, 24])
        marker.setVisibility(false, fromZoom: 24, toZoom: 99)
        #expect(try drawn(zooms) == [3, 14, 14.5, 14.999, 16])
        // Reversed ranges and invalid levels have no effect.
        marker.setVisibility(false, fromZoom: 16, toZoom: 3)
        marker.setVisibility(false, fromZoom: -9, toZoom: -1)
        #expect(try drawn(zooms) == [3, 14, 14.5, 14.999, 16])
        marker.setVisibility(true, fromZoom: .min, toZoom: .max)
        #expect(marker.hiddenZooms.isEmpty)
        #expect(try drawn(zooms) == zooms)
    }

    @Test func zoomRangeAndHiddenLevelsBothCount() throws {
        let marker = mapView.add(0, 0)
        (marker.minZoom, marker.maxZoom) = (5.5, 8)
        let zooms = [5, 5.499, 5.5, 6, 6.999, 7, 8, 8.001, 9]
        #expect(try drawn(zooms) == [5.5, 6, 6.999, 7, 8])
        marker.setVisibility(false, atZoom: 6)
        #expect(try drawn(zooms) == [5.5, 7, 8])
        (marker.minZoom, marker.maxZoom) = (8, 5)
        #expect(try drawn(zooms) == [])
        (marker.minZoom, marker.maxZoom) = (0, 24)
        #expect(try drawn(zooms) == [5, 5.499, 5.5, 7, 8, 8.001, 9])
        marker.hiddenZooms = []
        #expect(try drawn(zooms) == zooms)
        // `isHidden` overrides all.
        marker.isHidden = true
        #expect(!marker.isVisible(atZoom: 6))
        #expect(try mapView.entry().reason == .hidden)
    }

    // MARK: Names and the user's own data

    @Test func theUsersOwnDataChangesNothing() throws {
        let marker = mapView.add(0, 0)
        _ = try mapView.frame()
        let before = Composer.of(mapView).statistics.refreshedOverlays
        #expect(marker.tag == 0 && marker.userInfo.isEmpty)
        marker.tag = .min
        marker.userInfo = ["name": "hall", "floors": 13]
        #expect(marker.tag == .min)
        #expect(marker.userInfo["name"] as? String == "hall" && marker.userInfo["floors"] as? Int == 13)
        _ = try mapView.frame()
        #expect(Composer.of(mapView).statistics.refreshedOverlays == before)
    }

    @Test func uniqueIdsAreUnique() async {
        let groups = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<500).map { _ in
                        let marker = Marker()
                        let number = marker.uniqueId
                        return marker.uniqueId == number ? number : 0
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(groups).count == 2000 && !groups.contains(0))
    }

    @Test func synonymsAreTheSame() throws {
        let marker = Marker(position: LatLng(lat: 0, lng: 0))
        marker.icon = MarkerImage.red
        marker.rotation = 30
        marker.groundAnchor = CGPoint(x: 0.25, y: 0.75)
        marker.opacity = 0.5
        marker.map = mapView
        #expect(marker.iconImage == MarkerImage.red && marker.angle == 30 && marker.anchor == CGPoint(x: 0.25, y: 0.75))
        #expect(marker.alpha == 0.5 && marker.mapView === mapView && mapView.overlays == [marker])
        (marker.iconImage, marker.angle, marker.anchor, marker.alpha) = (MarkerImage.default, 7, .zero, 1)
        #expect(marker.icon == MarkerImage.green && marker.rotation == 7 && marker.groundAnchor == .zero && marker.opacity == 1)
        #expect(marker.map === mapView)
        // A change through a synonym is noticed.
        _ = try mapView.frame()
        marker.opacity = 0.25
        #expect(try mapView.frame().sprites.map(\.alpha) == [0.25])
        marker.map = nil
        #expect(mapView.overlays.isEmpty)
    }

    // MARK: Images

    /// Writes an image that is identified by its width.
    private func write(_ width: Int, _ name: String, in folder: ScratchFolder) throws {
        try Bitmap(width: width, height: 4, fill: .red).write(to: "\(folder.path)/\(name)", as: .png)
    }

    /// The width in pixels of the image found by name, and the icon's width in pt; empty if no image is found.
    private func found(_ name: String, ratio: Double = 1) throws -> [Double] {
        mapView.removeAll()
        mapView.pixelRatio = ratio
        mapView.add(0, 0) { $0.iconImage = OverlayImage(name: name) }
        guard try mapView.inspection().diagnostics.isEmpty else { return [] }
        let entry = try mapView.entry()
        let quad = try #require(entry.icon?.quad)
        return [Double(try mapView.frame().images[0].bitmap.width), quad[1].x - quad[0].x]
    }

    @Test func namesAreLookedUpInTheFoldersInOrder() throws {
        let (first, second) = (ScratchFolder(), ScratchFolder())
        try write(11, "pin.png", in: first)
        try write(12, "pin.png", in: second)
        try write(13, "other.png", in: second)
        mapView.imageFolders = [first.path, second.path + "/"]
        #expect(try found("pin") == [11, 11] && found("pin.png") == [11, 11] && found("other") == [13, 13])
        mapView.imageFolders.reverse()
        #expect(try found("pin") == [12, 12])
        // A marker already on the map is updated.
        mapView.imageFolders = [first.path]
        #expect(try mapView.frame().images.map(\.bitmap.width) == [11])
        mapView.imageFolders = ["/nonexistent"]
        #expect(try mapView.inspection().diagnostics.map(\.path) == ["iconImage"])
        mapView.imageFolders = [second.path]
        #expect(try mapView.frame().images.map(\.bitmap.width) == [12])
    }

    @Test func theScaleIsThatOfThePixelRatio() throws {
        let folder = ScratchFolder()
        mapView.imageFolders = [folder.path]
        try write(12, "pin.png", in: folder)
        try write(24, "pin@2x.png", in: folder)
        try write(36, "pin@3x.png", in: folder)
        #expect(try found("pin") == [12, 12] && found("pin", ratio: 2) == [24, 12] && found("pin", ratio: 3) == [36, 12])
        #expect(try found("pin.png", ratio: 2) == [24, 12])
        // Ratios in between take the larger image, scaled down to the pixels of 12 pt.
        #expect(try found("pin", ratio: 1.5) == [18, 12] && found("pin", ratio: 0.5) == [6, 12])
        #expect(try found("pin", ratio: 8)[1] == 12)
        try write(24, "big@2x.png", in: folder)
        #expect(try found("big") == [12, 12] && found("big", ratio: 2) == [24, 12] && found("big", ratio: 3)[1] == 12)
        try write(12, "small.png", in: folder)
        #expect(try found("small", ratio: 3)[1] == 12)
        // The scale can be part of the name.
        #expect(try found("pin@3x", ratio: 3)[1] == 12)
    }

    @Test func namesGoWithOrWithoutTheirExtension() throws {
        let folder = ScratchFolder()
        mapView.imageFolders = [folder.path]
        try write(12, "v1.2.png", in: folder)
        try write(13, "UPPER.PNG", in: folder)
        try folder.write("<svg xmlns='http://www.w3.org/2000/svg' width='14' height='9'><rect width='14' height='9'/></svg>", "drawn.svg")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/folder.png", withIntermediateDirectories: false)
        #expect(try found("v1.2") == [12, 12] && found("v1.2.png") == [12, 12] && found("UPPER.PNG") == [13, 13])
        #expect(try found("drawn") == [14, 14] && found("drawn.svg", ratio: 2) == [28, 14])
        #expect(try found("folder") == [] && found("v1") == [] && found("") == [])
    }

    @Test func aNameThatIsNoImageIsADiagnostic() throws {
        let marker = mapView.add(0, 0) {
            $0.id = "m"
            $0.iconImage = OverlayImage(name: "gone")
        }
        #expect(
            try mapView.inspection().diagnostics.words == [
                "warning: m: iconImage: the map's image folders have no image \"gone\"; the default icon is drawn in its place"
            ])
        marker.iconImage = MarkerImage.default
        #expect(try mapView.entry().isVisible && mapView.inspection().diagnostics.isEmpty)
    }

    @Test func aReuseIdentifierSharesOneRaster() throws {
        let bytes = try Bitmap(width: 5, height: 6, fill: .red).encoded(as: .png)
        for index in 0..<20 {
            mapView.add(0, Double(index) / 10) { $0.iconImage = OverlayImage(bytes: bytes, reuseIdentifier: index < 10 ? "a" : nil) }
        }
        let frame = try mapView.frame()
        #expect(frame.sprites.count == 20 && frame.images.count == 11)
        #expect(Set(frame.sprites.prefix(10).map(\.image)).count == 1)
        #expect(Set(frame.images.map(\.key)).count == 11)
        // Without an identifier, the same object is still one image.
        mapView.removeAll()
        let image = OverlayImage(bytes: bytes)
        for index in 0..<20 { mapView.add(0, Double(index) / 10) { $0.iconImage = image } }
        #expect(try mapView.frame().images.count == 1)
    }

    @Test func markersWithTheEmptyImageDrawNothing() throws {
        mapView.add(0, 0) { $0.iconImage = .empty }
        let entry = try mapView.entry()
        #expect(!entry.isVisible && entry.reason == .empty && entry.order == nil && entry.icon?.isVisible == false)
        #expect(try quad() == [.init(x: 150, y: 100), .init(x: 150, y: 100), .init(x: 150, y: 100), .init(x: 150, y: 100)])
        let frame = try mapView.frame()
        #expect(frame.sprites.isEmpty && frame.images.isEmpty && frame.commands.isEmpty)
    }

    @Test(arguments: [1.0, 2, 3, 1.5]) func anIconIsResampledToItsExactSize(ratio: Double) throws {
        var random = SplitMix64(seed: 4)
        let bitmap = Bitmap.noise(90, 70, &random)
        mapView.pixelRatio = ratio
        let marker = mapView.add(0, 0) { $0.iconImage = OverlayImage(bitmap: bitmap) }
        for (width, height) in [(24.0, 18.0), (10, 10), (1, 1), (0.2, 7), (400, 7), (200, 300)] {
            (marker.width, marker.height) = (width, height)
            let pixels = (max(1, Int((width * ratio + 0.5).rounded(.down))), max(1, Int((height * ratio + 0.5).rounded(.down))))
            let images = try mapView.frame().images
            #expect(images.map(\.bitmap) == [bitmap.scaled(toWidth: pixels.0, height: pixels.1)])
        }
        // An axis that is enlarged beyond measure is left to the sampler.
        (marker.width, marker.height) = (5000, 7)
        #expect(try mapView.frame().images[0].bitmap == bitmap.scaled(toWidth: 90, height: Int(7 * ratio + 0.5)))
        (marker.width, marker.height) = (4000, 3000)
        #expect(try mapView.frame().images[0].bitmap == bitmap)
    }
}
