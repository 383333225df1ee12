/// Sorts `values` by `keys`, and sorts the keys as well. This is a stable least-significant-digit radix sort with 11-bit digits. Digits in
/// which all keys agree are skipped.
package func radixSort(_ values: inout [Int32], with keys: inout [UInt64]) {
    let count = values.count
    precondition(keys.count == count)
    guard count > 1 else { return }
    var differing: UInt64 = 0
    for key in keys { differing |= key ^ keys[0] }
    guard differing != 0 else { return }
    var otherValues = [Int32](repeating: 0, count: count)
    var otherKeys = [UInt64](repeating: 0, count: count)
    var places = [Int](repeating: 0, count: 2048)
    for shift in stride(from: UInt64(0), to: 64, by: 11) where (differing >> shift) & 2047 != 0 {
        places.withUnsafeMutableBufferPointer { places in
            keys.withUnsafeBufferPointer { keys in
                values.withUnsafeBufferPointer { values in
                    otherKeys.withUnsafeMutableBufferPointer { otherKeys in
                        otherValues.withUnsafeMutableBufferPointer { otherValues in
                            scatter(values, keys, shift, &places, &otherValues, &otherKeys)
                        }
                    }
                }
            }
        }
        swap(&keys, &otherKeys)
        swap(&values, &otherValues)
    }
}

/// Sorts `values` by `keys`.
package func radixSort(_ values: inout [Int32], by keys: consuming [UInt64]) {
    radixSort(&values, with: &keys)
}

/// Moves values and keys to their positions in the order of one digit of the keys.
private func scatter(
    _ values: UnsafeBufferPointer<Int32>, _ keys: UnsafeBufferPointer<UInt64>, _ shift: UInt64,
    _ places: inout UnsafeMutableBufferPointer<Int>, _ otherValues: inout UnsafeMutableBufferPointer<Int32>,
    _ otherKeys: inout UnsafeMutableBufferPointer<UInt64>
) {
    places.update(repeating: 0)
    for key in keys { places[Int((key >> shift) & 2047)] += 1 }
    var sum = 0
    for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
    for index in keys.indices {
        let key = keys[index]
        let digit = Int((key >> shift) & 2047)
        let place = places[digit]
        places[digit] = place + 1
        otherKeys[place] = key
        otherValues[place] = values[index]
    }
}
