import Foundation
import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct VectorTileTests {
    /// The texts of an independent decoder.
    @Test func helsinki() throws {
        let expected = try String(contentsOf: HelsinkiTiles.folder.appendingPathComponent("Fixtures/helsinki.txt"), encoding: .utf8)
        var lines = ""
        for (address, bytes) in try HelsinkiTiles.tiles() {
            let tile = try VectorTile(bytes)
            for index in tile.layerNames.indices {
                let layer = try tile.layer(at: index)
                #expect(layer.name == tile.layerNames[index])
                lines += "\(address) \(layer.name) \(layer.features.count) \(TileText.digest(TileText.text(layer)))\n"
            }
        }
        #expect(lines == expected)
    }

    @Test func anEmptyTile() throws {
        let tile = try VectorTile([])
        #expect(try tile.layerNames == [] && tile.layer(named: "water") == nil)
    }

    @Test func valuesOfAllTypes() {
        var layer = HandmadeLayer("roads")
        layer.add(
            HandmadeFeature(1, [9, 50, 34], id: 7),
            [
                "name": HandmadeValue.text("Große Straße 곳"), "a": HandmadeValue.float(1.5), "b": HandmadeValue.double(-0.1),
                "c": HandmadeValue.integer(-3), "d": HandmadeValue.unsigned(.max), "e": HandmadeValue.signed(.min),
                "f": HandmadeValue.boolean(true), "g": HandmadeValue.boolean(false), "": [], "h": Wire.number(9, 1),
            ])
        #expect(
            HandmadeTile(layer).text == """
                layer roads version 2 extent 4096
                7 points [25,17] {name = text Große Straße 곳 | a = float 3fc00000 | b = double bfb999999999999a | c = integer -3 | \
                d = unsigned 18446744073709551615 | e = integer -9223372036854775808 | f = true | g = false |  = none | h = none}

                """)
    }

    @Test func valuesOfFeatures() throws {
        var layer = HandmadeLayer()
        layer.add(HandmadeFeature(1, [9, 0, 0]), ["class": HandmadeValue.text("lake"), "rank": HandmadeValue.integer(3)])
        layer.add(HandmadeFeature(1, [9, 0, 0]), ["rank": HandmadeValue.integer(4)])
        let decoded = try #require(try VectorTile(HandmadeTile(layer).bytes).layer(named: "layer"))
        let features = decoded.features
        #expect(decoded.keyCount == 2 && decoded.valueCount == 3)
        #expect(decoded.key(0, is: "class") && !decoded.key(0, is: "clas") && !decoded.key(0, is: "classes") && decoded.key(1) == "rank")
        #expect(features.value(of: 0, key: 0).map { decoded.value($0) } == .text("lake"))
        #expect(features.value(of: 1, key: 1).map { decoded.value($0) } == .integer(4))
        #expect(features.value(of: 1, key: 0) == nil)
    }

    /// The fields of a layer, of a feature and of a value may have any order, and fields of later versions are skipped.
    @Test func anyOrder() {
        let feature = Wire.packed(4, [9, 50, 34]) + Wire.number(3, 1) + Wire.packed(2, [0, 0]) + Wire.number(1, 5) + Wire.text(20, "x")
        let layer =
            Wire.number(15, 2) + Wire.bytes(2, feature) + Wire.bytes(4, Wire.text(1, "lake") + Wire.number(9, 1)) + Wire.number(5, 512)
            + Wire.tag(16, 1) + Wire.fixed(1.0.bitPattern) + Wire.text(3, "class") + Wire.tag(300, 5) + Wire.fixed(UInt32(7))
            + Wire.text(1, "water")
        let text = (try? TileText.text(Wire.number(1, 1) + Wire.bytes(3, layer) + Wire.text(4, "x"))) ?? ""
        #expect(text == "layer water version 2 extent 512\n5 points [25,17] {class = text lake}\n")
    }

    /// Without these fields, a layer has version 1 and an extent of 4096, and a feature has no id, no kind and no points.
    @Test func defaults() {
        var layer = HandmadeLayer("a", HandmadeFeature(nil, [9, 50, 34]), HandmadeFeature(1, []), HandmadeFeature(17, [9, 50, 34]))
        (layer.version, layer.extent) = (nil, nil)
        #expect(HandmadeTile(layer).text == "layer a version 1 extent 4096\n0 unknown [] {}\n0 points [] {}\n0 unknown [] {}\n")
    }

    /// A damaged layer costs nothing unless it is needed, and does not affect the others.
    @Test func layersAreDecodedOnRequest() throws {
        var damaged = HandmadeLayer("damaged", HandmadeFeature(1, [9, 50]))
        damaged.values = [[0xFF]]
        var later = HandmadeLayer("later")
        later.version = 3
        let tile = try VectorTile(HandmadeTile(damaged, HandmadeLayer("water", .points([(1, 2)])), later).bytes)
        #expect(tile.layerNames == ["damaged", "water", "later"])
        #expect(try tile.layer(named: "water").map(TileText.text) == "layer water version 2 extent 4096\n0 points [1,2] {}\n")
        #expect(sentence { _ = try tile.layer(named: "damaged") } == #"layer "damaged": the layer ends within a field"#)
        #expect(
            sentence { _ = try tile.layer(named: "later") }
                == #"layer "later": version 3 of the format MVT is not supported; only versions 1 and 2 are"#)
    }
}
