import Foundation
import Glibc
import Waymark
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// Reads damaged files: each is read or refused with one sentence. Which file it is and how it is damaged follows from a seed, so that
/// `waymark-stress inputs SEED 1` repeats one.
///
/// A failure may end the process (a crash, a sanitizer's report, a file that takes longer than `secondsLimit`). The seed is therefore kept in
/// the file that `$WAYMARK_STRESS_SEED` names, if it is set.
struct InputStress {
    let seeds: Range<UInt64>

    /// Processor time that one file may take. A sanitizer takes three times as long as usual.
    private static let secondsLimit = 30
    /// The most pixels of a scene that is drawn.
    private static let pixelLimit = 1 << 17

    private let scratch = ScratchFolder()

    func run() throws -> String {
        let samples = try InputSample.all()
        let json = try JSONDamage(
            InputSample.Kind.allCases.flatMap { samples[$0] ?? [] }.flatMap { $0.files.sorted { $0.key < $1.key } }
                .filter { InputSample.isJSON($0.key) }.map(\.value))
        let renderer = try Renderer(device: .software)
        let record = open(ProcessInfo.processInfo.environment["WAYMARK_STRESS_SEED"] ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard record >= 0 else { throw Mistake("cannot write $WAYMARK_STRESS_SEED") }
        var (readCounts, refusedCounts) = ([InputSample.Kind: Int](), [InputSample.Kind: Int]())
        for sample in samples.values.joined() {
            do { try read(sample, renderer, SplitMix64(seed: 0)) } catch { throw Mistake("\(sample.name) is refused undamaged: \(error)") }
        }
        for seed in seeds {
            var random = SplitMix64(seed: seed)
            // With the same number of each kind, most samples would be the same three models.
            let kind = random.one(
                of: [.scene, .scene, .scene, .features, .features, .archive, .archive, .vectorTile, .model] as [InputSample.Kind])
            let sample = random.one(of: samples[kind] ?? [])
            var text = Array("\(seed) \(sample.folder ?? "")/\(sample.name)\n".utf8)
            text += repeatElement(UInt8(ascii: " "), count: max(0, 200 - text.count))
            pwrite(record, text, text.count, 0)
            Self.startTimer()
            do {
                try read(damaged(sample, json, &random), renderer, random)
                readCounts[kind, default: 0] += 1
            } catch let error as Mistake {
                throw Mistake("seed \(seed): \(sample.name): \(error)")
            } catch {
                let sentence = "\(error)"
                guard !sentence.isEmpty, !sentence.contains("\n"), sentence.unicodeScalars.count <= 600 else {
                    throw Mistake("seed \(seed): \(sample.name): not one sentence: \(sentence)")
                }
                refusedCounts[kind, default: 0] += 1
                if seeds.count == 1 { print("\(sample.name) is refused: \(sentence)") }
            }
        }
        let counts = InputSample.Kind.allCases.map { kind in
            "\(readCounts[kind] ?? 0) of \((readCounts[kind] ?? 0) + (refusedCounts[kind] ?? 0)) \(kind)"
        }
        return "\(seeds.count) damaged inputs, of which were read: \(counts.joined(separator: ", "))"
    }

    /// Ends the process by SIGPROF when it has computed for too long, and by SIGALRM when it waits for something that does not happen.
    private static func startTimer() {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: secondsLimit, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        alarm(600)
    }
}

private extension InputStress {
    /// The sample with one of its files damaged.
    func damaged(_ sample: InputSample, _ json: JSONDamage, _ random: inout SplitMix64) throws -> InputSample {
        var sample = sample
        let name = random.one(of: sample.files.keys.sorted())
        var bytes = sample.files[name] ?? []
        if sample.name.hasSuffix(".mbtiles"), random.once(in: 3) {
            try damageSchema(scratch.write(bytes, name), &random)
            bytes = try scratch.read(name)
        } else if random.once(in: 4) {
            bytes = Damage.damaged(bytes, &random)
        } else if InputSample.isJSON(name) {
            bytes = try json.damaged(bytes, &random)
        } else {
            bytes = Damage.damaged(bytes, keepsPlaces: InputSample.isBinary(name), &random)
        }
        if sample.kind == .features, random.once(in: 4) {
            bytes = try Gzip.deflated(bytes)
            if random.once(in: 3) { bytes = Damage.damaged(bytes, &random) }
        }
        sample.files[name] = bytes
        return sample
    }

    func read(_ sample: InputSample, _ renderer: Renderer, _ random: SplitMix64) throws {
        var random = random
        let bytes = sample.files[sample.name] ?? []
        switch sample.kind {
        case .scene: try readScene(bytes, folder: sample.folder ?? "", mayRead: InputSample.tests, renderer, &random)
        case .features: try readFeatures(bytes, sample.name, renderer, &random)
        case .archive: try readArchive(scratch.write(bytes, sample.name))
        case .vectorTile:
            let tile = try VectorTile(bytes)
            try draw(bytes, renderer, &random)
            try readVectorTile(tile)
        case .model:
            for (name, bytes) in sample.files { try scratch.write(bytes, name) }
            let model = try ModelFile(contentsOf: "\(scratch.path)/\(sample.name)")
            if let problem = model.mesh.firstProblem() { throw Mistake("a mesh that was read cannot be drawn: \(problem)") }
        }
    }

