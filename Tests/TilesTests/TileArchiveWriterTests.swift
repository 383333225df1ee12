import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

@Suite struct TileArchiveWriterTests {
    private let scratch = ScratchFolder()

    private func makeSpool(
        _ name: String = "spool", fingerprint: UInt64 = 7, renderer: String = "one", isResuming: Bool = false
    ) throws -> TileSpool {
        try TileSpool("\(scratch.path)/\(name)", fingerprint: fingerprint, renderer: renderer, isResuming: isResuming)
    }

    private func description(_ zooms: ClosedRange<Int>) -> TileArchiveDescription {
        TileArchiveDescription(
            info: TileSetInfo(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, attribution: "© \"Me\"", name: "Test"), format: .png,
            isRetina: false)
    }

    private static func addresses(_ zoom: Int) -> [TileAddress] {
        (0..<1 << zoom).flatMap { y in (0..<1 << zoom).map { TileAddress(zoom: zoom, x: $0, y: y) } }
    }

    private static let names = [(TileArchiveFormat.pmtiles, "a.pmtiles"), (.mbtiles, "a.mbtiles"), (.folder, "a")]

    @Test func formatByTheName() {
        let cases: [(String, TileArchiveFormat?)] = [
            ("a.pmtiles", .pmtiles), ("x/land.v2.PMTiles", .pmtiles), ("a.mbtiles", .mbtiles), ("tiles", .folder), ("tiles.d/", .folder),
            (".tiles", .folder), ("a.png", nil), ("x.d/tiles", .folder),
        ]
        for (path, format) in cases { #expect(TileArchiveFormat(path: path) == format, "\(path)") }
    }

    /// Random tiles, many of them equal, in random order: reading returns the written tiles, whatever the archive, and equal tiles are
    /// stored once.
    @Test(arguments: Seeds.all) func whatIsWrittenIsRead(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pictures = try (0..<random.integer(1...8)).map { try TilePicture.png($0, side: 8) }
        let zooms = random.integer(0...1)...random.integer(2...4)
        var tiles: [TileAddress: [UInt8]] = [:]
        for address in zooms.flatMap(Self.addresses) where !random.once(in: 4) { tiles[address] = random.one(of: pictures) }
        tiles[TileAddress(zoom: zooms.lowerBound, x: 0, y: 0)] = pictures[0]
        let spool = try makeSpool()
        for (address, bytes) in tiles.sorted(by: { $0.key < $1.key }).shuffled(using: &random) { try spool.add(bytes, at: address) }
        #expect(spool.contentCount == Set(tiles.values).count && spool.tiles().count == tiles.count)
        for (format, name) in Self.names {
            let path = "\(scratch.path)/\(name)"
            try TileArchiveWriter.write(spool, description(zooms), as: format, to: path)
            let source = try TileArchive.open(path)
            #expect(source.info == description(zooms).info, "\(name)")
            for address in (0...5).flatMap(Self.addresses) {
                #expect(try source.bytes(address.zoom, address.x, address.y) == tiles[address], "\(name) \(address)")
            }
        }
        #expect(scratch.names == ["a", "a.mbtiles", "a.pmtiles", "spool"])
    }

    /// The order in which tiles are added does not change the file.
    @Test func archivesDoNotDependOnTheOrder() throws {
        var random = SplitMix64(seed: 5)
        let tiles = try Self.addresses(3).map { ($0, try TilePicture.png($0.x / 3, side: 8)) }
        var files: [[[UInt8]]] = []
        for _ in 0..<2 {
            let spool = try makeSpool()
            for (address, bytes) in tiles.shuffled(using: &random) { try spool.add(bytes, at: address) }
            files.append(
                try Self.names.prefix(2).map { format, name in
                    try TileArchiveWriter.write(spool, description(3...3), as: format, to: "\(scratch.path)/\(name)")
                    return try scratch.read(name)
                })
        }
        #expect(files[0] == files[1])
    }

    /// By hand from the specification: four tiles of zoom 1, of which the second and third along the curve are equal, as are the first and last.
    @Test func bytesOfAPMTiles() throws {
        let (sea, land) = (try TilePicture.png(1), try TilePicture.png(2))
        let spool = try makeSpool()
        for (x, y, bytes) in [(0, 0, sea), (0, 1, land), (1, 1, land), (1, 0, sea)] {
            try spool.add(bytes, at: TileAddress(zoom: 1, x: x, y: y))
        }
        let path = "\(scratch.path)/a.pmtiles"
        try TileArchiveWriter.write(spool, description(1...1), as: .pmtiles, to: path)
        let bytes = try scratch.read("a.pmtiles")
        #expect(Array(bytes[..<8]) == Array("PMTiles".utf8) + [3])
        func number(_ offset: Int) -> Int { (0..<8).reduce(0) { $0 + Int(bytes[offset + $1]) << (8 * $1) } }
        #expect(number(8) == 127 && number(24) == 127 + number(16) && number(40) == number(24) + number(32) && number(48) == 0)
        #expect(number(56) == number(40) && number(64) == sea.count + land.count && number(56) + number(64) == bytes.count)
        #expect(number(72) == 4 && number(80) == 3 && number(88) == 2)
        // Clustered; gzip, no compression of tiles, PNG; zooms 1 to 1; all longitudes.
        #expect(Array(bytes[96..<102]) == [1, 2, 1, 2, 1, 1])
        #expect(Array(bytes[102..<106]) == HandmadePMTiles.integer(-1_800_000_000, bytes: 4))
        let root = try Gzip.inflated(Array(bytes[127..<127 + number(16)]), limit: 1 << 20)
        #expect(
            root
                == HandmadePMTiles.directory([
                    .init(number: 1, offset: 0, length: sea.count), .init(number: 2, offset: sea.count, length: land.count, run: 2),
                    .init(number: 4, offset: 0, length: sea.count),
                ]))
        #expect(Array(bytes[number(56)...]) == sea + land)
        let metadata = try Gzip.inflated(Array(bytes[number(24)..<number(24) + number(32)]), limit: 1 << 20)
        #expect(
            String(decoding: metadata, as: UTF8.self)
                == #"{"attribution":"© \"Me\"","bounds":"-180.0,-85.0511287798066,180.0,85.0511287798066","format":"png","maxzoom":"1","#
                + #""minzoom":"1","name":"Test","tileSize":"256","type":"baselayer"}"#)
    }

