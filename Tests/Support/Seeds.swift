import Glibc

/// Random numbers that are the same on every machine: Steele, Lea and Flood's SplitMix64.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number in a range.
    public mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

    public mutating func integer(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    /// True once in the given number of times.
    public mutating func once(in count: Int) -> Bool { integer(1...count) == 1 }

    public mutating func one<Element>(of elements: [Element]) -> Element { elements[integer(0...elements.count - 1)] }
}

/// The seeds of random tests: 20 in the run of every change, many more when the environment has `WAYMARK_FULL=1`.
public enum Seeds {
    public static let isFull = getenv("WAYMARK_FULL").map { String(cString: $0) == "1" } ?? false
    public static let all = seeds(full: 500)
    /// For tests that draw or start programs.
    public static let slow = seeds(full: 80)
    /// For tests with many more seeds in another part of the full run, under AddressSanitizer: `waymark-stress inputs`.
    public static let few = Array(UInt64(1)...20)

    private static func seeds(full count: UInt64) -> [UInt64] { Array(1...(isFull ? count : 20)) }
}