    /// Damages the schema texts of a database, which SQLite itself would refuse to write.
    func damageSchema(_ path: String, _ random: inout SplitMix64) throws {
        let database = try SQLiteDatabase(path, .new)
        try database.execute("PRAGMA writable_schema = ON")
        let rows = try database.prepare("SELECT name, sql FROM sqlite_master WHERE sql <> ''")
        var texts: [(name: String, sql: String)] = []
        while try rows.next() { texts.append((rows.text(0), rows.text(1))) }
        let text = random.one(of: texts)
        let damaged = String(decoding: Damage.damaged(Array(text.sql.utf8), &random), as: UTF8.self)
        try database.prepare("UPDATE sqlite_master SET sql = ?2 WHERE name = ?1").run(texts: [text.name, damaged])
        if random.once(in: 3) {
            let column = random.one(of: ["name", "type"])
            try database.prepare("UPDATE sqlite_master SET \(column) = ?2 WHERE sql = ?1")
                .run(texts: [damaged, random.one(of: ["table", "view", "tiles", "map", "index"])])
        }
    }

    func readScene(
        _ bytes: [UInt8], folder: String, mayRead root: String, _ renderer: Renderer, _ random: inout SplitMix64
    ) throws {
        var options = SceneFileOptions()
        // Damaged names must not lead to devices.
        options.resources = .folder(root)
        options.isLenient = !random.once(in: 4)
        let scene = try SceneFile(data: Data(bytes), folder: folder, options: options)
        let map = scene.mapView
        if let fit = scene.fit { map.camera = try map.camera(fitting: fit) }
        // Drawing takes longer than everything else.
        if random.once(in: 4), map.size.width * map.size.height * map.pixelRatio * map.pixelRatio <= Double(Self.pixelLimit) {
            _ = try renderer.render(map)
        } else {
            _ = try map.makeFrame()
        }
        _ = try map.inspection()
        _ = try map.hitMap()
    }

    /// As single overlays or as a cluster layer, with texts that name properties.
    func readFeatures(_ bytes: [UInt8], _ name: String, _ renderer: Renderer, _ random: inout SplitMix64) throws {
        try scratch.write(bytes, name)
        let overlay = random.one(of: [
            #""type": "geojson""#,
            #""type": "geojson", "marker": {"captionText": "{name}", "zIndex": "{n}"}, "polyline": {"width": "{size}"}, "polygon": {"zIndex": 1}"#,
            #""type": "clusterLayer""#,
            #""type": "clusterLayer", "theme": [{"densityRange": [2, null], "style": {"text": "{count} {sum:n}", "fillColor": "red"}}]"#,
        ])
        let scene = #"{"waymark": 1, "size": {"width": 100, "height": 80}, "overlays": [{\#(overlay), "source": "\#(name)"}]}"#
        try readScene(Array(scene.utf8), folder: scratch.path, mayRead: scratch.path, renderer, &random)
    }

    func readArchive(_ path: String) throws {
        let source = try TileArchive.openArchive(path)
        if source.content == .vector {
            let set = try VectorTileSet(source, path: path)
            for address in InputSample.helsinkiTiles { try set.tile(at: address).map { try readVectorTile($0) } }
            return
        }
        for address in InputSample.addresses {
            guard let tile = try source.tile(at: address) else { continue }
            do throws(TileRefusal) { _ = try DecodedTile(tile, of: source.info) } catch {
                guard !error.reason.isEmpty, !error.reason.contains("\n") else { throw Mistake("not one clause: \(error.reason)") }
            }
        }
    }

    /// Draws a vector tile, of which damaged layers are left out.
    func draw(_ bytes: [UInt8], _ renderer: Renderer, _ random: inout SplitMix64) throws {
        let layers = random.one(of: MapSchema.all).layerNames.sorted()
        let source = HandmadeTiles(bytes: [TileAddress(zoom: 0, x: 0, y: 0): bytes], layers: layers)
        let map = MapView(
            120, 90,
            Camera(
                center: LatLng(lat: random.number(-80...80), lng: random.number(-180...180)), zoom: random.number(0...8),
                bearing: random.number(0...360), tilt: random.number(0...80)))
        var layer = BaseMapLayer(source: source, opacity: random.one(of: [0.5, 1]))
        layer.theme = random.one(of: MapTheme.allCases)
        (map.baseMap, map.showsAttribution) = ([layer], false)
        _ = try renderer.render(map)
    }

    func readVectorTile(_ tile: VectorTile) throws {
        for schema in MapSchema.all {
            let whole = TileGeometry(tile, schema, [.ground, .labels, .roads, .buildings])
            let part = whole.part(TilePart(TileAddress(zoom: 1, x: 1, y: 0), ofZoom: 0))
            let all = [whole, part].flatMap { tile in
                MapRole.allCases.flatMap { [tile.areas($0), tile.lines($0)] } + [tile.piers, tile.buildings.rings]
            }
            for shapes in all {
                guard shapes.points.allSatisfy({ $0.min() >= 0 && $0.max() <= 1 }) else { throw Mistake("a point lies outside its tile") }
            }
            for tile in [whole, part] {
                guard tile.buildings.heights.allSatisfy({ $0.x >= 0 && $0.x < $0.y && $0.y.isFinite }) else {
                    throw Mistake("a building has no height")
                }
                guard tile.labels.elevations.allSatisfy({ $0.isNaN || abs($0) <= 9000 }) else { throw Mistake("a peak is too high") }
                let names = tile.labels.names.compactMap { $0 } + tile.roads.names
                guard names.allSatisfy({ $0.all.allSatisfy { !$0.text.isEmpty && $0.text.unicodeScalars.count <= 255 } }) else {
                    throw Mistake("a name is empty or too long")
                }
            }
        }
        for index in tile.layerNames.indices {
            let layer = try tile.layer(at: index)
            for schema in MapSchema.all where schema.roles(of: layer).count != layer.features.count {
                throw Mistake("not every feature of the layer \(layer.name) has a role or none")
            }
        }
    }
}
