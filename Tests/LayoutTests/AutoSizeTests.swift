import Testing
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Icons with a side that the image determines.
@Suite struct AutoSizeTests {
    private func map(_ width: Double, _ height: Double, _ image: OverlayImage) -> MapView {
        let map = MapView(200, 200)
        map.add(0, 0) { ($0.iconImage, $0.width, $0.height) = (image, width, height) }
        return map
    }

    @Test func anAutoSideComesFromTheImageWhateverTheOther() throws {
        let wide = OverlayImage.solid(40, 20)
        for (width, height, expected) in [(10.0, 0.0, (10.0, 20.0)), (0, 10, (40, 10)), (0, 0, (40, 20)), (7, 9, (7, 9))] {
            let quad = try #require(try map(width, height, wide).placement().inspection().overlays[0].icon?.quad)
            #expect(quad[2].x - quad[0].x == expected.0 && quad[2].y - quad[0].y == expected.1)
        }
    }

    @Test func inspectWarnsWhenAnAutoSideDistortsTheImageByMoreThanATenth() throws {
        func warnings(_ width: Double, _ height: Double, _ image: OverlayImage) throws -> [String] {
            let placement = try map(width, height, image).placement()
            // The picture is drawn as requested.
            #expect(placement.diagnostics.isEmpty)
            return placement.inspection().diagnostics.words
        }
        #expect(
            try warnings(20, 0, MarkerImage.blue) == [
                "warning: builtin:blue: height: \"auto\" means the image's own height, 36 pt, which distorts the image; "
                    + "with a width of 20 pt, a height of 27.7 pt keeps the image's proportions"
            ])
        let wide = OverlayImage.solid(40, 20)
        #expect(try warnings(0, 30, wide).first?.contains("own width, 40 pt") == true)
        // Within a tenth, and with both sides or none.
        for (width, height) in [(44.0, 0.0), (37, 0), (0, 19), (0, 0), (10, 10)] { #expect(try warnings(width, height, wide).isEmpty) }
        #expect(try warnings(44.5, 0, wide).count == 1 && warnings(36, 0, wide).count == 1)
        // Once for all markers that look alike.
        let several = self.map(20, 0, MarkerImage.blue)
        for lng in 1...5 { several.add(0, Double(lng)) { ($0.iconImage, $0.width) = (MarkerImage.blue, 20) } }
        #expect(try several.placement().inspection().diagnostics.count == 1)
    }

    @Test func inspectWarnsOfADistortedElement() throws {
        let mapView = MapView(200, 200)
        func warnings(_ width: Double, _ height: Double) throws -> [String] {
            var element = ImageElement(.solid(40, 20))
            (element.width, element.height) = (width, height)
            mapView.elements = [.image(element)]
            let placement = try mapView.placement()
            #expect(placement.diagnostics.isEmpty)
            return placement.inspection().diagnostics.words
        }
        // The second image is that of the first picture.
        for _ in 1...2 {
            #expect(
                try warnings(60, 0) == [
                    "warning: elements[0].height: \"auto\" means the image's own height, 20 pt, which distorts the image; "
                        + "with a width of 60 pt, a height of 30 pt keeps the image's proportions"
                ])
        }
        #expect(try warnings(0, 30).first?.contains("a width of 60 pt keeps the image's proportions") == true)
        for (width, height) in [(44.0, 0.0), (0, 19), (0, 0), (10, 10)] { #expect(try warnings(width, height).isEmpty) }
    }

    @Test func unknownFilterPrimitivesCauseADiagnostic() throws {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><filter id='f'><feGlow/></filter></svg>"
        let image = OverlayImage(bytes: Array(svg.utf8), reuseIdentifier: "icon.svg")
        #expect(
            try map(0, 0, image).placement().diagnostics.words == [
                "warning: icon.svg: iconImage: librsvg does not know the filter primitive feGlow and skips it"
            ])
    }
}
