import Foundation
import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// Compares the decoder with an independent one, mapbox-vector-tile from PyPI. `tools/tile-oracle` installs that and runs this test.
@Suite(.enabled(if: TileOracle.python != nil, "needs the Python module mapbox-vector-tile; tools/tile-oracle installs it"))
struct OracleTests {
    /// Every tile that Waymark reads is read by the other decoder, too, into the same text.
    @Test func synthesizedAndDamagedTiles() throws {
        let scratch = ScratchFolder()
        var random = SplitMix64(seed: 1)
        let stored = try HelsinkiTiles.tiles().map(\.bytes)
        var tiles = stored
        for _ in 0..<200 { tiles.append(SynthesizedTile.bytes(&random)) }
        for _ in 0..<2000 {
            tiles.append(Damage.damaged(random.one(of: stored), keepsPlaces: random.once(in: 2), &random))
            tiles.append(Damage.damaged(SynthesizedTile.bytes(&random), keepsPlaces: !random.once(in: 5), &random))
        }
        var (same, refused) = (0, 0)
        // A command line has room for so many names.
        for start in stride(from: 0, to: tiles.count, by: 500) {
            let part = tiles[start..<min(start + 500, tiles.count)]
            let paths = try part.indices.map { try scratch.write(tiles[$0], "\($0)") }
            for (index, other) in zip(part.indices, try texts(paths)) {
                let own = try? TileText.text(tiles[index])
                guard let own else {
                    refused += 1
                    #expect(index >= stored.count + 200, "tile \(index) is not damaged, but refused")
                    continue
                }
                same += 1
                let pair = difference(own, other)
                #expect(pair == nil, "tile \(index)")
            }
        }
        print("\(same) tiles compared with mapbox-vector-tile, \(refused) damaged ones refused")
        #expect(same > 500 && refused > 500)
    }

    /// The first lines that differ; nil if there are none.
    private func difference(_ own: String, _ other: String) -> [Substring]? {
        // By bytes: texts that look the same are not equal, and "\r\n" is one character.
        let lines = [own, other].map { $0.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init) }
        for index in 0..<max(lines[0].count, lines[1].count) {
            let pair = lines.map { index < $0.count ? $0[index] : "" }
            if !pair[0].utf8.elementsEqual(pair[1].utf8) { return pair }
        }
        return nil
    }

    private func texts(_ paths: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: TileOracle.python ?? "")
        process.arguments = [HelsinkiTiles.folder.appendingPathComponent("oracle.py").path, "texts"] + paths
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try JSONDecoder().decode([String].self, from: bytes)
    }
}

private enum TileOracle {
    /// A Python interpreter that has the module.
    static let python = ProcessInfo.processInfo.environment["WAYMARK_TILE_ORACLE"]
}

/// Random tiles with all kinds of geometries and values.
private enum SynthesizedTile {
    static func bytes(_ random: inout SplitMix64) -> [UInt8] {
        var tile = HandmadeTile()
        for index in 0..<random.integer(1...3) {
            var layer = HandmadeLayer("layer \(index)")
            layer.extent = UInt64(random.one(of: [256, 512, 4096, 8192]))
            layer.version = UInt64(random.integer(1...2))
            for _ in 0..<random.integer(0...8) {
                var feature = feature(&random)
                if random.once(in: 2) { feature.id = random.next() >> UInt64(random.integer(0...63)) }
                layer.add(feature, ["class": value(&random), random.one(of: ["name", "rank", "곳"]): value(&random)])
            }
            tile.layers.append(layer)
        }
        return tile.bytes
    }

    private static func feature(_ random: inout SplitMix64) -> HandmadeFeature {
        func points(_ count: ClosedRange<Int>) -> [(Int, Int)] {
            let spread = random.one(of: [3, 300, 5000, 1 << 28])
            return (0..<random.integer(count)).map { _ in (random.integer(-spread...spread), random.integer(-spread...spread)) }
        }
        return switch random.integer(0...4) {
        case 0: .points(points(1...5))
        case 1: .lines(points(1...6))
        case 2: .lines(points(1...4), points(1...4))
        case 3: .polygons(points(1...6))
        default: .polygons(points(3...5), points(1...4), points(3...5))
        }
    }

    private static func value(_ random: inout SplitMix64) -> [UInt8] {
        switch random.integer(0...6) {
        case 0: HandmadeValue.text(random.one(of: ["", "lake", "a\nb", "Große Straße", "곳 1", "😀"]))
        case 1: HandmadeValue.float(Float(random.number(-1e6...1e6)))
        case 2: HandmadeValue.double(random.number(-1e9...1e9))
        case 3: HandmadeValue.integer(Int64(bitPattern: random.next()))
        case 4: HandmadeValue.unsigned(random.next())
        case 5: HandmadeValue.signed(Int64(bitPattern: random.next()))
        default: HandmadeValue.boolean(random.once(in: 2))
        }
    }
}
