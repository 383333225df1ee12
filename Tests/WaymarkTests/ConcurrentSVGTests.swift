import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkTestSupport

/// librsvg once ran in a copy of this process, made by fork alone: whatever lock another thread held at that moment, while it loaded a driver
/// for instance, was locked forever in the copy.
@Suite struct ConcurrentSVGTests {
    @Test func threeHundredRenders() throws {
        let isDone = Mutex(false)
        let loading = Thread {
            while !isDone.withLock({ $0 }) { RendererOpening().wait() }
        }
        PinnedRasterizer.pin
        loading.start()
        defer { isDone.withLock { $0 = true } }
        let renderer = try Renderer()
        var first: Bitmap?
        for round in 0..<300 {
            // Each is decoded and drawn again, since it is a different file.
            let svg = """
                <svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><!-- \(round) --><rect width='40' height='40' fill='#0a6'/>
                <text x='4' y='28' font-size='20' fill='white'>Ab</text></svg>
                """
            let mapView = MapView(48, 48, Camera(center: LatLng(lat: 0, lng: 0), zoom: 3))
            mapView.add(0, 0) { $0.iconImage = OverlayImage(bytes: Array(svg.utf8), reuseIdentifier: "\(round).svg") }
            let picture = try renderer.render(mapView)
            #expect(picture.diagnostics.isEmpty, "\(picture.diagnostics)")
            if let first { #expect(picture.bitmap == first) }
            first = first ?? picture.bitmap
        }
        #expect(first?[6, 22].green == 0xaa)
    }
}
