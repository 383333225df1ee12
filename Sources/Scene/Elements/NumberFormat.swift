import Foundation
import WaymarkGeo

/// How a legend writes numbers. The result does not depend on a locale.
public enum NumberFormat: String, Hashable, Sendable, CaseIterable {
    /// The suffixes k, M, B and T stand for thousands, millions, billions and trillions, as in 1.2k and 34M. They are used only if at least
    /// one number of the legend is 10,000 or more.
    case compact
    /// All digits before the decimal point are written. From 10,000 on, they are in groups of three, as in 12 345.
    case plain
    /// Numbers are written as percentages: 0.25 is written as 25%.
    case percent
    /// Numbers are written as dates in UTC, as precisely as needed: 2024, 2024-05, 2024-05-17, 2024-05-17 08:30. The numbers are seconds
    /// since 1970 or, if one of them is 100 billion or more, milliseconds.
    case date
}

extension NumberFormat: NamedChoice {}

/// Writes the numbers of a legend so that different numbers have different texts.
package struct NumberWriter: Sendable {
    package var format: NumberFormat
    /// The number of decimals. Nil: as many as the digits require, without zeros at the end.
    package var decimals: Int?
    /// The number of significant digits, if `decimals` is nil. Digits before the point are not rounded, except with a suffix.
    package var digits: Int

    package init(_ format: NumberFormat, decimals: Int? = nil, digits: Int = 4) {
        (self.format, self.decimals, self.digits) = (format, decimals, digits)
    }

    /// The maximum number of decimals. Further decimals would not be exact.
    private static let mostDecimals = 15
    private static let suffixes = ["", "k", "M", "B", "T"]
    /// The range of numbers that are written without a power of ten.
    private static let plainRange = 1e-6..<1e15
}

extension NumberWriter {
    /// The texts of some numbers. If rounding would make the texts of two different numbers equal, all numbers get more decimals.
    /// - Parameter dateUnit: The number of date units per second. By default, it is determined from the numbers.
    package func texts(of numbers: [Double], dateUnit: Double? = nil) -> [String] {
        if format == .date, let dates = dates(of: numbers, unit: dateUnit ?? Self.unit(of: numbers)) { return dates }
        let isShort = format == .compact && numbers.contains { abs($0) >= 10_000 }
        let count = Set(numbers).count
        for added in 0...Self.mostDecimals {
            let texts = numbers.map { text(of: $0, isShort: isShort, added: added) }
            if Set(texts).count == count { return texts }
        }
        return numbers.map { Self.signed("\(abs($0))", isNegative: $0 < 0) }
    }

    /// - Parameters:
    ///   - isShort: Whether the number has a suffix.
    ///   - added: The number of decimals to add.
    private func text(of number: Double, isShort: Bool, added: Int) -> String {
        guard number.isFinite else { return "\(number)" }
        var size = abs(number)
        var suffix = ""
        if format == .percent { (size, suffix) = (size * 100, "%") }
        guard size == 0 || Self.plainRange.contains(size) || decimals != nil && size < 1 else {
            // A hundred times the number may be infinite.
            return Self.signed(power(abs(number), times: format == .percent ? 2 : 0, added: added) + suffix, isNegative: number < 0)
        }
        var digits = rounded(size, added: added)
        if isShort {
            var index = 0
            // A number that rounds up to 1,000 has the next suffix.
            while index + 1 < Self.suffixes.count, (Double(digits) ?? 0) >= 1000 {
                index += 1
                digits = rounded(size / Foundation.pow(1000, Double(index)), added: added, isShort: true)
            }
            suffix = Self.suffixes[index]
        }
        let isZero = digits.allSatisfy { $0 == "0" || $0 == "." }
        return Self.signed(Self.grouped(digits) + (isShort && isZero ? "" : suffix), isNegative: number < 0 && !isZero)
    }

