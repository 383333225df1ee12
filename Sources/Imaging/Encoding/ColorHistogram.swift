/// The distinct colors of a picture, their frequencies, and the index of each.
///
/// A picture with very many colors is counted in buckets of colors that differ only in the lowest bits of each channel. This limits the
/// memory to 20 MB for any picture.
struct ColorHistogram {
    /// The sum of the premultiplied colors of each bucket: red, green, blue, alpha.
    private(set) var sums: [SIMD4<Double>] = []
    /// The number of pixels of each bucket.
    private(set) var counts: [Double] = []
    /// The bits of a premultiplied pixel that distinguish buckets. These are all bits as long as there are few enough colors.
    private(set) var mask: UInt32 = .max

    /// The masked pixel of each bucket, red in the lowest byte.
    private var keys: [UInt32] = []
    /// An open hash table: 1 + the bucket's index, or 0. Its length is a power of two.
    private var slots = [Int32](repeating: 0, count: 1 << 10)

    /// The maximum number of buckets.
    static let mostBuckets = 1 << 17

    init(_ bitmap: Bitmap) {
        bitmap.pixels.withUnsafeBytes { add($0) }
    }
}

extension ColorHistogram {
    var count: Int { keys.count }

    /// Whether each bucket is a single color.
    var isExact: Bool { mask == .max }

    /// The color of a bucket, premultiplied; the mean if it has several colors.
    func color(_ bucket: Int) -> SIMD4<Double> { sums[bucket] / counts[bucket] }

    /// Maps each pixel to a value for its bucket.
    func map(_ bitmap: Bitmap, _ values: [UInt8]) -> [UInt8] {
        let count = bitmap.width * bitmap.height
        return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            bitmap.pixels.withUnsafeBytes { pixels in
                var last: UInt32 = 0
                var value: UInt8 = 0
                for index in 0..<count {
                    let pixel = UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
                    if index == 0 || pixel != last {
                        last = pixel
                        value = values[Int(slots[slot(of: pixel & mask)]) - 1]
                    }
                    target.initializeElement(at: index, to: value)
                }
            }
            initialized = count
        }
    }
}

private extension ColorHistogram {
    mutating func add(_ pixels: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < pixels.count {
            let word = pixels.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            var next = offset + 4
            while next < pixels.count, pixels.loadUnaligned(fromByteOffset: next, as: UInt32.self) == word { next += 4 }
            let pixel = UInt32(littleEndian: word)
            let count = Double((next - offset) / 4)
            add(pixel & mask, sum: Self.channels(pixel) * count, count: count)
            offset = next
        }
    }

    mutating func add(_ key: UInt32, sum: SIMD4<Double>, count: Double) {
        let slot = slot(of: key)
        if slots[slot] > 0 {
            let bucket = Int(slots[slot]) - 1
            sums[bucket] += sum
            counts[bucket] += count
            return
        }
        keys.append(key)
        sums.append(sum)
        counts.append(count)
        slots[slot] = Int32(keys.count)
        if keys.count > Self.mostBuckets {
            coarsen()
        } else if keys.count * 2 > slots.count {
            slots = [Int32](repeating: 0, count: slots.count * 2)
            for (bucket, key) in keys.enumerated() { slots[self.slot(of: key)] = Int32(bucket + 1) }
        }
    }

    /// Drops one more bit of each channel.
    mutating func coarsen() {
        let (oldKeys, oldSums, oldCounts) = (keys, sums, counts)
        mask &= mask << 1 & 0xfefe_fefe
        keys.removeAll(keepingCapacity: true)
        sums.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        slots = [Int32](repeating: 0, count: slots.count)
        for (bucket, key) in oldKeys.enumerated() { add(key & mask, sum: oldSums[bucket], count: oldCounts[bucket]) }
    }

    /// The slot of a key, or the free slot for it.
    @inline(__always)
    func slot(of key: UInt32) -> Int {
        let last = slots.count &- 1
        // Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4.
        var slot = Int((UInt64(key) &* 0x9e37_79b9_7f4a_7c15) >> 32) & last
        while slots[slot] > 0, keys[Int(slots[slot]) &- 1] != key { slot = (slot &+ 1) & last }
        return slot
    }

    static func channels(_ pixel: UInt32) -> SIMD4<Double> {
        SIMD4(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), Double(pixel >> 24))
    }
}
