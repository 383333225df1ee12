import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

@Suite struct FolderTileSourceTests {
    private let scratch = ScratchFolder()

    private func write(_ bytes: [UInt8], _ name: String) throws {
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/\(folder)", withIntermediateDirectories: true)
        try scratch.write(bytes, name)
    }

    private func problem() -> String { sentence { _ = try TileArchive.open(scratch.path) }.replacing(scratch.path, with: "FOLDER") }

    @Test func tilesOfAllFormats() throws {
        let bitmap = Bitmap(width: 512, height: 512, fill: .red)
        for (name, format) in [("3/0/7.png", ImageFormat.png), ("4/0/8.jpg", .jpeg), ("4/1/8.jpeg", .jpeg), ("5/31/0.webp", .webp)] {
            try write(bitmap.encoded(as: format), name)
        }
        let source = try TileArchive.open(scratch.path)
        #expect(source.info == TileSetInfo(minZoom: 3, maxZoom: 5, tileSize: 512))
        #expect(try source.bytes(3, 0, 7) == bitmap.encoded(as: .png))
        #expect(try source.bytes(4, 0, 8) == bitmap.encoded(as: .jpeg) && source.bytes(4, 1, 8) == bitmap.encoded(as: .jpeg))
        #expect(try source.bytes(5, 31, 0) == bitmap.encoded(as: .webp))
        #expect(try source.bytes(3, 0, 0) == nil && source.bytes(0, 0, 0) == nil && source.bytes(9, 0, 0) == nil)
    }

