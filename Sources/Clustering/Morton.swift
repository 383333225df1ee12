/// Z-order (Morton) codes, with the bits of x at even positions and the bits of y at odd positions. Every cell of a quadtree is a
/// contiguous range of codes.
@frozen
@usableFromInline
package enum Morton {
    @inlinable
    package static func code(x: UInt32, y: UInt32) -> UInt64 { spread(x) | spread(y) << 1 }

    @inlinable
    package static func x(_ code: UInt64) -> UInt32 { even(code) }

    @inlinable
    package static func y(_ code: UInt64) -> UInt32 { even(code >> 1) }

    /// The bits of x in a code.
    package static let xMask: UInt64 = 0x5555_5555_5555_5555

    /// The lowest code above `code` in the box between the corners with the codes `low` and `high`; nil if there is none. `code` must be
    /// outside the box. (The method is BIGMIN, in Tropf and Herzog, "Multidimensional range search in dynamically balanced trees", 1981.)
    package static func next(after code: UInt64, low: UInt64, high: UInt64) -> UInt64? {
        var (low, high) = (low, high)
        var next: UInt64?
        var bit = 63 - UInt64((low | high | code).leadingZeroBitCount)
        while bit < 64 {
            let one: UInt64 = 1 << bit
            let lower = (xMask << (bit & 1)) & (one - 1)
            switch (code & one != 0, low & one != 0, high & one != 0) {
            case (false, false, true):
                next = (low | one) & ~lower
                high = (high & ~one) | lower
            case (false, true, _): return low
            case (true, _, false): return next
            case (true, false, true): low = (low | one) & ~lower
            case (false, false, false), (true, true, true): break
            }
            bit &-= 1
        }
        return next
    }

    /// Spreads the bits of a number to the even positions.
    @inlinable
    static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Gathers the bits at the even positions. This is the inverse of `spread`.
    @inlinable
    static func even(_ code: UInt64) -> UInt32 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
