import Dispatch
import Synchronization
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

@Suite struct TileStoreTests {
    /// Tiles made by a function.
    private final class Tiles: TileSource {
        let info = TileSetInfo(name: "tests")
        let calls = Atomic<Int>(0)
        private let make: @Sendable (TileAddress) throws -> TileData?

        init(_ make: @escaping @Sendable (TileAddress) throws -> TileData?) { self.make = make }

        func tile(at address: TileAddress) throws -> TileData? {
            calls.add(1, ordering: .relaxed)
            return try make(address)
        }
    }

    private func load(
        _ store: TileStore, _ source: any TileSource, _ addresses: [TileAddress], mipmaps: Bool = false, seconds: Double = 60
    ) -> [TileStore.Tile] {
        let set = TileSet(source)
        return store.load(
            addresses.map { TileStore.Wanted(set, $0, needsMipmaps: mipmaps) }, deadline: TileDeadline(seconds: seconds))
    }

    private func addresses(_ zoom: Int) -> [TileAddress] {
        (0..<1 << zoom).flatMap { y in (0..<1 << zoom).map { TileAddress(zoom: zoom, x: $0, y: y) } }
    }

    /// A tile of one color, which depends on its address.
    private func plain(_ address: TileAddress) -> Bitmap {
        Bitmap(width: 16, height: 16, fill: Color(red: Double(address.x) / 255, green: Double(address.y) / 255, blue: 0))
    }

    @Test func tilesComeInTheOrderAskedForAndAreLoadedOnce() {
        let source = Tiles { .bitmap(plain($0)) }
        let store = TileStore()
        for _ in 0..<3 {
            let tiles = load(store, source, addresses(4))
            for (address, tile) in zip(addresses(4), tiles) {
                guard case .pixels(let pixels) = tile else {
                    Issue.record("\(address)")
                    continue
                }
                #expect(pixels.levels == [plain(address)])
            }
        }
        #expect(source.calls.load(ordering: .relaxed) == 256 && store.decodeCount == 256)
        #expect(store.cache.keptBytes >= 256 * 16 * 16 * 4)
        store.cache.evict(through: .max, bytes: .max)
        #expect(store.cache.keptBytes == 0)
    }

