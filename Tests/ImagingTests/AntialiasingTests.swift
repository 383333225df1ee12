import Testing
import WaymarkImaging
import WaymarkTestSupport

/// Differences at antialiased edges are harmless; moved, changed or missing content is not.
@Suite struct AntialiasingTests {
    /// The contents of a picture: the part of a pixel within a shape, given a point in pixels.
    typealias Shape = (_ x: Double, _ y: Double) -> Bool

    static func disc(_ centerX: Double, _ centerY: Double, _ radius: Double) -> Shape {
        { x, y in (x - centerX) * (x - centerX) + (y - centerY) * (y - centerY) < radius * radius }
    }

    static func square(_ left: Double, _ top: Double, _ side: Double) -> Shape {
        { x, y in x >= left && x < left + side && y >= top && y < top + side }
    }

    /// A shape over a background, antialiased by the share of points that it covers.
    static func picture(
        _ shape: Shape, _ color: SIMD4<Double> = [30, 60, 200, 255], on background: SIMD4<Double> = [240, 240, 230, 255], points: Int = 16
    ) -> Bitmap {
        var bitmap = Bitmap(width: 40, height: 40)
        for y in 0..<40 {
            for x in 0..<40 {
                var covered = 0
                for row in 0..<points {
                    for column in 0..<points {
                        let (across, down) = ((Double(column) + 0.5) / Double(points), (Double(row) + 0.5) / Double(points))
                        if shape(Double(x) + across, Double(y) + down) { covered += 1 }
                    }
                }
                let share = Double(covered) / Double(points * points)
                let pixel = (background + (color - background) * share).rounded(.toNearestOrAwayFromZero)
                bitmap[x, y] = .init(red: UInt8(pixel.x), green: UInt8(pixel.y), blue: UInt8(pixel.z), alpha: UInt8(pixel.w))
            }
        }
        return bitmap
    }

    static func isEqual(_ a: Bitmap, _ b: Bitmap) -> Bool {
        // In both directions.
        let (forth, back) = (PictureComparison(a, b, antialiasing: .ignored), PictureComparison(b, a, antialiasing: .ignored))
        #expect(forth.matches == back.matches && forth.differingPixels == back.differingPixels)
        #expect(forth.ignoredPixels + forth.differingPixels == PictureComparison(a, b).differingPixels)
        return forth.matches
    }

    @Test(arguments: [0.1, 0.25, 0.4]) func partOfAPixelIsHarmless(shift: Double) {
        for clear in [false, true] {
            let background: SIMD4<Double> = clear ? .zero : [240, 240, 230, 255]
            for (shape, moved) in [
                (Self.disc(20, 20, 9), Self.disc(20 + shift, 20, 9)), (Self.disc(19.3, 20.6, 12), Self.disc(19.3, 20.6 - shift, 12)),
                (Self.disc(20.2, 20.2, 5), Self.disc(20.2 + shift / 2, 20.2 - shift / 2, 5)),
            ] {
                let (a, b) = (Self.picture(shape, on: background), Self.picture(moved, on: background))
                #expect(!PictureComparison(a, b).matches)
                #expect(Self.isEqual(a, b))
            }
        }
    }

    @Test func fewerSamplesAreHarmless() {
        // Four samples per pixel, and the exact share.
        let shape: Shape = { x, y in y > 8 + x * 0.37 && y < 34 - x * 0.21 }
        let (fine, coarse) = (Self.picture(shape), Self.picture(shape, points: 2))
        #expect(PictureComparison(fine, coarse).differingPixels > 40)
        #expect(Self.isEqual(fine, coarse))
    }

    /// Moved by a whole pixel, each picture's pixels all have their like in the other's neighborhood.
    @Test(arguments: [(1.0, 0.0), (0, -1), (1, 1), (-1, 1), (2, 0)]) func aWholePixelIsFound(x: Double, y: Double) {
        for (shape, moved) in [
            (Self.disc(20, 20, 9), Self.disc(20 + x, 20 + y, 9)), (Self.disc(19.3, 20.6, 4), Self.disc(19.3 + x, 20.6 + y, 4)),
            (Self.square(10, 11, 8), Self.square(10 + x, 11 + y, 8)), (Self.square(10.5, 11.5, 8), Self.square(10.5 + x, 11.5 + y, 8)),
        ] {
            #expect(!Self.isEqual(Self.picture(shape), Self.picture(moved)))
        }
        // Blurred edges, too.
        let (soft, hard) = (Self.disc(20, 20, 9), Self.disc(20 + x, 20 + y, 9))
        func blurred(_ shape: @escaping Shape) -> Bitmap {
            let small = Self.picture(shape)
            return small.scaled(toWidth: 10, height: 10).scaled(toWidth: 40, height: 40)
        }
        #expect(!Self.isEqual(blurred(soft), blurred(hard)) || blurred(soft) == blurred(hard))
    }

