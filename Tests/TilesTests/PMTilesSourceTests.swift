import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

@Suite struct PMTilesSourceTests {
    private let scratch = ScratchFolder()

    private func open(_ archive: HandmadePMTiles, _ name: String = "a.pmtiles") throws -> any TileSource {
        try TileArchive.open(scratch.write(archive.bytes, name))
    }

    @Test(arguments: [1, 2] as [UInt8]) func tilesWhereTheyBelong(compression: UInt8) throws {
        var archive = HandmadePMTiles()
        archive.compression = compression
        let (ocean, land, town) = (try TilePicture.png(10), try TilePicture.png(20), try TilePicture.png(30))
        // The numbers of zoom 1 are 1 to 4: northwest, southwest, southeast, northeast. The ocean is 0, 1 and 2, and again 5 to 20.
        archive.data = ocean + land + town
        archive.root = HandmadePMTiles.directory([
            .init(number: 0, offset: 0, length: ocean.count, run: 3), .init(number: 3, offset: ocean.count, length: land.count),
            .init(number: 4, offset: ocean.count + land.count, length: town.count),
            .init(number: 5, offset: 0, length: ocean.count, run: 16),
        ])
        archive.metadata = Array(#"{"name": "Test", "attribution": "<a href='x'>Me</a>", "description": 7}"#.utf8)
        let source = try open(archive)
        #expect(try source.bytes(0, 0, 0) == ocean && source.bytes(1, 0, 0) == ocean && source.bytes(1, 0, 1) == ocean)
        #expect(try source.bytes(1, 1, 1) == land)
        #expect(try source.bytes(1, 1, 0) == town)
        #expect(try source.bytes(2, 0, 0) == ocean && source.bytes(2, 3, 0) == ocean)
        #expect(try source.bytes(3, 0, 0) == nil)
        #expect(try source.bytes(1, 2, 0) == nil && source.bytes(-1, 0, 0) == nil && source.bytes(31, 0, 0) == nil)
        #expect(
            source.info
                == TileSetInfo(
                    minZoom: 0, maxZoom: 2, tileSize: 256, bounds: TileBounds(west: -180, south: -85, east: 180, north: 85),
                    attribution: "<a href='x'>Me</a>", name: "Test"))
    }

    @Test func leafDirectories() throws {
        var archive = HandmadePMTiles()
        archive.compression = 2
        let tiles = try (0..<4).map { try TilePicture.png($0) }
        archive.data = tiles.flatMap(\.self)
        var offset = 0
        var entries: [HandmadePMTiles.Entry] = []
        for (index, tile) in tiles.enumerated() {
            entries.append(.init(number: 1 + index, offset: offset, length: tile.count))
            offset += tile.count
        }
        let halves = try [entries[..<2], entries[2...]].map { try archive.pack(HandmadePMTiles.directory(Array($0))) }
        archive.leaves = halves[0] + halves[1]
        archive.root = HandmadePMTiles.directory([
            .init(number: 1, offset: 0, length: halves[0].count, run: 0),
            .init(number: 3, offset: halves[0].count, length: halves[1].count, run: 0),
        ])
        let source = try open(archive)
        for _ in 0..<2 {
            #expect(try source.bytes(0, 0, 0) == nil)
            #expect(try source.bytes(1, 0, 0) == tiles[0] && source.bytes(1, 0, 1) == tiles[1])
            #expect(try source.bytes(1, 1, 1) == tiles[2] && source.bytes(1, 1, 0) == tiles[3])
            #expect(try source.bytes(2, 0, 0) == nil)
        }
    }

    @Test func compressedTilesAreInflated() throws {
        let tile = try TilePicture.png(99)
        var archive = HandmadePMTiles([(0, try Gzip.deflated(tile))])
        archive.tileCompression = 2
        #expect(try open(archive).bytes(0, 0, 0) == tile)
    }

    @Test func sizeOfTiles() throws {
        func size(_ side: Int, _ name: String, _ metadata: String = "{}") throws -> Int {
            var archive = HandmadePMTiles([(0, try TilePicture.png(1, side: side))])
            archive.metadata = Array(metadata.utf8)
            return try open(archive, name).info.tileSize
        }
        #expect(try size(256, "a.pmtiles") == 256)
        #expect(try size(512, "a.pmtiles") == 512)
        #expect(try size(512, "a@2x.pmtiles") == 256)
        #expect(try size(1024, "a@2x.pmtiles") == 512)
        #expect(try size(512, "a.pmtiles", #"{"tileSize": 256}"#) == 256)
        #expect(try size(256, "a.pmtiles", #"{"tileSize": "512"}"#) == 512)
        #expect(
            sentence { _ = try size(256, "a.pmtiles", #"{"tileSize": 300}"#) }.hasSuffix(
                "\"tileSize\" in its metadata: 300 is neither 256 nor 512"))
    }

