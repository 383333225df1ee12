/// The floor of a number, usually computed without a call into the C library. Adding and then subtracting 1.5 · 2^52 rounds a number below
/// 2^51 to the nearest integer.
@inlinable
@inline(__always)
package func wholeFloor(_ value: Double) -> Double {
    guard abs(value) < 0x1p51 else { return value.rounded(.down) }
    let nearest = value + 0x1.8p52 - 0x1.8p52
    // A subtraction, because a branch would be mispredicted for every second number.
    return nearest - (nearest > value ? 1 : 0)
}

/// A length in device pixels, rounded to a multiple of 1/1024 px, which is the resolution of all layout. Halves are rounded up.
@inlinable
@inline(__always)
package func quantized(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels * 1024 + 0.5) / 1024
}

/// The nearest whole number of device pixels. Halves are rounded up.
@inlinable
@inline(__always)
package func wholePixels(_ devicePixels: Double) -> Double {
    wholeFloor(devicePixels + 0.5)
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `belongsToSecondPart` is true, or the end index if there is none. All elements for which it
    /// is false must come first.
    @inlinable
    @inline(__always)
    package func partitioningIndex(where belongsToSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