    private func rounded(_ size: Double, added: Int, isShort: Bool = false) -> String {
        if let decimals { return fixed(size, min(decimals + added, Self.mostDecimals)) }
        let magnitude = size > 0 ? Int(Foundation.log10(size).rounded(.down)) : 0
        return Self.trimmed(fixed(size, min(max(0, digits - 1 - magnitude) + added, Self.mostDecimals)))
    }

    /// A number with a power of ten: 1.2×10¹⁵.
    /// - Parameter factor: The exponent of the power of ten by which the number is multiplied.
    private func power(_ size: Double, times factor: Int, added: Int) -> String {
        var exponent = Int(Foundation.log10(size).rounded(.down))
        let places = min(max(0, digits - 1) + added, Self.mostDecimals)
        // In two steps, because a power below 10⁻³⁰⁸ is not exact.
        var mantissa = fixed(size / Foundation.pow(10, Double(exponent / 2)) / Foundation.pow(10, Double(exponent - exponent / 2)), places)
        if mantissa.hasPrefix("10") { (mantissa, exponent) = (fixed(1, places), exponent + 1) }
        return "\(Self.trimmed(mantissa))×10\(Self.superscript(exponent + factor))"
    }

    private static func superscript(_ number: Int) -> String {
        let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
        return (number < 0 ? "⁻" : "") + String("\(abs(number))".compactMap(\.wholeNumberValue).map { digits[$0] })
    }

    /// Removes the zeros at the end of a number's decimals.
    private static func trimmed(_ digits: String) -> String {
        guard digits.contains(".") else { return digits }
        let whole = digits.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(whole.reversed())
    }

    /// Separates the digits before the point into groups of three with narrow spaces, if there are more than four digits.
    private static func grouped(_ digits: String) -> String {
        let whole = digits.prefix { $0 != "." }
        guard whole.count > 4 else { return digits }
        var text = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { text.append("\u{202F}") }
            text.append(digit)
        }
        return text + digits.dropFirst(whole.count)
    }

    private static func signed(_ digits: String, isNegative: Bool) -> String { isNegative ? "\u{2212}\(digits)" : digits }
}

// Dates.
extension NumberWriter {
    /// The texts of dates, in the shortest form that distinguishes all dates: with years, months, days, minutes or seconds. Years and
    /// months are used only if all dates are exact in this form. Nil unless all years have four digits.
    private func dates(of numbers: [Double], unit: Double) -> [String]? {
        let fields = numbers.compactMap { Self.date(of: $0 / unit) }
        guard fields.count == numbers.count else { return nil }
        let count = Set(numbers).count
        for length in [1, 2, 3, 5, 6] {
            let isExact = length >= 3 || fields.allSatisfy { $0[length...] == Self.start[length...] }
            let texts = fields.map { Self.text(of: $0.prefix(length)) }
            if isExact, Set(texts).count == count { return texts }
        }
        return fields.map { Self.text(of: $0[...]) }
    }

    /// The fields of the first moment of a year, without the year.
    private static let start = [0, 1, 1, 0, 0, 0]

    /// The fields of a moment. Nil unless its year has four digits.
    private static func date(of seconds: Double) -> [Int]? {
        guard let time = CivilTime(seconds: seconds), (1000...9999).contains(time.year) else { return nil }
        return [time.year, time.month, time.day, time.hour, time.minute, time.second]
    }

    /// The number of date units per second: 1, or 1000 for milliseconds. Dates are in milliseconds if one of them, read as seconds, would
    /// be after the year 5138. Milliseconds are not recognized if all dates are before 1973.
    package static func unit(of dates: [Double]) -> Double { dates.contains { abs($0) >= 1e11 } ? 1000 : 1 }

    private static func text(of fields: ArraySlice<Int>) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = fields.prefix(3).map(two).joined(separator: "-")
        return fields.count > 3 ? "\(day) \(fields.dropFirst(3).map(two).joined(separator: ":"))" : day
    }
}
