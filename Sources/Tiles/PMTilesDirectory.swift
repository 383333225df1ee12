/// A directory of a PMTiles file: runs of tiles that have the same picture, and references to further directories, ordered by tile number.
package struct PMTilesDirectory: Equatable {
    package struct Entry: Equatable {
        /// The number of the first tile.
        package var number: UInt64
        /// The offset in the tile section, or in the section of leaf directories.
        package var offset: UInt64
        /// The length in bytes, more than 0.
        package var length: UInt32
        /// The number of consecutive tiles with this picture; 0 for a leaf directory that begins with this tile.
        package var run: UInt32

        package init(number: UInt64, offset: UInt64, length: UInt32, run: UInt32) {
            self.number = number
            self.offset = offset
            self.length = length
            self.run = run
        }
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    /// Entries in order.
    init(entries: ArraySlice<Entry>) {
        self.entries = Array(entries)
    }

    /// The maximum number of bytes of an inflated directory.
    static let byteLimit = 16 << 20
}

extension PMTilesDirectory {
    /// Appends an entry.
    package mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Reads a directory. The number of entries is followed by four columns: the tile numbers as differences, the run lengths, the
    /// lengths and the offsets.
    package init(_ bytes: [UInt8]) throws(TileError) {
        var reader = VarintReader(bytes)
        let count = try reader.next()
        // An entry has at least four bytes, so a short file cannot claim much memory.
        guard count > 0, count <= UInt64(bytes.count / 4) else {
            throw .damaged("a directory claims \(count) entries in \(bytes.count) bytes")
        }
        entries = [Entry](repeating: Entry(number: 0, offset: 0, length: 0, run: 0), count: Int(count))
        var number: UInt64 = 0
        for index in entries.indices {
            let step = try reader.next()
            let sum = number.addingReportingOverflow(step)
            guard !sum.overflow, index == 0 || step > 0 else { throw .damaged("the tiles of a directory are out of order") }
            number = sum.partialValue
            entries[index].number = number
        }
        for index in entries.indices { entries[index].run = try reader.nextShort() }
        for index in entries.indices {
            entries[index].length = try reader.nextShort()
            guard entries[index].length > 0 else { throw .damaged("a directory has an entry without bytes") }
        }
        for index in entries.indices {
            let offset = try reader.next()
            if offset > 0 {
                entries[index].offset = offset - 1
            } else {
                guard index > 0 else { throw .damaged("the first entry of a directory has no offset") }
                let end = entries[index - 1].offset.addingReportingOverflow(UInt64(entries[index - 1].length))
                guard !end.overflow else { throw .damaged("a directory has an offset with more than 64 bits") }
                entries[index].offset = end.partialValue
            }
        }
    }

    /// The encoded directory, before compression.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(entries.count))
        var number: UInt64 = 0
        for entry in entries {
            bytes.append(varint: entry.number - number)
            number = entry.number
        }
        for entry in entries { bytes.append(varint: UInt64(entry.run)) }
        for entry in entries { bytes.append(varint: UInt64(entry.length)) }
        var end: UInt64?
        for entry in entries {
            bytes.append(varint: entry.offset == end ? 0 : entry.offset + 1)
            end = entry.offset + UInt64(entry.length)
        }
        return bytes
    }

    /// The last entry that begins at or before a tile, which is the only entry that may contain the tile.
    package func entry(for number: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }

    /// The size of the directory in memory, in bytes.
    var memory: Int { entries.count * MemoryLayout<Entry>.stride }
}

/// Reads variable-length integers of 7 bits per byte, the lowest first; each byte except the last has its highest bit set.
private struct VarintReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() throws(TileError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            // The tenth byte has room only for the 64th bit.
            guard shift < 63 || shift == 63 && byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .damaged(index < bytes.count ? "a directory has a number with more than 64 bits" : "a directory ends early")
    }

    mutating func nextShort() throws(TileError) -> UInt32 {
        guard let value = UInt32(exactly: try next()) else { throw .damaged("a directory has a length with more than 32 bits") }
        return value
    }
}

private extension [UInt8] {
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }
}
