import Foundation

/// A moment in UTC, in the Gregorian calendar.
package struct CivilTime: Equatable, Sendable {
    package var year: Int
    /// 1…12
    package var month = 1
    /// 1…31
    package var day = 1
    /// 0…23
    package var hour = 0
    /// 0…59
    package var minute = 0
    /// 0…59
    package var second = 0

    package init(year: Int, month: Int = 1, day: Int = 1) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the moment that is a number of seconds after the beginning of 1970, rounded down to a whole second. Nil if it is more than
    /// about 9,500 years away.
    package init?(seconds: Double) {
        let whole = seconds.rounded(.down)
        guard abs(whole) < 3e11 else { return nil }
        let days = (whole / 86_400).rounded(.down)
        let rest = Int(whole - days * 86_400)
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years begin in March, in eras of 400 years.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// The seconds since the beginning of 1970.
    package var seconds: Double {
        // The same source, days_from_civil.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Double(days) * 86_400 + Double(hour * 3600 + minute * 60 + second)
    }
}

extension CivilTime {
    /// The seconds from the beginning of 1970 to a date or a time in ISO 8601, such as `2024-05`, `2024-05-17`, `2024-05-17T08:00:00.5Z` or
    /// `2024-05-17 10:00+02:00`. A time without a zone is in UTC. GDAL's slashes are allowed in place of the hyphens. Nil for any other
    /// text.
    package static func seconds(of text: String) -> Double? {
        var rest = text.utf8[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        func take(_ mark: Character) -> Bool {
            guard rest.first == mark.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4) else { return nil }
        let separator: Character = rest.first == Character("/").asciiValue ? "/" : "-"
        guard take(separator), let month = digits(2), (1...12).contains(month) else { return nil }
        var time = CivilTime(year: year, month: month)
        if rest.isEmpty, separator == "-" { return time.seconds }
        guard take(separator), let day = digits(2), (1...31).contains(day) else { return nil }
        time.day = day
        // April 31 would become May 1.
        guard CivilTime(seconds: time.seconds)?.month == month else { return nil }
        if rest.isEmpty { return time.seconds }
        guard take("T") || take(" "), let hour = digits(2), take(":"), let minute = digits(2), hour <= 24, minute < 60 else { return nil }
        var seconds = time.seconds + Double(hour * 3600 + minute * 60)
        if take(":") {
            guard let whole = digits(2), whole <= 60 else { return nil }
            seconds += Double(whole)
            if take(".") {
                let fraction = rest.prefix { (48...57).contains($0) }
                guard !fraction.isEmpty, let value = Double("0." + String(decoding: fraction, as: UTF8.self)) else { return nil }
                rest = rest.dropFirst(fraction.count)
                seconds += value
            }
        }
        if !take("Z"), !rest.isEmpty {
            let sign: Double
            if take("+") { sign = -1 } else if take("-") { sign = 1 } else { return nil }
            guard let hours = digits(2) else { return nil }
            let hasColon = take(":")
            let minutes = digits(2)
            guard minutes != nil || !hasColon else { return nil }
            seconds += sign * Double(hours * 3600 + (minutes ?? 0) * 60)
        }
        return rest.isEmpty ? seconds : nil
    }
}
