import Testing
import WaymarkTestSupport
import WaymarkVectorTiles

@Suite struct FeatureGeometryTests {
    /// The parts of a geometry as a text, or the sentence of the error.
    private func parts(_ feature: HandmadeFeature, version: UInt64 = 2) -> String {
        var layer = HandmadeLayer("a", feature)
        layer.version = version
        let text = HandmadeTile(layer).text
        guard let start = text.firstIndex(of: "["), let end = text.firstIndex(of: "]") else {
            return text.replacing("layer \"a\": feature 0: ", with: "")
        }
        return String(text[text.index(after: start)..<end])
    }

    private func parts(_ type: UInt64, _ commands: [UInt32]) -> String { parts(HandmadeFeature(type, commands)) }

    /// The examples of section 4.3.5 of the specification.
    @Test func examplesOfTheSpecification() {
        #expect(parts(1, [9, 50, 34]) == "25,17")
        #expect(parts(1, [17, 10, 14, 3, 9]) == "5,7 3,2")
        #expect(parts(2, [9, 4, 4, 18, 0, 16, 16, 0]) == "2,2 2,10 10,10")
        #expect(parts(2, [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8]) == "2,2 2,10 10,10; 1,1 3,5")
        #expect(parts(3, [9, 6, 12, 18, 10, 12, 24, 44, 15]) == "+3,6 8,12 20,34")
        #expect(
            parts(3, [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15, 9, 4, 13, 26, 0, 8, 8, 0, 0, 7, 15])
                == "+0,0 10,0 10,10 0,10; +11,11 20,11 20,20 11,20; -13,13 13,17 17,17 17,13")
    }

    private let square = [(0, 0), (8, 0), (8, 8), (0, 8)]
    private let hole = [(2, 2), (2, 6), (6, 6), (6, 2)]

    /// Version 1 leaves the direction of rings open, so the first ring decides, as in the decoders of Mapbox.
    @Test(arguments: [1, 2] as [UInt64]) func directionOfRings(version: UInt64) {
        #expect(parts(.polygons(square, hole), version: version) == "+0,0 8,0 8,8 0,8; -2,2 2,6 6,6 6,2")
        let reversed = parts(.polygons(square.reversed(), hole.reversed()), version: version)
        #expect(reversed == "+0,8 8,8 8,0 0,0; -6,2 6,6 2,6 2,2")
        // Two exterior rings.
        #expect(parts(.polygons(square, hole.reversed()), version: version) == "+0,0 8,0 8,8 0,8; +6,2 6,6 2,6 2,2")
    }

    @Test func degenerateParts() {
        // Rings of one and two points, without an area, and with the first point repeated.
        #expect(parts(.polygons([(1, 1)])) == "")
        #expect(parts(.polygons([(1, 1), (5, 5)], square)) == "+0,0 8,0 8,8 0,8")
        #expect(parts(.polygons([(1, 1), (5, 5), (3, 3)], hole.reversed(), [(9, 9)])) == "+6,2 6,6 2,6 2,2")
        #expect(parts(.polygons(square + [(0, 0)])) == "+0,0 8,0 8,8 0,8")
        // The direction of a ring without an area does not decide.
        #expect(parts(.polygons([(0, 0), (4, 0), (0, 0)], square, hole)) == "+0,0 8,0 8,8 0,8; -2,2 2,6 6,6 6,2")
        #expect(parts(.lines([(1, 1)], [(2, 2), (2, 2)], [(7, 7)])) == "2,2 2,2")
        #expect(parts(.points([(3, 3), (3, 3)])) == "3,3 3,3")
        #expect(parts(2, []) == "" && parts(3, []) == "" && parts(1, []) == "")
    }

    @Test func ringsThatCrossThemselves() {
        #expect(parts(.polygons([(0, 0), (8, 8), (8, 0), (0, 6)])) == "+0,0 8,8 8,0 0,6")
        // Both halves of this ring have the same area.
        #expect(parts(.polygons([(0, 0), (8, 8), (8, 0), (0, 8)])) == "")
    }

    /// Early encoders closed rings with a count of 0, or not at all.
    @Test func ringsThatAreNotClosed() {
        #expect(parts(3, [9, 6, 12, 18, 10, 12, 24, 44, 7]) == "+3,6 8,12 20,34")
        #expect(parts(3, [9, 6, 12, 18, 10, 12, 24, 44]) == "+3,6 8,12 20,34")
        #expect(parts(3, [9, 6, 12, 18, 10, 12, 24, 44, 9, 1, 1, 18, 10, 12, 24, 44]) == "+3,6 8,12 20,34; +19,33 24,39 36,61")
    }

    /// The area of the largest square, and of a triangle that is nearly a line.
    @Test func largeCoordinates() {
        let most = 1 << 29
        let square = [(-most, -most), (most, -most), (most, most), (-most, most)]
        #expect(parts(.polygons(square, [(0, 0), (0, 1), (1, 0)])).contains("; -0,0"))
        #expect(parts(.polygons([(-most, -most), (most, most), (most - 1, most - 2)], [(0, 0), (1, 0), (0, 1)])).contains("; -0,0"))
        let outside = "the geometry has a coordinate outside -536870912…536870912"
        #expect(parts(.points([(most, -most)])) == "536870912,-536870912")
        #expect(parts(.points([(most, 0), (most + 1, 0)])) == outside && parts(.points([(0, -most - 1)])) == outside)
        // Sums beyond 32 bits do not wrap.
        #expect(parts(1, [9, .max - 1, 0]) == outside && parts(2, [9, 0, 0, 18, 2, 2, .max, .max]) == outside)
    }

    @Test func commandsThatAreRefused() {
        let short = "the geometry ends within a command"
        #expect(parts(1, [9, 50]) == short && parts(1, [17, 10, 14, 3]) == short && parts(1, [.max - 6, 2, 2]) == short)
        #expect(parts(2, [9, 4, 4, 18, 0, 16, 16]) == short && parts(2, [9, 4, 4, .max - 5, 0, 0]) == short)
        #expect(parts(2, [9]) == short && parts(3, [9, 0, 0, 26, 1, 1]) == short)
        #expect(parts(1, [9, 0, 0, 8 | 3]) == "the geometry has the unknown command 3")
        #expect(parts(1, [8]) == "the geometry has the unknown command 0")
        #expect(parts(1, [1]) == "the geometry has a command without points")
        #expect(parts(2, [9, 0, 0, 2]) == "the geometry has a command without points")
        #expect(parts(2, [17, 0, 0, 2, 2]) == "a line of the geometry begins with 2 points")
        #expect(parts(2, [10, 0, 0]) == "a line of the geometry has no first point")
        #expect(parts(3, [9, 0, 0, 15, 10, 2, 2]) == "a line of the geometry has no first point")
        #expect(parts(1, [9, 0, 0, 10, 2, 2]) == "the geometry consists of points, but contains a line")
        #expect(parts(2, [9, 0, 0, 10, 2, 2, 15]) == "the geometry closes a ring, but is not a polygon")
        #expect(parts(3, [15]) == "the geometry closes a ring that has no points")
        #expect(parts(3, [9, 0, 0, 18, 2, 2, 0, 2, 23]) == "the geometry closes a ring 2 times")
    }

    /// Numbers of geometries and attributes have 32 bits; an encoder may write more bytes.
    @Test func longNumbers() throws {
        let geometry = [0x89, 0x80, 0x00, 0xB2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 34] as [UInt8]
        let feature = Wire.number(3, 1) + Wire.bytes(4, geometry)
        let layer = Wire.text(1, "a") + Wire.bytes(2, feature) + Wire.number(15, 2)
        #expect(try TileText.text(Wire.bytes(3, layer)) == "layer a version 2 extent 4096\n0 points [25,17] {}\n")
    }
}
