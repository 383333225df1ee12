import Testing
import WaymarkImaging
import WaymarkScene

@Suite struct ColorSchemeTests {
    /// The largest difference of two lists of colors in a channel, in steps of 1/255.
    private func difference(_ colors: [Color], _ digits: [String]) -> Int {
        guard colors.count == digits.count else { return 256 }
        return zip(colors, digits).map { color, digits in
            let value = Int(digits, radix: 16) ?? 0
            let expected = [value >> 16, value >> 8 & 255, value & 255]
            return zip([color.red, color.green, color.blue], expected).map { abs(Int(($0 * 255).rounded()) - $1) }.max() ?? 256
        }.max() ?? 256
    }

    @Test func colorsAreThoseOfMatplotlib() throws {
        let oracle = try ScaleOracle.read()
        #expect(Set(oracle.schemes.keys) == Set(ColorScheme.names) && ColorScheme.names.count == 40)
        for (name, expected) in oracle.schemes {
            let scheme = try #require(ColorScheme(named: name))
            #expect(difference(scheme.smooth, expected.all) == 0, "\(name)")
            for (key, colors) in expected.samples ?? [:] {
                let count = try #require(Int(key))
                // ColorBrewer's own colors for few classes are not matplotlib's.
                if scheme.smooth.count < 256, (3...scheme.smooth.count).contains(count) { continue }
                #expect(difference(try #require(scheme.colors(count)), colors) <= 1, "\(name) with \(count) colors")
            }
        }
    }

    @Test func colorBrewerHasOwnColorsForEachNumber() throws {
        let scheme = try #require(ColorScheme(named: "YlGnBu"))
        #expect(difference(try #require(scheme.colors(4)), ["ffffcc", "a1dab4", "41b6c4", "225ea8"]) == 0)
        #expect(difference(try #require(ColorScheme(named: "-YlGnBu")?.colors(3)), ["2c7fb8", "7fcdbb", "edf8b1"]) == 0)
        #expect(difference(try #require(ColorScheme(named: "RdBu")?.colors(11)), ColorSchemeTests.redBlue) == 0)
        #expect(scheme.colors(1)?.count == 1 && scheme.colors(200)?.count == 200 && scheme.colors(0) == nil && scheme.limit == nil)
    }

    private static let redBlue = [
        "67001f", "b2182b", "d6604d", "f4a582", "fddbc7", "f7f7f7", "d1e5f0", "92c5de", "4393c3", "2166ac", "053061",
    ]

    @Test func qualitativeSchemesHaveALimit() throws {
        let scheme = try #require(ColorScheme(named: "Set1"))
        #expect(scheme.limit == 9 && scheme.colors(10) == nil)
        #expect(difference(try #require(scheme.colors(3)), ["e41a1c", "377eb8", "4daf4a"]) == 0)
        #expect(ColorScheme(named: "Set9") == nil && ColorScheme(named: "--Set1") == nil && ColorScheme(named: "") == nil)
    }
}
