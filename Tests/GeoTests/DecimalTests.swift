import Testing
import WaymarkGeo

@Suite struct DecimalTests {
    @Test(arguments: [
        (1.5, 3, "1.500"), (-0.0001, 3, "0.000"), (-0.0005, 3, "-0.001"), (0.0, 0, "0"), (2.5, 0, "3"), (-2.5, 0, "-3"),
        (126.978374, 9, "126.978374000"), (0.9996, 3, "1.000"),
    ])
    func printsFixedDecimals(value: Double, decimals: Int, expected: String) {
        #expect(fixed(value, decimals) == expected)
    }
}
