/// The floor of a number, without a call into the C library. Numbers of magnitude 2^52 or more have no fraction and are returned as
/// they are.
@inlinable
@inline(__always)
public func wholeFloor(_ value: Double) -> Double {
    guard abs(value) < 0x1p52 else { return value }
    let whole = Double(Int64(value))
    return whole > value ? whole - 1 : whole
}

/// A length in device pixels rounded to a multiple of 1/1024 px, the resolution of all layout; halves are rounded up.
@inlinable
@inline(__always)
public func quantized(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels * 1024 + 0.5) / 1024
}

/// The nearest whole number of device pixels; halves are rounded up.
@inlinable
@inline(__always)
public func wholePixels(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels + 0.5)
}
