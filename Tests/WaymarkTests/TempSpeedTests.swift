import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite(.serialized) struct TempSpeedTests {
    @Test func speeds() throws {
        for count in [10_000, 100_000, 1_000_000] {
            let mapView = MapView(size: CGSize(width: 1024, height: 1024))
            mapView.camera = Camera(center: LatLng(lat: 20, lng: 10), zoom: 2)
            var random = UInt64(88172645463325252)
            func next() -> Double { random ^= random << 13; random ^= random >> 7; random ^= random << 17; return Double(random % 1_000_000) / 1_000_000 }
            var all: [Overlay] = []
            for _ in 0..<count { all.append(Marker(position: LatLng(lat: next() * 140 - 70, lng: next() * 360 - 180))) }
            mapView.add(all)
            let start = ContinuousClock.now
            _ = mapView.visibleObjects(at: CGPoint(x: 500, y: 500))
            let cold = ContinuousClock.now - start
            for tilt in [0.0, 45] {
                mapView.camera.tilt = tilt
                _ = mapView.visibleObjects(at: CGPoint(x: 500, y: 500))
                var found = 0
                let warm = ContinuousClock().measure { for i in 0..<100 { found += mapView.visibleObjects(at: CGPoint(x: 300 + 4 * i, y: 450 + i)).count } }
                print("PICK \(count) tilt \(tilt): cold \(cold), warm \(warm / 100), found \(found / 100)")
            }
        }
        let renderer = try Renderer()
        func card(_ has: Bool) -> MapView {
            let mapView = MapView(size: CGSize(width: 512, height: 512))
            mapView.camera = Camera(center: LatLng(lat: 51.5, lng: 0), zoom: 12)
            for i in 0..<20 {
                let m = Marker(position: LatLng(lat: 51.5 + Double(i % 5 - 2) * 0.01, lng: Double(i / 5 - 2) * 0.02))
                m.captionText = "caption \(i)"; m.title = "London"; m.snippet = "Population: 8,174,100"
                mapView.add(m)
                if has, i == 10 { mapView.selectedMarker = m }
            }
            return mapView
        }
        let (plainMap, windowMap) = (card(false), card(true))
        var picture = Picture()
        var (a, b) = ([Duration](), [Duration]())
        for i in 0..<300 {
            for map in [plainMap, windowMap] { map.camera.center = LatLng(lat: 51.5, lng: Double(i) * 1e-5) }
            a.append(try ContinuousClock().measure { try renderer.render(plainMap, into: &picture) })
            b.append(try ContinuousClock().measure { try renderer.render(windowMap, into: &picture) })
        }
        print("CARD \(a.sorted()[150]) with window \(b.sorted()[150])")
    }
}