    @Test func aColorIsFound() {
        for change in [8.0, -8, 2] {
            let other = SIMD4<Double>(30, 60, 200, 255) + SIMD4(change, change, 0, 0)
            #expect(!Self.isEqual(Self.picture(Self.disc(20, 20, 9)), Self.picture(Self.disc(20, 20, 9), other)))
            // Strokes thinner than a pixel, too.
            let stroke: Shape = { x, y in abs(x - 12.3) < 0.6 || abs(y - x * 0.5 - 8) < 0.5 }
            #expect(!Self.isEqual(Self.picture(stroke), Self.picture(stroke, other)))
        }
    }

    @Test func whatIsMissingIsFound() {
        let dot = Self.disc(20.5, 20.5, 0.5)
        let line: Shape = { x, y in abs(y - 14) < 0.5 && x > 5 && x < 30 }
        let nothing: Shape = { _, _ in false }
        for shape in [dot, line] { #expect(!Self.isEqual(Self.picture(shape), Self.picture(nothing))) }
        // A hole.
        let disc = Self.disc(20, 20, 9)
        #expect(!Self.isEqual(Self.picture(disc), Self.picture { x, y in disc(x, y) && !dot(x, y) }))
    }

    @Test func atTheBordersThereAreNoNeighbors() {
        let (a, b) = (Self.picture(Self.square(0, 0, 40)), Self.picture(Self.square(0, 0, 40), [38, 60, 200, 255]))
        #expect(PictureComparison(a, b, antialiasing: .ignored).differingPixels == 1600)
        let (dark, light) = (Bitmap(width: 1, height: 1, fill: .black), Bitmap(width: 1, height: 1, fill: .white))
        #expect(!PictureComparison(dark, light, antialiasing: .ignored).matches)
        #expect(PictureComparison(Self.picture(Self.disc(0, 0, 9.2)), Self.picture(Self.disc(0.2, 0, 9.2)), antialiasing: .ignored).matches)
    }

    @Test func theThresholdWidensTheRange() {
        // An edge that moves, and every color by 3.
        let (a, b) = (
            Self.picture(Self.disc(20, 20, 9)), Self.picture(Self.disc(20.2, 20, 9), [33, 63, 203, 255], on: [243, 243, 233, 255])
        )
        #expect(!PictureComparison(a, b, threshold: 2, antialiasing: .ignored).matches)
        #expect(PictureComparison(a, b, threshold: 3, antialiasing: .ignored).matches)
        #expect(!PictureComparison(a, b, threshold: 3).matches)
    }

    @Test func whatIsSaid() {
        let (a, b) = (Self.picture(Self.square(10, 10, 8)), Self.picture(Self.square(10.25, 10, 8)))
        let comparison = PictureComparison(a, b, antialiasing: .ignored)
        #expect(comparison.matches && comparison.differingPixels == 0 && comparison.ignoredPixels == 16)
        #expect(comparison.worstWindow == nil && comparison.bounds == nil)
        // A quarter of the contrast in red, 210.
        #expect(comparison.largest?.difference == 53)
        #expect(
            comparison.description
                == "no pixel differs by more than 0, except 16 pixels in antialiased edges; the largest difference is 53 at (10, 10)")
        var dotted = b
        dotted[30, 30].green -= 7
        let found = PictureComparison(a, dotted, antialiasing: .ignored)
        // The largest of the counted differences, however much larger an ignored one is.
        #expect(found.largest == .init(difference: 7, x: 30, y: 30) && found.ignoredPixels == 16 && found.differingPixels == 1)
        #expect(found.bounds == PixelRect(x: 30, y: 30, width: 1, height: 1))
        #expect(found.differencePicture()?[30, 30] == .opaqueRed && found.differencePicture()?[10, 10] != .opaqueRed)
    }
}
