import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct GzipTests {
    private func problem(_ bytes: [UInt8], limit: Int = 1 << 20) -> Gzip.Problem? {
        do {
            _ = try Gzip.inflated(bytes, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: Seeds.all) func whatIsDeflatedIsInflated(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let members = (0..<random.integer(1...4)).map { _ in
            (0..<random.one(of: [0, 1, 300, 70_000])).map { _ in UInt8(random.integer(0...3)) }
        }
        let all = members.flatMap(\.self)
        let packed = try members.flatMap { try Gzip.deflated($0) }
        #expect(Gzip.isGzip(packed))
        #expect(try Gzip.inflated(packed, limit: all.count) == all)
        if !all.isEmpty { #expect(problem(packed, limit: all.count - 1) == .tooLarge) }
    }

    /// "abc", as RFC 1952 and RFC 1951 have it: a stored block.
    @Test func bytesByHand() throws {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let block: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63]
        let checksum = Array(PNGChunk.bigEndian(Int(PNGChunk.crc32([0x61, 0x62, 0x63]))).reversed())
        #expect(try Gzip.inflated(head + block + checksum + [3, 0, 0, 0], limit: 3) == [0x61, 0x62, 0x63])
        #expect(problem(head + block + checksum + [4, 0, 0, 0]) == .damaged)
    }

    @Test func whatIsNoGzip() throws {
        let whole = try Gzip.deflated(Array("a text that is long enough to be compressed, compressed, compressed".utf8))
        for end in 0..<whole.count { #expect(problem(Array(whole[..<end])) == .damaged) }
        #expect(problem(whole + [0]) == .damaged)
        // The checksum sees every change of the content; the last byte before it may have bits of no meaning.
        for place in whole.count - 30..<whole.count - 9 {
            var bytes = whole
            bytes[place] ^= 0x10
            #expect(problem(bytes) == .damaged, "\(place)")
        }
    }

    /// Random changes anywhere, the header and several members included: refused, or the same bytes, and never more than the limit.
    @Test func damagedCopies() throws {
        var random = SplitMix64(seed: 18)
        let members = (0..<3).map { part in (0..<400).map { UInt8(truncatingIfNeeded: $0 &* (part + 3) / 7) } }
        let all = members.flatMap(\.self)
        let packed = try members.flatMap { try Gzip.deflated($0) }
        var refused = 0
        for _ in 0..<(Seeds.isFull ? 50_000 : 1000) {
            var bytes = packed
            for _ in 0..<random.integer(1...4) { bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0...255)) }
            if random.once(in: 4) { bytes.removeLast(random.integer(0...bytes.count - 1)) }
            do throws(Gzip.Problem) {
                // A change of the header, or an end between two members.
                let inflated = try Gzip.inflated(bytes, limit: all.count)
                #expect(all.starts(with: inflated))
            } catch {
                refused += 1
                #expect(error != .outOfMemory)
            }
        }
        #expect(refused > 0)
    }

    @Test func checksums() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(CRC32.of(bytes) == PNGChunk.crc32(bytes))
        #expect(CRC32.of(Array(bytes[400...]), after: CRC32.of(Array(bytes[..<400]))) == PNGChunk.crc32(bytes))
        #expect(CRC32.of([]) == 0)
    }
}