    /// More entries than a root directory has room for.
    @Test func manyTilesHaveLeafDirectories() throws {
        var random = SplitMix64(seed: 3)
        let pictures = (0..<500).map { index in (0..<40 + index).map { _ in UInt8(random.integer(0...255)) } }
        let spool = try makeSpool()
        var tiles: [TileAddress: [UInt8]] = [:]
        for address in Self.addresses(7) { tiles[address] = random.one(of: pictures) }
        for (address, bytes) in tiles { try spool.add(bytes, at: address) }
        let path = "\(scratch.path)/a.pmtiles"
        try TileArchiveWriter.write(spool, description(7...7), as: .pmtiles, to: path)
        let bytes = try scratch.read("a.pmtiles")
        func number(_ offset: Int) -> Int { (0..<8).reduce(0) { $0 + Int(bytes[offset + $1]) << (8 * $1) } }
        #expect(127 + number(16) < 16_384 && number(48) > 0)
        let source = try TileArchive.open(path)
        for (address, bytes) in tiles { #expect(try source.bytes(7, address.x, address.y) == bytes) }
    }

    @Test func anArchiveOfNothing() throws {
        let spool = try makeSpool()
        for (format, name) in Self.names.prefix(2) {
            let path = "\(scratch.path)/\(name)"
            #expect(
                sentence { try TileArchiveWriter.write(spool, description(0...0), as: format, to: path) }
                    == "\(path): the archive has no tiles")
        }
        #expect(scratch.names == ["spool"])
    }

