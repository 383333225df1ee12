import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

@Suite struct PointOfInterestIconTests {
    private let disc = DiscImage(fill: Color(hex: 0x2060a0), stroke: .white, strokeWidth: 1, diameter: 20)

    private func drawn(_ icon: PointOfInterestIcon, pixelRatio: Double = 1) throws -> Bitmap {
        let mapView = MapView(100, 100, pixelRatio: pixelRatio)
        let image = PointOfInterestImage(icon, disc: try #require(disc), color: Color(hex: 0xffc000))
        mapView.add(0, 0) { $0.iconImage = OverlayImage(vector: .pointOfInterest(image)) }
        return try #require(try mapView.frame().images.first).bitmap
    }

    @Test func everyIconLiesWithinTheDiscAndOnlyTheAnimalsLookAlike() throws {
        var seen: [Bitmap] = []
        for icon in PointOfInterestIcon.allCases {
            let bitmap = try drawn(icon, pixelRatio: 2)
            #expect([bitmap.width, bitmap.height] == [40, 40])
            let plain = try #require(disc).bitmap(width: 40, height: 40)
            var changed = 0
            for y in 0..<40 {
                for x in 0..<40 where bitmap[x, y] != plain[x, y] {
                    changed += 1
                    // The ring and the pixels that it shares with the disc keep their colors.
                    let (dx, dy) = (Double(x) - 19.5, Double(y) - 19.5)
                    #expect(dx * dx + dy * dy < 17.5 * 17.5, "\(icon) reaches the ring at \(x), \(y)")
                }
            }
            // A glyph needs ink to be seen, and room to be told from others.
            #expect(60...700 ~= changed, "\(icon) covers \(changed) pixels")
            if icon != .zoo { #expect(!seen.contains(bitmap), "\(icon) looks like another icon") }
            seen.append(bitmap)
        }
    }

    @Test func anIconIsCenteredAndSharpAtEveryPixelRatio() throws {
        for ratio in [1.0, 1.5, 2, 3, 8] {
            let bitmap = try drawn(.hospital, pixelRatio: ratio)
            let side = bitmap.width
            #expect(side == Int(20 * ratio))
            for y in 0..<side {
                for x in 0..<side / 2 {
                    let (a, b) = (bitmap[x, y], bitmap[side - 1 - x, y])
                    #expect(abs(Int(a.red) - Int(b.red)) <= 1 && abs(Int(a.blue) - Int(b.blue)) <= 1)
                }
            }
            #expect(bitmap[side / 2, side / 2] == Color(hex: 0xffc000).premultipliedBytes)
        }
    }

    @Test func differentImagesHaveDifferentNames() throws {
        let disc = try #require(disc)
        let names = Set(PointOfInterestIcon.allCases.map { PointOfInterestImage($0, disc: disc, color: .white).name })
        #expect(names.count == PointOfInterestIcon.allCases.count)
        #expect(PointOfInterestImage(.cafe, disc: disc, color: .white).name == "poi:cafe-ffffff-2060a0-ffffff-1-20")
    }
}