    @Test func severalThreadsReadAtOnce() async throws {
        let tiles = try (0..<5).map { (number: $0, bytes: try TilePicture.png($0)) }
        let source = try open(HandmadePMTiles(tiles))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        (try? source.bytes(0, 0, 0)) == tiles[0].bytes && (try? source.bytes(1, 1, 0)) == tiles[4].bytes
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func whatIsRefused() throws {
        let tile = try TilePicture.png(1)
        func problem(_ change: (inout HandmadePMTiles) throws -> Void) -> String {
            sentence {
                var archive = HandmadePMTiles([(0, tile)])
                try change(&archive)
                _ = try open(archive)
            }.replacing("\(scratch.path)/a.pmtiles: ", with: "")
        }
        #expect(problem { _ in } == "no error")
        #expect(problem { $0.version = 4 } == "PMTiles 4 is not supported; only PMTiles 3 is")
        #expect(problem { $0.compression = 3 } == "the archive's compression (Brotli) is not supported; only gzip is")
        #expect(problem { $0.tileCompression = 4 } == "the archive's compression (Zstandard) is not supported; only gzip is")
        #expect(problem { $0.compression = 77 } == "the archive's compression (unknown method 77) is not supported; only gzip is")
        #expect(problem { $0.type = 5 } == "the archive contains AVIF tiles, but only PNG, JPEG, WebP and MVT tiles can be drawn")
        #expect(
            problem { $0.type = 99 }
                == "the archive contains tiles of the unknown type 99, but only PNG, JPEG, WebP and MVT tiles can be drawn")
        #expect(problem { $0.zooms = (0, 40) } == "the archive is damaged: its header: maxZoom 40 is outside 0…30")
        #expect(problem { $0.zooms = (4, 2) } == "the archive is damaged: its header: minZoom 4 is more than maxZoom 2")
        #expect(
            problem { $0.degrees[3] = 950_000_000 }
                == "the archive is damaged: its header: the bounds [-180.0, -85.0, 180.0, 95.0]: 95.0 is outside -90…90")
        #expect(problem { $0.metadata = Array("{".utf8) } == "the archive is damaged: its metadata is not JSON")
        #expect(problem { $0.metadata = Array("[]".utf8) } == "the archive is damaged: its metadata is not a JSON object")
        #expect(problem { $0.root = [] } == "the archive is damaged: a directory ends early")
        #expect(
            problem { $0.data.removeLast() } == "the archive is damaged: a tile extends beyond the part of the file that should contain it")
    }

    @Test func headersThatPointOutsideOfTheFile() throws {
        let whole = try HandmadePMTiles([(0, TilePicture.png(1))]).bytes
        for (offset, name) in [
            (8, "the root directory"), (24, "the metadata"), (40, "the section for leaf directories"), (56, "the section for tiles"),
        ] {
            for value in [whole.count, .max, -1] {
                var bytes = whole
                bytes.replaceSubrange(offset..<offset + 8, with: HandmadePMTiles.integer(value))
                bytes.replaceSubrange(offset + 8..<offset + 16, with: HandmadePMTiles.integer(1))
                let path = try scratch.write(bytes, "a.pmtiles")
                #expect(
                    sentence { _ = try TileArchive.open(path) }
                        == "\(path): the archive is damaged: \(name) extends beyond the end of the file")
            }
        }
        for count in 7..<127 {
            let path = try scratch.write(Array(whole[..<count]), "a.pmtiles")
            #expect(
                sentence { _ = try TileArchive.open(path) }
                    == "\(path): the archive is damaged: its header ends after \(count) of 127 bytes")
        }
    }

    /// A directory whose first entry is good, and whose second one points behind the end.
    @Test func entriesThatPointOutsideOfTheFile() throws {
        let tile = try TilePicture.png(1)
        for (run, name) in [(1, "a tile"), (0, "a leaf directory")] {
            for (offset, length) in [(tile.count, 1), (0, tile.count + 1), (1 << 40, 5), (Int.max - 1, 5)] {
                var archive = HandmadePMTiles([(0, tile)])
                archive.root = HandmadePMTiles.directory([
                    .init(number: 0, offset: 0, length: tile.count), .init(number: 1, offset: offset, length: length, run: run),
                ])
                let source = try open(archive)
                #expect(try source.bytes(0, 0, 0) == tile)
                #expect(
                    sentence { _ = try source.bytes(1, 0, 0) }
                        == "\(scratch.path)/a.pmtiles: tile 1/0/0: the archive is damaged: \(name) extends "
                        + "beyond the part of the file that should contain it",
                    "\(offset) \(length)")
            }
        }
    }

    /// A leaf directory that refers to itself is followed a few times, and then no more.
    @Test func directoriesThatLoop() throws {
        let tile = try TilePicture.png(1)
        var archive = HandmadePMTiles([(0, tile)])
        archive.leaves = HandmadePMTiles.directory([.init(number: 1, offset: 0, length: 5, run: 0)])
        #expect(archive.leaves.count == 5)
        archive.root = HandmadePMTiles.directory([
            .init(number: 0, offset: 0, length: tile.count), .init(number: 1, offset: 0, length: 5, run: 0),
        ])
        let source = try open(archive)
        #expect(try source.bytes(0, 0, 0) == tile)
        #expect(
            sentence { _ = try source.bytes(1, 0, 0) }
                == "\(scratch.path)/a.pmtiles: tile 1/0/0: the archive is damaged: its directories are nested more than 3 levels deep")
    }

    /// Directories, metadata and tiles that inflate to far more than they are.
    @Test func decompressionBombs() throws {
        let bomb = try Gzip.deflated([UInt8](repeating: 0, count: 65 << 20))
        #expect(bomb.count < 100_000)
        var archive = HandmadePMTiles([(0, bomb)])
        archive.tileCompression = 2
        #expect(sentence { _ = try open(archive) } == "\(scratch.path)/a.pmtiles: the tile, when inflated, is larger than 64 MiB")

        let tile = try TilePicture.png(1)
        var bytes = try HandmadePMTiles([(0, tile)]).bytes
        // The root directory is now the bomb, at the end of the file.
        bytes.replaceSubrange(8..<24, with: HandmadePMTiles.integer(bytes.count) + HandmadePMTiles.integer(bomb.count))
        bytes[97] = 2
        let path = try scratch.write(bytes + bomb, "b.pmtiles")
        #expect(sentence { _ = try TileArchive.open(path) } == "\(path): the root directory, when inflated, is larger than 16 MiB")
    }

    /// Whatever is changed in a file, reading it ends with tiles or a sentence.
    @Test func damagedCopies() throws {
        var archive = HandmadePMTiles()
        archive.compression = 2
        let tiles = try (0..<6).map { try TilePicture.png($0, side: 4) }
        archive.data = tiles.flatMap(\.self)
        let leaf = try archive.pack(
            HandmadePMTiles.directory((0..<4).map { .init(number: 1 + $0, offset: $0 * tiles[0].count, length: tiles[0].count) }))
        archive.leaves = leaf
        archive.root = HandmadePMTiles.directory([
            .init(number: 0, offset: 0, length: tiles[0].count), .init(number: 1, offset: 0, length: leaf.count, run: 0),
            .init(number: 5, offset: 4 * tiles[0].count, length: tiles[0].count, run: 16),
        ])
        archive.metadata = Array(#"{"name": "Test", "bounds": "-10,-10,10,10", "minzoom": 0}"#.utf8)
        let packed = try archive.bytes
        archive.compression = 1
        archive.leaves = HandmadePMTiles.directory(
            (0..<4).map { .init(number: 1 + $0, offset: $0 * tiles[0].count, length: tiles[0].count) })
        archive.root = HandmadePMTiles.directory([
            .init(number: 0, offset: 0, length: tiles[0].count), .init(number: 1, offset: 0, length: archive.leaves.count, run: 0),
        ])
        let plain = try archive.bytes
        var random = SplitMix64(seed: 18)
        var (read, refused) = (0, 0)
        for _ in 0..<500 {
            var bytes = random.once(in: 2) ? packed : plain
            for _ in 0..<random.integer(1...4) {
                let place = random.once(in: 2) ? random.integer(0...126) : random.integer(0...bytes.count - 1)
                bytes[place] = random.one(of: [0, 0x7F, 0x80, 0xFF, UInt8(random.integer(0...255))])
            }
            if random.once(in: 4) { bytes.removeLast(random.integer(0...bytes.count)) }
            let path = try scratch.write(bytes, "a.pmtiles")
            do {
                let source = try TileArchive.open(path)
                for tile in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 3, 0), (9, 5, 5)] { _ = try source.bytes(tile.0, tile.1, tile.2) }
                read += 1
            } catch let error as TileError {
                #expect(error.description.hasPrefix(path) && !error.description.contains("\n"))
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }
}
