/// Vector tiles with the layers, keys and classes of the schemas, but with values and shapes that no map has.
public enum HostileTile {
    /// A layer of a schema.
    private struct LayerPattern {
        let name: String
        /// 1: points, 2: lines, 3: polygons.
        let type: Int
        let classKey: String
        let classes: [String]
        let keys: [String]
    }

    private static let names = ["name", "name:en", "name:ko", "name_int", "name:\u{1F}", "name:" + String(repeating: "x", count: 100)]

    private static let patterns: [String: [LayerPattern]] = [
        "OpenMapTiles 3": [
            LayerPattern(name: "water", type: 3, classKey: "class", classes: ["lake"], keys: ["brunnel"]),
            LayerPattern(name: "transportation", type: 2, classKey: "class", classes: ["primary", "minor"], keys: ["brunnel"]),
            LayerPattern(name: "transportation_name", type: 2, classKey: "class", classes: ["primary", "path"], keys: names),
            LayerPattern(
                name: "building", type: 3, classKey: "class", classes: [""], keys: ["render_height", "render_min_height", "hide_3d"]),
            LayerPattern(name: "place", type: 1, classKey: "class", classes: ["city", "village"], keys: names + ["rank"]),
            LayerPattern(name: "mountain_peak", type: 1, classKey: "class", classes: ["peak"], keys: names + ["ele", "rank"]),
            LayerPattern(name: "poi", type: 1, classKey: "class", classes: ["cafe", "museum"], keys: names + ["rank", "subclass"]),
        ],
        "Protomaps 4": [
            LayerPattern(name: "earth", type: 3, classKey: "kind", classes: ["earth"], keys: []),
            LayerPattern(name: "roads", type: 2, classKey: "kind", classes: ["highway", "path"], keys: names + ["is_tunnel"]),
            LayerPattern(
                name: "buildings", type: 3, classKey: "kind", classes: ["building", "building_part"], keys: ["height", "min_height"]),
            LayerPattern(
                name: "places", type: 1, classKey: "kind", classes: ["locality", "country"], keys: names + ["population_rank", "min_zoom"]),
            LayerPattern(name: "pois", type: 1, classKey: "kind", classes: ["peak", "cafe"], keys: names + ["elevation", "min_zoom"]),
        ],
    ]

    /// The names of the schemas.
    public static let schemas = ["OpenMapTiles 3", "Protomaps 4"]

    public static func layerNames(_ schema: String) -> [String] { (patterns[schema] ?? []).map(\.name) }

    public static func tile(_ schema: String, _ random: inout SplitMix64) -> HandmadeTile {
        var tile = HandmadeTile()
        for pattern in patterns[schema] ?? [] {
            var layer = HandmadeLayer(pattern.name)
            if random.once(in: 8) { layer.extent = UInt64(random.one(of: [1, 3, 512, 8192])) }
            for _ in 0..<random.integer(0...12) { layer.add(feature(pattern.type, &random), [:]) }
            layer.keys = [pattern.classKey] + pattern.keys
            let classes = pattern.classes.map { HandmadeValue.text($0) }
            layer.values = classes + (0..<12).map { _ in value(&random) }
            for index in layer.features.indices {
                if random.once(in: 2) { layer.features[index].id = UInt64(random.integer(0...3)) }
                layer.features[index].tags = [0, UInt32(random.integer(0...classes.count - 1))]
                for _ in 0..<random.integer(0...10) {
                    layer.features[index].tags += [
                        UInt32(random.integer(0...layer.keys.count - 1)), UInt32(random.integer(0...layer.values.count - 1)),
                    ]
                }
            }
            tile.layers.append(layer)
        }
        return tile
    }

    private static func value(_ random: inout SplitMix64) -> [UInt8] {
        let doubles = [
            1e300, -1e300, .infinity, -.infinity, .nan, 1e20, -1e20, 0, -0.0, -1, Double.leastNonzeroMagnitude, 9000.5, 12.5, 40,
        ]
        let integers: [Int64] = [.max, .min, 0, -1, 3, 8848]
        let texts = [
            "", " ", "\n\t\u{85}", "1e20", "nan", "-inf", "1e999", "12", "12 m", "A\u{1F}B", "\u{200B}", "\u{202E}abc", "서울", "Café\u{301}",
            "building_part", "true", String(repeating: "\n", count: 200) + "end", String(repeating: "x", count: 300),
            String(repeating: "가 ", count: 120), String(repeating: "9", count: 3000),
        ]
        switch random.integer(0...6) {
        case 0, 1: return HandmadeValue.double(random.one(of: doubles))
        case 2: return HandmadeValue.float(Float(random.one(of: doubles)))
        case 3: return random.once(in: 2) ? HandmadeValue.integer(random.one(of: integers)) : HandmadeValue.unsigned(.max)
        case 4: return HandmadeValue.boolean(random.once(in: 2))
        default: return HandmadeValue.text(random.one(of: texts))
        }
    }

    private static func feature(_ type: Int, _ random: inout SplitMix64) -> HandmadeFeature {
        // Few different places, so that lines meet, and rings touch or cross themselves.
        func place() -> (Int, Int) {
            if random.once(in: 40) { return (random.one(of: [-1 << 28, 1 << 28]), random.integer(-1 << 28...1 << 28)) }
            return (256 * random.integer(-1...17), 256 * random.integer(-1...17))
        }
        func places(_ count: ClosedRange<Int>) -> [(Int, Int)] { (0..<random.integer(count)).map { _ in place() } }
        switch type {
        case 1: return .points(places(1...2))
        case 2: return .lines(places(2...8), places(2...3))
        default: return random.once(in: 2) ? .polygons(places(3...9)) : .polygons(places(3...5), places(3...5), places(3...4))
        }
    }
}
