/// A number with a fixed count of decimals, halves away from zero, "-0" as "0": how every print of Waymark's writes
/// lengths (3) and degrees (9), the same on each machine and in each language.
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

/// A number as a person writes it: no trailing `.0`.
package func plain(_ value: Double) -> String {
    guard let whole = Int(exactly: value) else { return "\(value)" }
    return "\(whole)"
}