    @Test func whereNothingCanBeWritten() throws {
        let spool = try makeSpool()
        try spool.add([1], at: TileAddress(zoom: 0, x: 0, y: 0))
        for (format, name) in Self.names {
            let path = "\(scratch.path)/spool/\(name)"
            let text = sentence { try TileArchiveWriter.write(spool, description(0...0), as: format, to: path) }
            #expect(text.hasPrefix(path) && text.hasSuffix("cannot write the file: Not a directory"), "\(text)")
        }
    }

    // MARK: - Spools

    @Test func aRunIsTakenUp() throws {
        let (a, b) = (TileAddress(zoom: 3, x: 1, y: 2), TileAddress(zoom: 3, x: 2, y: 2))
        do {
            let first = try makeSpool()
            try first.add([1, 2, 3], at: a)
            try first.finish(part: 4)
            try first.add([9], at: b)
            #expect(sentence { _ = try makeSpool(isResuming: true) } == "\(scratch.path)/spool: another program is writing this file")
        }
        do {
            let second = try makeSpool(isResuming: true)
            #expect(second.finishedParts == [4] && second.contentCount == 2)
            try second.add([1, 2, 3], at: b)
            #expect(second.contentCount == 2)
            #expect(Set(second.tiles().map(\.address)) == [a, b])
            try TileArchiveWriter.write(second, description(3...3), as: .pmtiles, to: "\(scratch.path)/a.pmtiles")
            let source = try TileArchive.open("\(scratch.path)/a.pmtiles")
            #expect(try source.bytes(3, 1, 2) == [1, 2, 3] && source.bytes(3, 2, 2) == [1, 2, 3])
        }
        #expect(
            sentence { _ = try makeSpool(fingerprint: 8, isResuming: true) }
                == "\(scratch.path)/spool: the interrupted run used other options")
        #expect(
            sentence { _ = try makeSpool(renderer: "other", isResuming: true) }
                == "\(scratch.path)/spool: the tiles in this file were drawn by one, but this machine draws with other")
        #expect(try makeSpool(isResuming: true).finishedParts == [4])
        #expect(try makeSpool(fingerprint: 8).tiles().isEmpty)
        // An incomplete header does not count as a beginning.
        for count in [3, 20, 32, 33, 36] {
            try scratch.write(Array(try scratch.read("spool").prefix(count)), "cut")
            #expect(try makeSpool("cut", fingerprint: 8, isResuming: true).tiles().isEmpty)
        }
    }

    /// Cut off anywhere, and with any byte changed, a spool has the records before the fault, and no others.
    @Test func damagedSpools() throws {
        let tiles = (0..<6).map { (TileAddress(zoom: 3, x: $0, y: 1), [UInt8](repeating: UInt8($0 / 2), count: 5 + $0 / 2)) }
        var ends: [Int] = []
        do {
            let spool = try makeSpool()
            for (index, (address, bytes)) in tiles.enumerated() {
                try spool.add(bytes, at: address)
                try spool.finish(part: index)
                ends.append(try scratch.read("spool").count)
            }
        }
        let whole = try scratch.read("spool")
        for place in 37..<whole.count {
            for isCut in [true, false] {
                var bytes = whole
                if isCut { bytes.removeLast(whole.count - place) } else { bytes[place] ^= 0x41 }
                try scratch.write(bytes, "damaged")
                let spool = try makeSpool("damaged", isResuming: true)
                let known = ends.count { $0 <= place }
                #expect(spool.finishedParts == Set(0..<known), "\(place)")
                #expect(spool.tiles().count >= known && spool.tiles().count <= known + 1)
                for (tile, wanted) in zip(spool.tiles(), tiles.prefix(known).sorted { number($0.0) < number($1.0) })
                where known == spool.tiles().count {
                    #expect(tile.address == wanted.0)
                }
                // The spool can be continued.
                try spool.add([1], at: TileAddress(zoom: 0, x: 0, y: 0))
            }
        }
    }

    private func number(_ address: TileAddress) -> UInt64 { HilbertCurve.number(of: address) }
}