    @Test(arguments: Seeds.all) func mipmapsAreMeansOfFour(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let side = 1 << random.integer(0...6)
        let pixels = (0..<side * side * 4).map { _ in UInt8(random.integer(0...255)) }
        let bitmap = try #require(Bitmap(width: side, height: side, premultipliedPixels: pixels))
        guard case .pixels(let tile) = load(TileStore(), Tiles { _ in .bitmap(bitmap) }, addresses(0), mipmaps: true)[0] else {
            Issue.record("no pixels")
            return
        }
        #expect(tile.levels.map(\.width) == sequence(first: side) { $0 > 1 ? $0 / 2 : nil }.map(\.self))
        for (upper, lower) in zip(tile.levels, tile.levels.dropFirst()) {
            for index in lower.pixels.indices {
                let (channel, pixel) = (index % 4, index / 4)
                let (x, y) = (pixel % lower.width * 2, pixel / lower.width * 2)
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Int(upper.pixels[((y + $0.1) * upper.width + x + $0.0) * 4 + channel]) }
                #expect(Int(lower.pixels[index]) == (four.reduce(0, +) + 2) / 4)
            }
        }
    }

    @Test func aTileIsNotDecodedAgainForItsMipmaps() {
        let source = Tiles { .bitmap(plain($0)) }
        let store = TileStore()
        _ = load(store, source, addresses(1))
        for tile in load(store, source, addresses(1), mipmaps: true) {
            if case .pixels(let pixels) = tile { #expect(pixels.levels.count == 5) } else { Issue.record("no pixels") }
        }
        #expect(store.decodeCount == 4)
    }

    @Test func whatIsNoTileIsRefused() throws {
        let png = try Bitmap(width: 256, height: 256, fill: .red).encoded(as: .png)
        let cases: [(TileData, String?)] = [
            (.encoded(png), nil),
            (.encoded([]), "the tile is empty"),
            (.encoded(Array("<html><body>Not found</body></html>".utf8)), "the tile must be a PNG, JPEG or WebP image"),
            (
                .encoded(Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"256\" height=\"256\"/>".utf8)),
                "the tile must be a PNG, JPEG or WebP image"
            ),
            (.encoded(Array(png.prefix(png.count / 2))), ""),
            (.encoded(try Bitmap(width: 4096, height: 1, fill: .red).encoded(as: .png)), "4096"),
            (.bitmap(Bitmap(width: 300, height: 300)), "the tile has 300 × 300 pixels"),
            (.bitmap(Bitmap(width: 256, height: 128)), "the tile has 256 × 128 pixels"),
            (.bitmap(Bitmap(width: 0, height: 0)), "the tile has 0 × 0 pixels"),
        ]
        for (data, problem) in cases {
            switch load(TileStore(), Tiles { _ in data }, addresses(0))[0] {
            case .pixels: #expect(problem == nil)
            case .refused(let refusal): #expect(problem.map { refusal.reason.contains($0) || $0.isEmpty } == true, "\(refusal.reason)")
            case .missing: Issue.record("missing")
            }
        }
    }

    /// A header that promises gigabytes, followed by few bytes, or by possibly enough.
    @Test func aTileOf40000Pixels() throws {
        let header = PNGChunk.bigEndian(40_000) + PNGChunk.bigEndian(40_000) + [8, 6, 0, 0, 0]
        let start = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNGChunk.bytes("IHDR", header)
        let end = PNGChunk.bytes("IDAT", []) + PNGChunk.bytes("IEND", [])
        let long = PNGChunk.bytes("prVt", [UInt8](repeating: 0, count: 6_300_000))
        for (side, pixelsPerPoint) in [(256, 1.0), (512, 4)] {
            var info = TileSetInfo(tileSize: side)
            info.pixelsPerPoint = pixelsPerPoint
            #expect(throws: TileRefusal("the PNG data is damaged: Not enough image data")) {
                _ = try DecodedTile(.encoded(start + end), of: info)
            }
            #expect(throws: TileRefusal("the tile has 40000 × 40000 pixels, but tiles have at most 2048 × 2048")) {
                _ = try DecodedTile(.encoded(start + long + end), of: info)
            }
        }
    }

    @Test func aSourceThatHangsDelaysNeitherOthersNorItsNextPicture() throws {
        let gate = DispatchSemaphore(value: 0)
        let slow = Tiles { address in
            gate.wait()
            gate.signal()
            return .bitmap(plain(address))
        }
        let quick = Tiles { .bitmap(plain($0)) }
        let store = TileStore()
        let (slowSet, quickSet) = (TileSet(slow), TileSet(quick))
        let wanted = [slowSet, quickSet].flatMap { set in addresses(2).map { TileStore.Wanted(set, $0, needsMipmaps: false) } }
        let tiles = store.load(wanted, deadline: TileDeadline(seconds: 0.3))
        for (index, tile) in tiles.enumerated() {
            switch tile {
            case .pixels: #expect(index >= 16)
            case .refused(let refusal): #expect(index < 16 && refusal.reason == "the tile source has not answered within 0.3 s")
            case .missing: Issue.record("missing")
            }
        }
        let calls = slow.calls.load(ordering: .relaxed)
        #expect(calls > 0 && calls < 16)
        // It receives no further requests while it hangs, and a picture with as much time waits no longer.
        for seconds in [0.3, 0.1] {
            for tile in load(store, slow, addresses(2), seconds: seconds) {
                guard case .refused(let refusal) = tile else { throw TileError(.noTiles) }
                #expect(refusal.reason == "the tile source has not answered within \(seconds) s")
            }
        }
        #expect(slow.calls.load(ordering: .relaxed) == calls)
        // A picture with more time waits for the rest of it.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { gate.signal() }
        for tile in load(store, slow, addresses(2), seconds: 3600) {
            if case .pixels = tile {} else { Issue.record("not loaded") }
        }
        #expect(slow.calls.load(ordering: .relaxed) >= 16)
    }

    /// All sources of a picture share its time.
    @Test func theTimeOfAPictureIsShared() throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        func stuck() -> Tiles {
            Tiles { address in
                gate.wait()
                gate.signal()
                return .bitmap(plain(address))
            }
        }
        let (store, deadline) = (TileStore(), TileDeadline(seconds: 0.2))
        let reasons = [
            "the tile source has not answered within 0.2 s",
            "the tile source has not answered within the time limit for the picture's tiles, 0.2 s",
        ]
        for reason in reasons {
            let set = TileSet(stuck())
            for tile in store.load(addresses(1).map { .init(set, $0, needsMipmaps: false) }, deadline: deadline) {
                guard case .refused(let refusal) = tile else { throw TileError(.noTiles) }
                #expect(refusal.reason == reason)
            }
        }
        // A source that answers soon is drawn nevertheless.
        let quick = TileSet(Tiles { .bitmap(plain($0)) })
        let patient = TileDeadline(seconds: 60, waited: .seconds(60))
        for tile in store.load(addresses(1).map { .init(quick, $0, needsMipmaps: false) }, deadline: patient) {
            if case .pixels = tile {} else { Issue.record("not loaded") }
        }
        #expect(patient.waited == .seconds(60) && deadline.waited >= .seconds(0.2))
    }

    /// Results that may change next time are requested again; the properties of a set are remembered.
    @Test func failuresThatMayPassAreNotRemembered() {
        struct Offline: Error, CustomStringConvertible {
            var description: String { "the network is down" }
        }
        let cases: [(any Error, String, isAskedAgain: Bool)] = [
            (Offline(), "the network is down", true),
            (TileError(.cannotRead, path: "a", errno: 5), "cannot read the file: Input/output error", true),
            (TileError(.inUse, path: "a"), "another program is writing this file", true),
            (TileError(.damaged("it ends before byte 9"), path: "a"), "the archive is damaged: it ends before byte 9", false),
            (TileError(.tooLarge("the tile is larger than 64 MiB")), "the tile is larger than 64 MiB", false),
        ]
        for (error, reason, isAskedAgain) in cases {
            let isFailing = Atomic<Bool>(true)
            let source = Tiles { address in
                if isFailing.load(ordering: .relaxed) { throw error }
                return .bitmap(plain(address))
            }
            let store = TileStore()
            for _ in 0..<2 {
                guard case .refused(let refusal) = load(store, source, addresses(0))[0] else {
                    Issue.record("\(reason): not refused")
                    continue
                }
                #expect(refusal.reason == reason)
            }
            #expect(source.calls.load(ordering: .relaxed) == (isAskedAgain ? 2 : 1), "\(reason)")
            isFailing.store(false, ordering: .relaxed)
            let tile = load(store, source, addresses(0))[0]
            if case .pixels = tile { #expect(isAskedAgain, "\(reason)") } else { #expect(!isAskedAgain, "\(reason)") }
        }
    }

    /// A set of 256 × 256 may have tiles of twice the resolution, and no larger ones: whoever chose how many are needed did not know of them.
    @Test func tilesFarLargerThanTheirSetSays() throws {
        func problem(_ side: Int, _ info: TileSetInfo) throws -> String? {
            for data in [
                TileData.bitmap(Bitmap(width: side, height: side)), .encoded(try Bitmap(width: side, height: side).encoded(as: .png)),
            ] {
                do throws(TileRefusal) { _ = try DecodedTile(data, of: info) } catch { return error.reason }
            }
            return nil
        }
        var info = TileSetInfo()
        #expect(try problem(512, info) == nil)
        #expect(
            try problem(1024, info)
                == "the tile has 1024 × 1024 pixels, but tiles of this set have 256 × 256 pixels and must not exceed 512 × 512")
        info.tileSize = 512
        #expect(try problem(1024, info) == nil)
        info.pixelsPerPoint = 2
        #expect(try problem(2048, info) == nil)
        // The example may have been small.
        info.pixelsPerPoint = 0.125
        #expect(try problem(1024, info) == nil)
        #expect(
            try problem(2048, info)
                == "the tile has 2048 × 2048 pixels, but tiles of this set have 512 × 512 pixels and must not exceed 1024 × 1024")
    }

    @Test func setsOfDifferentSourcesAreDifferentAndOfOneTheSame() {
        let (one, other) = (Tiles { _ in nil }, Tiles { _ in nil })
        #expect(TileSet(one).number == TileSet(one).number && TileSet(one).number != TileSet(other).number)
        // An object that takes the place of one that is gone has another number.
        var numbers: Set<UInt64> = []
        for _ in 0..<100 { numbers.insert(TileSet(Tiles { _ in nil }).number) }
        #expect(numbers.count == 100)
    }
}
