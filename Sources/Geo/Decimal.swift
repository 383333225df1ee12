/// Formats a number with a fixed number of decimal places. Halves are rounded away from zero, and "-0" is written as "0". All of Waymark's
/// printed output uses this function, with three decimal places for lengths and nine for degrees, so that the output does not depend on the
/// machine or the locale.
package func fixed(_ value: Double, _ decimals: Int) -> String {
    var power = 1
    for _ in 0..<decimals { power *= 10 }
    let scaled = (abs(value) * Double(power)).rounded()
    guard scaled < 9e18 else { return "\(value)" }
    let digits = Int(scaled)
    let sign = value < 0 && digits != 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(digits) }
    let fraction = String(digits % power)
    return sign + String(digits / power) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// Formats a number without a trailing `.0`.
package func plain(_ value: Double) -> String {
    guard let whole = Int(exactly: value) else { return "\(value)" }
    return "\(whole)"
}
