/// Sorts `values` by `keys`: a stable least-significant-digit radix sort with 11-bit digits. Digits in which all keys agree are skipped.
package func radixSort(_ values: inout [Int32], by keys: consuming [UInt64]) {
    let count = values.count
    guard count > 1 else { return }
    var differing: UInt64 = 0
    for index in 1..<count { differing |= keys[index] ^ keys[0] }
    guard differing != 0 else { return }
    var otherValues = [Int32](repeating: 0, count: count)
    var otherKeys = [UInt64](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: 2048)
    for shift in stride(from: UInt64(0), to: 64, by: 11) where (differing >> shift) & 2047 != 0 {
        for index in counts.indices { counts[index] = 0 }
        for index in 0..<count { counts[Int((keys[index] >> shift) & 2047)] += 1 }
        var sum = 0
        for index in counts.indices {
            (counts[index], sum) = (sum, sum + counts[index])
        }
        for index in 0..<count {
            let digit = Int((keys[index] >> shift) & 2047)
            let place = counts[digit]
            counts[digit] = place + 1
            otherKeys[place] = keys[index]
            otherValues[place] = values[index]
        }
        swap(&keys, &otherKeys)
        swap(&values, &otherValues)
    }
}
