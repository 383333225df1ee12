import Foundation
import Testing
import Waymark
import WaymarkLayout
import WaymarkTestSupport

/// Icons on the ground keep their detail where they are seen at a slant, near and far.
@Suite(.serialized) @MainActor struct FlatIconTests {
    init() { PinnedRasterizer.pin }

    /// The gradient energy of a row of icons, from near to far, each divided by an ideal icon's.
    private func shares(side: Double, tilt: Double, isPerspective: Bool, norths: [Double]) throws -> [Double] {
        let mapView = MapView(240, 200, Camera(zoom: 10, tilt: tilt))
        let marker = mapView.add(0, 0) {
            $0.iconImage = OverlayImage(bitmap: .detailed)
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            ($0.width, $0.height) = (side, side)
            $0.isFlat = true
            $0.iconPerspectiveEnabled = isPerspective
            $0.angle = 20
        }
        return try norths.map { north in
            marker.position = LatLng(lat: north / mapView.pixelsPerDegree, lng: 3.3 / mapView.pixelsPerDegree)
            let picture = try draw(mapView)
            let ideal = IconMeasure(.detailed, on: try mapView.iconQuad(), width: picture.width, height: picture.height)
            return IconMeasure(picture).gradientEnergy / ideal.gradientEnergy
        }
    }

    @Test(arguments: [45.0, 60, 75, 80], [false, true]) func aRowOfIconsIsEquallySharp(tilt: Double, isPerspective: Bool) throws {
        for side in [40.0, 56, 80] {
            let shares = try shares(side: side, tilt: tilt, isPerspective: isPerspective, norths: (-5...9).map { Double($0) * 8 })
            #expect(shares.allSatisfy { (0.85...1.4).contains($0) }, "side \(side): \(shares)")
            for (nearer, farther) in zip(shares, shares.dropFirst()) {
                #expect(abs(nearer - farther) < 0.15, "side \(side): \(shares)")
            }
        }
    }

    /// One image serves all sizes.
    @Test func iconsAtManyDistancesShareOneImage() throws {
        let mapView = MapView(240, 200, Camera(zoom: 10, tilt: 70))
        for place in 0..<40 {
            mapView.add(Double(place) * 0.02 - 0.1, 0) {
                $0.iconImage = OverlayImage(bitmap: .detailed, reuseIdentifier: "detailed")
                $0.isFlat = true
                $0.iconPerspectiveEnabled = true
            }
        }
        let frame = try mapView.frame()
        #expect(frame.sprites.count > 20 && frame.images.count == 1)
        #expect(frame.images[0].reduction == .image && frame.images[0].width == 64)
    }
}
