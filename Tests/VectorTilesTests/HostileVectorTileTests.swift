import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct HostileVectorTileTests {
    private func problem(_ layer: HandmadeLayer) -> String { HandmadeTile(layer).text }
    private func problem(_ bytes: [UInt8]) -> String { sentence { _ = try TileText.text(bytes) } }

    @Test func damagedTiles() {
        #expect(problem([0x1A, 5, 0]) == "the tile ends within a field")
        #expect(problem([0x1A]) == "the tile ends within a field")
        #expect(problem([0x1A, 0x80]) == "the tile ends within a field")
        #expect(problem([0x08] + [UInt8](repeating: 0xFF, count: 10)) == "the tile contains a number with more than 64 bits")
        #expect(problem(Array("<html>".utf8)) == "the tile contains an invalid field")
        // Groups, the field number 0, and a number of a field with more than 32 bits.
        #expect(
            problem([0x1B, 0x1C]) == "the tile contains an invalid field" && problem([0x02, 0]) == "the tile contains an invalid field")
        #expect(problem(Wire.varint(1 << 40 | 2)) == "the tile contains an invalid field")
        #expect(problem(HandmadeLayer(nil)) == "a layer has no name" && problem(HandmadeLayer("")) == "a layer has no name")
    }

    /// A layer is left out if its name is not UTF-8, or if an earlier layer has the same name.
    @Test func namesOfLayers() throws {
        let layers = HandmadeTile(HandmadeLayer("water"), HandmadeLayer("a"), HandmadeLayer("water", .points([(1, 1)])))
        let tile = try VectorTile(Wire.bytes(3, Wire.bytes(1, [0xC3])) + layers.bytes)
        #expect(tile.layerNames == ["water", "a"] && tile.repeatedNames == ["water"] && tile.hasUnreadableName)
        #expect(try tile.layer(named: "water").map(TileText.text) == "layer water version 2 extent 4096\n")
        let tooMany = (0..<1025).map { _ in HandmadeLayer("a") }.flatMap { HandmadeTile($0).bytes }
        #expect(problem(tooMany) == "the tile has more than 1024 layers")
    }

    @Test func errorsNameTileLayerAndFeature() throws {
        let address = TileAddress(zoom: 14, x: 9327, y: 11641)
        let error = VectorTileError(.damaged("the geometry ends within a command"), address: address, layer: "water", feature: 3)
        #expect("\(error)" == #"tile 14/9327/11641: layer "water": feature 3: the geometry ends within a command"#)
        // Names cannot spread over lines or fill pages.
        let name = "a\n\u{1B}[31m" + String(repeating: "x", count: 100_000)
        var layer = HandmadeLayer(name)
        layer.extent = 0
        let sentence = problem(layer)
        #expect(sentence.hasPrefix(#"layer "a\n\u{1b}[31m"#) && sentence.hasSuffix("which is outside 1…2147483647") && sentence.count < 300)
    }

    @Test func damagedLayers() {
        func problem(_ change: (inout HandmadeLayer) -> Void) -> String {
            var layer = HandmadeLayer("a", .points([(1, 1)]))
            layer.keys = ["class", "name"]
            layer.values = [HandmadeValue.text("lake")]
            change(&layer)
            return self.problem(layer).replacing("layer \"a\": ", with: "")
        }
        #expect(problem { _ in }.hasSuffix("0 points [1,1] {}\n"))
        #expect(problem { $0.extent = 0 } == "the layer has the extent 0, which is outside 1…2147483647")
        #expect(problem { $0.extent = 1 << 31 } == "the layer has the extent 2147483648, which is outside 1…2147483647")
        #expect(problem { $0.version = 3 } == "version 3 of the format MVT is not supported; only versions 1 and 2 are")
        #expect(problem { $0.version = 0 } == "version 0 of the format MVT is not supported; only versions 1 and 2 are")
        #expect(problem { $0.version = 1 }.hasPrefix("layer a version 1 "))
        #expect(problem { $0.more = Wire.text(1, "b") } == "the layer has two names")
        #expect(problem { $0.more = [0x12, 9] } == "the layer ends within a field")
        #expect(problem { $0.values.append(Wire.bytes(1, [0x4C, 0xC3])) } == "value 1 is not UTF-8")
        #expect(problem { $0.more = Wire.bytes(3, [0xF5, 0x80, 0x80, 0x80]) } == "key 2 is not UTF-8")
        let doubled = HandmadeValue.text("a") + HandmadeValue.integer(1)
        #expect(problem { $0.values.append(doubled) } == "entry 1 of the values has more than one value")
        #expect(problem { $0.values.append([0x0A, 4, 1]) } == "the layer ends within a field")
        #expect(problem { $0.values.append([0x15, 0, 0]) } == "the layer ends within a field")
        func feature(_ change: (inout HandmadeFeature) -> Void) -> String {
            problem { change(&$0.features[0]) }.replacing("feature 0: ", with: "")
        }
        #expect(feature { $0.tags = [0] } == "the last attribute of the feature has no value")
        #expect(feature { $0.tags = [1, 0, 2, 0] } == "the feature has an attribute with key 2, but the layer has 2 keys")
        #expect(feature { $0.tags = [1, 1] } == "the feature has an attribute with value 1, but the layer has 1 values")
        #expect(feature { $0.tags = [.max, .max] } == "the feature has an attribute with key 4294967295, but the layer has 2 keys")
        #expect(feature { $0.more = Wire.packed(4, [9, 2, 2]) } == "the feature has two geometries")
        #expect(feature { $0.more = Wire.packed(2, []) + Wire.packed(2, []) } == "the feature has two lists of attributes")
        #expect(feature { $0.more = Wire.number(4, 9) } == "the numbers of the feature are not packed")
        #expect(feature { $0.more = [0x0A, 2, 9] } == "the feature ends within a field")
    }

    /// Every prefix of a tile is read or refused, and each refusal is one sentence.
    @Test func truncatedTiles() throws {
        var layer = HandmadeLayer("a", .points([(1, 1)]))
        layer.add(.polygons([(0, 0), (500, 0), (0, 500)]), ["class": HandmadeValue.text("lake"), "size": HandmadeValue.double(1.5)])
        layer.add(.lines([(0, 0), (9, 9)], [(1, 1), (3, 3)]), ["class": HandmadeValue.signed(-7)])
        let bytes = HandmadeTile(layer, HandmadeLayer("b")).bytes
        for count in 0..<bytes.count { #expect(!problem(Array(bytes.prefix(count))).contains("\n")) }
        for count in 0..<layer.bytes.count {
            #expect(!problem(Wire.bytes(3, Array(layer.bytes.prefix(count)))).contains("\n"))
        }
    }

    @Test func utf8() {
        func isAccepted(_ bytes: [UInt8]) -> Bool { !problem(Wire.bytes(3, Wire.text(1, "a") + Wire.bytes(3, bytes))).contains("UTF-8") }
        // All texts of one or two bytes, and those at the limits of three and four bytes, at different places among ASCII characters.
        var texts: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            texts.append([first])
            texts += (UInt8.min...UInt8.max).map { [first, $0] }
            for second in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
                texts += [[first, second, 0x80], [first, second, 0xC0], [first, second, 0x80, 0x80], [first, second, 0xBF, 0x7F]]
            }
        }
        let wrong = texts.enumerated().filter { index, text in
            let bytes = [UInt8](repeating: 0x61, count: index % 9) + text + [UInt8](repeating: 0x62, count: index % 11)
            return isAccepted(bytes) != (String(validating: bytes, as: UTF8.self) != nil)
        }
        #expect(wrong.map(\.element) == [])
    }

    /// Layers within the limits are read, however strange they are.
    @Test func limits() {
        let names = (0...1024).map { HandmadeLayer("\($0)") }
        var tile = HandmadeTile()
        tile.layers = Array(names.prefix(1024))
        #expect(tile.text.hasSuffix("layer 1023 version 2 extent 4096\n"))
        tile.layers = names
        #expect(tile.text == "the tile has more than 1024 layers")
        func layer(_ field: [UInt8], count: Int) -> String {
            let fields = Array(repeatElement(field, count: count).joined())
            return sentence { _ = try VectorTile(Wire.bytes(3, Wire.text(1, "a") + fields)).layer(at: 0) }
        }
        #expect(layer(Wire.text(3, "key"), count: 1_000_000) == "no error")
        #expect(layer(Wire.text(3, ""), count: 1 << 20 + 1) == #"layer "a": the layer has more than 1048576 keys"#)
        #expect(layer(Wire.bytes(4, []), count: 1 << 20 + 1) == #"layer "a": the layer has more than 1048576 values"#)
        #expect(layer(Wire.bytes(2, []), count: 1 << 20) == "no error")
        #expect(layer(Wire.bytes(2, []), count: 1 << 20 + 1) == #"layer "a": the layer has more than 1048576 features"#)
    }

    /// The largest tile that is read: one line that fills 64 MiB is too long.
    @Test func tilesOf64MiB() {
        let limit = 64 << 20
        func tile(_ bytes: Int) -> [UInt8] {
            func geometry(_ room: Int) -> [UInt8] {
                let points = UInt64(room / 2)
                return [9, 0, 0] + Wire.varint(points << 3 | 2) + [UInt8](repeating: 0, count: Int(2 * points))
            }
            let tile = Wire.bytes(3, Wire.text(1, "a") + Wire.bytes(2, Wire.number(3, 2) + Wire.bytes(4, geometry(bytes))))
            return tile + Wire.text(9, String(repeating: " ", count: bytes + 100 - tile.count))
        }
        func problem(_ bytes: [UInt8]) -> String { sentence { _ = try VectorTile(bytes).layer(at: 0) } }
        let most = limit - 200
        #expect(
            problem(tile(most))
                == #"layer "a": feature 0: the feature has more than 16777216 points together with the earlier features"#)
        #expect(problem(tile(1 << 25 - 2)) == "no error")
        #expect(problem([UInt8](repeating: 0, count: limit + 1)) == "the tile is larger than 64 MiB")
    }

    /// Whatever is changed in a tile, it is read into consistent columns, or refused with a sentence.
    @Test(arguments: Seeds.all) func damagedCopies(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let tiles = try HelsinkiTiles.tiles().map(\.bytes).filter { $0.count < 12_000 }
        var read = 0
        for number in 0..<20 {
            // Those of Helsinki have few names and no heights.
            let handmade = HostileTile.tile(random.one(of: HostileTile.schemas), &random).bytes
            let bytes = Damage.damaged(number % 2 == 0 ? random.one(of: tiles) : handmade, keepsPlaces: random.once(in: 2), &random)
            do {
                let tile = try VectorTile(bytes)
                for schema in MapSchema.all {
                    let whole = TileGeometry(tile, schema, .all)
                    let part = whole.part(TilePart(TileAddress(zoom: 1, x: 0, y: 1), ofZoom: 0))
                    #expect(TileMistakes.all(in: whole) == [] && TileMistakes.all(in: part) == [])
                }
                for index in tile.layerNames.indices {
                    do throws(VectorTileError) {
                        let layer = try tile.layer(at: index)
                        #expect(isConsistent(layer))
                        for schema in MapSchema.all { #expect(schema.roles(of: layer).count == layer.features.count) }
                        read += 1
                    } catch {
                        #expect(error.layer == tile.layerNames[index])
                        #expect(!"\(error)".contains("\n") && "\(error)".unicodeScalars.count <= 300)
                    }
                }
            } catch {
                #expect(!"\(error)".contains("\n") && "\(error)".unicodeScalars.count <= 300)
            }
        }
        #expect(read > 0)
    }

    private func isConsistent(_ layer: VectorLayer) -> Bool {
        let features = layer.features
        func areStarts(_ starts: [Int32], of count: Int, to end: Int) -> Bool {
            starts.count == count + 1 && starts[0] == 0 && Int(starts[count]) == end
                && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
        }
        let attributes = features.attributes
        return areStarts(features.partStarts, of: features.count, to: features.pointStarts.count - 1)
            && areStarts(features.pointStarts, of: features.areHoles.count, to: features.coordinates.count / 2)
            && areStarts(features.attributeStarts, of: features.count, to: attributes.count / 2)
            && features.ids.count == features.count && features.coordinates.count % 2 == 0 && layer.extent > 0
            && attributes.indices.allSatisfy { Int(attributes[$0]) < ($0 % 2 == 0 ? layer.keyCount : layer.valueCount) }
            && (0..<features.count).allSatisfy { feature in
                let first = features.parts(of: feature).first
                return first.map { !features.areHoles[$0] } ?? true
            }
    }
}
