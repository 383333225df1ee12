import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// Insets: a second map in the picture, and the area that one map covers in the other.
@Suite struct InsetTests {
    private func maps(zoom: Double = 10, insetZoom: Double = 6, _ change: (inout InsetElement) -> Void = { _ in }) -> (
        main: MapView, inner: MapView
    ) {
        let main = MapView(400, 300, Camera(center: .city, zoom: zoom))
        let inner = MapView(100, 80, Camera(center: .city, zoom: insetZoom))
        inner.add(LatLng.city.lat, LatLng.city.lng)
        var inset = InsetElement(inner)
        inset.borderWidth = 2
        change(&inset)
        main.elements = [.inset(inset)]
        return (main, inner)
    }

    /// The box around the contours of a path.
    private func box(_ path: Path, _ frame: Frame) -> (low: PathPoint, high: PathPoint) {
        let points = path.contours.flatMap { frame.points(ofContour: $0) }
        return points.reduce((points[0], points[0])) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    }

    @Test func anInsetIsAFrameInTheFrame() throws {
        let (main, inner) = maps()
        let inspection = try main.inspection()
        #expect(inspection.elements[0].rect == Inspection.Rect(x: 400 - 10 - 104, y: 10, width: 104, height: 84))
        let frame = try main.frame()
        let image = try #require(frame.images.last)
        let nested = try #require(image.nestedFrame)
        #expect(image.width == 100 && nested.sprites.count == 1 && nested.background == MapTheme.light.defaults.background)
        #expect(frame.sprites.last.map { ($0.x, $0.y) }! == (288, 12))
        // While the inset draws the same, its image is the same, wherever the main map is.
        main.camera.zoom = 11
        #expect(try main.frame().images.last?.key == image.key)
        inner.add(LatLng.city.lat + 0.2, LatLng.city.lng)
        #expect(try main.frame().images.last?.key != image.key)
    }

    /// The main map at four zoom levels more covers a sixteenth of its size on the inset.
    @Test func theInsetShowsTheAreaOfTheMainMap() throws {
        let (main, _) = maps()
        let frame = try main.frame()
        // The border, then above the image the area, its casing and its line.
        #expect(frame.paths.count == 4)
        let (low, high) = box(frame.paths[1], frame)
        let middle = (low + high) / 2
        #expect(middle == PathPoint(338, 52))
        #expect(high - low == PathPoint(25, 18.75))
    }

    @Test func aTinyAreaIsDrawnLarger() throws {
        let frame = try maps(zoom: 16).main.frame()
        let (low, high) = box(frame.paths[1], frame)
        #expect(high - low == PathPoint(6, 6))
    }

    @Test func aTiltedMapCoversATrapezium() throws {
        let main = maps(insetZoom: 4).main
        (main.camera.tilt, main.camera.bearing) = (50, 30)
        let frame = try main.frame()
        let corners = Array(frame.points(ofContour: frame.paths[1].contours.lowerBound))
        #expect(corners.count == 4)
        func length(_ a: PathPoint, _ b: PathPoint) -> Float { ((a - b) * (a - b)).sum().squareRoot() }
        #expect(length(corners[0], corners[1]) > 2 * length(corners[2], corners[3]))
    }

    @Test func theMainMapShowsTheAreaOfTheInset() throws {
        let main = maps(zoom: 6, insetZoom: 8) { $0.extent = .map }.main
        let frame = try main.frame()
        // Not filled: colors of the main map may stand for values.
        #expect(frame.paths.count == 3)
        let (low, high) = box(frame.paths[0], frame)
        let (middle, size) = ((low + high) / 2, high - low)
        #expect(middle == PathPoint(200, 150) && size == PathPoint(28.5, 23.5))
        #expect(try maps { $0.extent = .none }.main.frame().paths.count == 1)
    }

    @Test func anInsetWithoutOverlaysShowsTheSurroundings() throws {
        let (main, inner) = maps { $0.fit = FitOptions() }
        inner.removeAll()
        inner.symbols = []
        var frame = try #require(main.frame().images.last?.nestedFrame)
        #expect(frame.sprites.isEmpty)
        // 400 pt of the main map are 400 / 32 pt of the inset.
        let outer = try main.frame()
        let (low, high) = box(outer.paths[1], outer)
        #expect(high - low == PathPoint(12.5, 9.375))
        inner.add(10, 10)
        inner.add(12, 14)
        frame = try #require(main.frame().images.last?.nestedFrame)
        #expect(frame.sprites.count == 2)
    }

    @Test func theProblemsOfAnInsetHaveItsPath() throws {
        let (main, inner) = maps()
        inner.add(95, 0)
        #expect(try main.inspection().diagnostics.map(\.path) == ["elements[0].position.lat"])
        inner.camera.zoom = 30
        let inspection = try main.inspection()
        #expect(inspection.diagnostics.map(\.description) == ["elements[0].camera.zoom: 30 is outside 0…24; the element is not drawn"])
        #expect(inspection.elements[0].reason == .invalid)
    }

    @Test func anInsetCannotContainAnother() throws {
        let (main, inner) = maps()
        inner.elements = [.inset(InsetElement(MapView(10, 10))), .northArrow(NorthArrowElement())]
        #expect(
            try main.inspection().diagnostics.map(\.description) == [
                "elements[0].elements[0]: an inset cannot contain another inset; the element is not drawn"
            ])
        main.elements = [.inset(InsetElement(main))]
        #expect(
            try main.inspection().diagnostics.map(\.description) == [
                "elements[0]: an inset cannot show the map that contains it; the element is not drawn"
            ])
    }

    /// An inset has the fonts, the language, the image folders and the samples of the main map.
    @Test func anInsetHasTheSettingsOfTheMainMap() throws {
        let (main, inner) = maps()
        inner.add(LatLng.city.lat, LatLng.city.lng).captionText = "Inner"
        (main.language, main.imageFolders, main.modelSamples) = ("ja", ["icons"], 1)
        #expect(try main.inspection().elements[0].isVisible)
        #expect(inner.language == "ja" && inner.imageFolders == ["icons"] && inner.modelSamples == 1)
        let noFonts = ScratchFolder()
        main.fontSource = .folder(noFonts.path)
        let inspection = try main.inspection()
        #expect(inspection.elements[0].reason == .invalid && inspection.diagnostics.first?.description.hasPrefix("elements[0]: ") == true)
    }

    /// The caches of an inset follow those of the main map into the budget of its renderer.
    @Test func theCachesOfAnInsetAreInTheBudgetOfTheMainMap() throws {
        let (main, inner) = maps()
        Composer.of(main).caches.move(to: CacheBudget(byteLimit: 0, isAlone: true))
        inner.add(LatLng.city.lat, LatLng.city.lng).captionText = "Inner"
        _ = try main.frame()
        #expect(Composer.of(inner).keptBytes > 0)
        Composer.of(main).caches.trim()
        #expect(Composer.of(inner).keptBytes == 0)
        main.forgetLayout()
        #expect(main.layout == nil && inner.layout == nil)
    }
}
