/// A floor without a call into the C library, for numbers that fit an `Int`; others have no fraction.
@inlinable
public func wholeFloor(_ value: Double) -> Double {
    guard abs(value) < 0x1p52 else { return value }
    let whole = Double(Int64(value))
    return whole > value ? whole - 1 : whole
}

/// A length in device pixels on the grid of 1/1024 px on which all layout stands, halves rounded up.
@inlinable
public func quantized(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels * 1024 + 0.5) / 1024
}

/// The nearest whole number of device pixels, halves rounded up.
@inlinable
public func wholePixels(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels + 0.5)
}