    @Test func metadataInTheKeysOfTileJSON() throws {
        try write(TilePicture.png(1), "1/0/0.png")
        try write(TilePicture.png(2), "1/0/1.png")
        try write(
            Array(
                """
                {"tilejson": "3.0.0", "scheme": "tms", "minzoom": 0, "maxzoom": 7, "bounds": [5, 45, 11, 48], "name": "Alps",
                 "attribution": "© Somebody", "tiles": ["https://example.org/{z}/{x}/{y}.png"]}
                """.utf8), "tiles.json")
        let source = try TileArchive.open(scratch.path)
        #expect(
            source.info
                == TileSetInfo(
                    minZoom: 0, maxZoom: 7, bounds: TileBounds(west: 5, south: 45, east: 11, north: 48), attribution: "© Somebody",
                    name: "Alps"))
        #expect(try source.bytes(1, 0, 1) == TilePicture.png(1))
        #expect(try source.bytes(1, 0, 0) == TilePicture.png(2))
    }

    @Test func tilesOfTwiceTheResolution() throws {
        try write(TilePicture.png(1, side: 512), "2/1/1@2x.png")
        let source = try TileArchive.open(scratch.path)
        #expect(source.info.tileSize == 256)
        #expect(try source.bytes(2, 1, 1) == TilePicture.png(1, side: 512))
    }

    /// The first name decides: "1.png" comes before "1@2x.png".
    @Test func tilesInBothResolutions() throws {
        try write(TilePicture.png(1), "2/1/1.png")
        try write(TilePicture.png(1, side: 512), "2/1/1@2x.png")
        try write(TilePicture.png(2, side: 512), "2/1/2@2x.png")
        let source = try TileArchive.open(scratch.path)
        #expect(source.info.tileSize == 256)
        #expect(try source.bytes(2, 1, 1) == TilePicture.png(1))
        #expect(try source.bytes(2, 1, 2) == TilePicture.png(2, side: 512))
    }

    @Test func whatIsRefused() throws {
        let none = "FOLDER: the archive has no tiles"
        #expect(problem() == none)
        for name in ["readme.txt", "1/0/a.png", "1/0/01.png", "1/0/1.gif", "31/0/0.png", "1/x/0.png", "-1/0/0.png", "1/0/1@2x"] {
            try write([1], name)
        }
        #expect(problem() == none)
        try write(TilePicture.png(1), "2/0/0.png")
        #expect(problem() == "no error")
        func metadata(_ text: String) throws -> String {
            try write(Array(text.utf8), "metadata.json")
            return problem()
        }
        #expect(try metadata("{") == "FOLDER/metadata.json: the archive is damaged: its metadata is not JSON")
        #expect(
            try metadata(#"{"scheme": "wms"}"#) == "FOLDER: the archive is damaged: \"scheme\" in its metadata: wms is neither xyz nor tms")
        #expect(try metadata(#"{"minzoom": 2.5}"#) == "FOLDER: the archive is damaged: \"minzoom\" in its metadata is not a whole number")
        #expect(try metadata(#"{"minzoom": "5"}"#) == "FOLDER: the archive is damaged: its metadata: minZoom 5 is more than maxZoom 2")
        #expect(try metadata(#"{"maxzoom": 99}"#) == "FOLDER: the archive is damaged: \"maxzoom\" in its metadata: 99 is outside 0…30")
        #expect(
            try metadata(#"{"bounds": [1, 2, 3]}"#)
                == "FOLDER: the archive is damaged: \"bounds\" in its metadata is not a list of west, south, east and north")
        #expect(
            try metadata(#"{"format": "mlt"}"#)
                == "FOLDER: the archive contains vector tiles (MLT), but only PNG, JPEG, WebP and MVT tiles can be drawn")
        #expect(try metadata(#"{"minzoom": null, "bounds": "-180,-90,180,90", "format": "png"}"#) == "no error")
    }

    /// Vector tiles do not matter, wherever they are.
    @Test func picturesAmongVectorTiles() throws {
        try write([0x1A, 0], "0/0/0.pbf")
        try write([0x1A, 0], "1/0/0.mlt")
        #expect(try TileArchive.openArchive(scratch.path).content == .vector)
        try write(TilePicture.png(1), "1/1/0.png")
        #expect(problem() == "no error")
        #expect(try TileArchive.open(scratch.path).bytes(1, 1, 0) == TilePicture.png(1))
    }

    /// Tiles that are small in a file and large in memory.
    @Test func hostileMetadata() throws {
        try write(TilePicture.png(1), "1/0/0.png")
        func metadata(_ text: String) throws -> String {
            try write(Array(text.utf8), "tiles.json")
            return problem()
        }
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(try metadata("{\"a\": \(deep)}") == "FOLDER/tiles.json: the archive is damaged: its metadata is not JSON")
        let wide = "[\(String(repeating: "[],", count: 400_000))0]"
        #expect(try metadata(wide) == "FOLDER/tiles.json: the metadata file is larger than 1 MiB")
        #expect(try metadata("{\"minzoom\": 1e999}") != "no error")
        #expect(try metadata("{\"name\": \"\\ud800\"}").contains("\n") == false)
    }

    /// Whatever is changed in the files of a folder, reading it ends with tiles or a sentence, and decoding with pixels or a clause.
    @Test func damagedCopies() throws {
        let images = try [ImageFormat.png, .jpeg, .webp].map { try Bitmap(width: 16, height: 16, fill: .red).encoded(as: $0) }
        let names = ["1/0/0.png", "1/0/1.jpg", "1/1/0.webp"]
        let text = Array(
            #"{"scheme": "xyz", "minzoom": 0, "maxzoom": "7", "bounds": [5, 45, 11, 48], "name": "Alps", "tileSize": 256}"#.utf8)
        for (name, image) in zip(names, images) { try write(image, name) }
        var random = SplitMix64(seed: 18)
        var (read, refused, drawn, clauses) = (0, 0, 0, 0)
        for _ in 0..<300 {
            func damaged(_ bytes: [UInt8]) -> [UInt8] {
                var bytes = bytes
                for _ in 0..<random.integer(0...3) {
                    bytes[random.integer(0...bytes.count - 1)] = random.one(of: [0, 0x7F, 0xFF, UInt8(random.integer(0...255))])
                }
                if random.once(in: 6) { bytes.removeLast(random.integer(0...bytes.count)) }
                return bytes
            }
            try write(damaged(text), "tiles.json")
            let index = random.integer(0...2)
            try write(damaged(images[index]), names[index])
            do {
                let source = try TileArchive.open(scratch.path)
                read += 1
                for tile in [(0, 0), (0, 1), (1, 0)] {
                    guard let data = try source.tile(at: TileAddress(zoom: 1, x: tile.0, y: tile.1)) else { continue }
                    do throws(TileRefusal) {
                        _ = try DecodedTile(data, of: source.info)
                        drawn += 1
                    } catch {
                        #expect(!error.reason.isEmpty && !error.reason.contains("\n"))
                        clauses += 1
                    }
                }
            } catch let error as TileError {
                #expect(error.description.hasPrefix(scratch.path) && !error.description.contains("\n"))
                refused += 1
            }
            try write(images[index], names[index])
        }
        #expect(read > 0 && refused > 0 && drawn > 0 && clauses > 0)
    }

    @Test func linksStayInTheFolder() throws {
        try write(TilePicture.png(1), "1/0/0.png")
        let outside = ScratchFolder()
        try outside.write(TilePicture.png(9), "secret.png")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: "\(scratch.path)/1/0/1.png", withDestinationPath: "0.png")
        try files.createSymbolicLink(atPath: "\(scratch.path)/1/1", withDestinationPath: outside.path)
        try outside.write(TilePicture.png(9), "0.png")
        let source = try TileArchive.open(scratch.path)
        #expect(try source.bytes(1, 0, 1) == TilePicture.png(1))
        #expect(
            sentence { _ = try source.bytes(1, 1, 0) }
                == "\(scratch.path): tile 1/1/0: 1/1/0.png is a link that leads out of the folder")
        // A link to the folder itself is allowed.
        try files.createSymbolicLink(atPath: "\(outside.path)/link", withDestinationPath: scratch.path)
        #expect(try TileArchive.open("\(outside.path)/link").bytes(1, 0, 0) == TilePicture.png(1))
    }

    @Test func aTileThatIsAFolder() throws {
        try write(TilePicture.png(1), "1/0/0.png")
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/1/0/1.png", withIntermediateDirectories: false)
        let source = try TileArchive.open(scratch.path)
        #expect(sentence { _ = try source.bytes(1, 0, 1) }.hasSuffix("/1/0/1.png: tile 1/0/1: cannot read the file: Is a directory"))
    }
}
