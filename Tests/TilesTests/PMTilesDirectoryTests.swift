import Testing
import WaymarkTestSupport
import WaymarkTiles

@Suite struct PMTilesDirectoryTests {
    /// Five numbers, worked out by hand: 300 is 0xAC 0x02; the second tile lies behind the first, the third begins at 0 again.
    @Test func bytesByHand() throws {
        var directory = PMTilesDirectory()
        directory.append(.init(number: 5, offset: 0, length: 300, run: 1))
        directory.append(.init(number: 6, offset: 300, length: 7, run: 3))
        directory.append(.init(number: 305, offset: 0, length: 300, run: 1))
        let bytes: [UInt8] = [3, 5, 1, 0xAB, 0x02, 1, 3, 1, 0xAC, 0x02, 7, 0xAC, 0x02, 1, 0, 1]
        #expect(directory.bytes == bytes)
        #expect(try PMTilesDirectory(bytes) == directory)
    }

    @Test(arguments: Seeds.all) func whatIsWrittenIsRead(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var directory = PMTilesDirectory()
        var (number, end) = (UInt64(random.integer(0...1000)), UInt64(0))
        for _ in 0..<random.integer(1...300) {
            let length = UInt32(random.one(of: [1, 127, 128, 16_384, random.integer(1...Int(UInt32.max))]))
            let offset = random.once(in: 3) ? UInt64(random.integer(0...1 << 40)) : end
            directory.append(.init(number: number, offset: offset, length: length, run: UInt32(random.integer(0...3))))
            number += UInt64(random.one(of: [1, 2, 128, 1 << 33]))
            end = offset + UInt64(length)
        }
        #expect(try PMTilesDirectory(directory.bytes) == directory)
    }

    @Test func theEntryOfATile() {
        var directory = PMTilesDirectory()
        for number: UInt64 in [10, 20, 30] { directory.append(.init(number: number, offset: number, length: 1, run: 1)) }
        #expect(directory.entry(for: 9) == nil)
        for (number, found): (UInt64, UInt64) in [(10, 10), (19, 10), (20, 20), (29, 20), (30, 30), (.max, 30)] {
            #expect(directory.entry(for: number)?.number == found)
        }
    }

    @Test func whatIsNoDirectory() {
        let wide = [UInt8](repeating: 0xFF, count: 9)
        let cases: [([UInt8], String)] = [
            ([], "a directory ends early"),
            ([0], "a directory claims 0 entries in 1 bytes"),
            ([9, 0, 0, 0], "a directory claims 9 entries in 4 bytes"),
            ([1, 5, 1], "a directory claims 1 entries in 3 bytes"),
            ([1, 5, 1, 0, 1], "a directory has an entry without bytes"),
            ([1, 5, 1, 7, 0], "the first entry of a directory has no offset"),
            ([1, 5, 1, 0x87], "a directory ends early"),
            ([1, 5, 1, 7, 0x87], "a directory ends early"),
            ([2, 5, 0, 1, 1, 7, 7, 1, 0], "the tiles of a directory are out of order"),
            ([2] + wide + [1, 1, 1, 1, 7, 7, 1, 0], "the tiles of a directory are out of order"),
            ([1] + wide + [2, 1, 1, 1], "a directory has a number with more than 64 bits"),
            ([1, 5, 1, 0x80, 0x80, 0x80, 0x80, 0x10, 1], "a directory has a length with more than 32 bits"),
            ([2, 5, 1, 1, 1, 7, 7] + wide + [1, 0], "a directory has an offset with more than 64 bits"),
        ]
        for (bytes, problem) in cases {
            #expect(sentence { _ = try PMTilesDirectory(bytes) } == "the archive is damaged: \(problem)", "\(bytes)")
        }
    }
}
