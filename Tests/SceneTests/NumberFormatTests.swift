import Testing
import WaymarkScene

@Suite struct NumberFormatTests {
    private func texts(
        _ numbers: [Double], _ format: NumberFormat = .compact, decimals: Int? = nil, digits: Int = 4
    ) -> [String] {
        NumberWriter(format, decimals: decimals, digits: digits).texts(of: numbers)
    }

    @Test func compactNumbersHaveSuffixesOnlyIfOneIsLarge() {
        #expect(texts([0, 500, 1200, 34_000, 3.4e6, 2.5e9, 7e12]) == ["0", "500", "1.2k", "34k", "3.4M", "2.5B", "7T"])
        #expect(texts([1990, 2005, 9999]) == ["1990", "2005", "9999"])
        #expect(texts([-1500, 10_000]) == ["\u{2212}1.5k", "10k"])
        // Rounding reaches the next suffix.
        #expect(texts([999_950, 10_000]) == ["1M", "10k"] && texts([999.96, 20_000]) == ["1k", "20k"])
        #expect(texts([8_432_100, 43_211_000], digits: 2) == ["8.4M", "43M"])
    }

    @Test func plainNumbersAreGrouped() {
        #expect(texts([1234, 12_345, 1_234_567.5], .plain) == ["1234", "12\u{202F}345", "1\u{202F}234\u{202F}568"])
        #expect(texts([0.5, 0.125, 3], .plain) == ["0.5", "0.125", "3"])
        #expect(texts([1, 2.5], .plain, decimals: 2) == ["1.00", "2.50"])
        #expect(texts([-0.004], .plain, decimals: 1) == ["0.0"])
    }

    @Test func percentAreHundredths() {
        #expect(texts([0, 0.25, 1, 12.5], .percent) == ["0%", "25%", "100%", "1250%"])
        #expect(texts([1e307, -.greatestFiniteMagnitude], .percent) == ["1×10³⁰⁹%", "\u{2212}1.798×10³¹⁰%"])
        #expect(texts([0.123, 0.1234], .percent, decimals: 0) == ["12.30%", "12.34%"])
    }

    @Test func differentNumbersHaveDifferentTexts() {
        #expect(texts([120_500, 121_000], digits: 2) == ["120.5k", "121k"])
        #expect(texts([1.00001, 1.00002], digits: 2) == ["1.00001", "1.00002"])
        // Numbers that differ in the last bit.
        let close = [0.1, 0.1.nextUp]
        #expect(Set(texts(close)).count == 2)
        #expect(texts([5, 5, 6]) == ["5", "5", "6"])
    }

    @Test func hugeAndTinyNumbersHavePowers() {
        #expect(texts([1.5e15, 2e18]) == ["1.5×10¹⁵", "2×10¹⁸"] && texts([3e-7, 1e-6]) == ["3×10⁻⁷", "0.000001"])
        #expect(texts([9.9999e-7], digits: 2) == ["1×10⁻⁶"] && texts([-2e20]) == ["\u{2212}2×10²⁰"])
        #expect(texts([.leastNonzeroMagnitude, .greatestFiniteMagnitude]).allSatisfy { $0.contains("×10") })
    }

    @Test func datesAreAsPreciseAsNeeded() {
        let day = 86_400.0
        #expect(texts([0, 365 * day], .date) == ["1970", "1971"])
        #expect(texts([0, 31 * day], .date) == ["1970-01", "1970-02"])
        #expect(texts([951_782_400, 951_868_800], .date) == ["2000-02-29", "2000-03-01"])
        // Milliseconds, and a moment before 1970.
        #expect(texts([1_700_000_000_000, -1], .date) == ["2023-11-14", "1969-12-31"])
        #expect(texts([0, 3600], .date) == ["1970-01-01 00:00", "1970-01-01 01:00"] && texts([0, 1], .date)[1] == "1970-01-01 00:00:01")
        // The largest number tells that both are milliseconds.
        #expect(texts([3e10, 1.3e11], .date) == ["1970-12-14", "1974-02-13"])
        // Years without four digits are plain numbers.
        #expect(texts([1e11 - 1, 0], .date).count == 2 && texts([2.6e11 * 1000], .date) == texts([2.6e14], .plain))
    }
}
