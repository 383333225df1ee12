import WaymarkTestSupport

/// Scenes with everything that depends on its neighbors, and jobs that change them.
struct RandomScenes {
    var random: SplitMix64
    private var lastID = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    static let files = [
        (
            "places.geojson",
            #"{"type": "FeatureCollection", "features": ["#
                + (0..<6).map {
                    #"{"type": "Feature", "id": "f\#($0)", "properties": {"name": "곳 \#($0)"}, "geometry": {"type": "Point", "#
                        + #""coordinates": [\#(126.97 + 0.003 * Double($0)), 37.565]}}"#
                }.joined(separator: ",") + "]}"
        )
    ]

    mutating func scene() -> JSONTree {
        var scene: JSONTree = ["waymark": 1, "size": ["width": 120, "height": 96]]
        if random.once(in: 2) { scene["background"] = "#e8e4da" }
        if random.once(in: 3) { scene["pixelRatio"] = 2 }
        if random.once(in: 3) { scene["images"] = ["star": "builtin:black"] }
        if !random.once(in: 4) { scene["camera"] = camera() }
        if random.once(in: 2) {
            scene["symbols"] = .array(
                (0..<4).map { ["position": position(), "captionText": .string("점 \($0)"), "rank": .number(Double($0))] })
        }
        var overlays = (0..<random.integer(3...12)).map { _ in overlay(depth: 2) }
        if random.once(in: 2) {
            overlays.append(["type": "geojson", "source": "places.geojson", "marker": ["captionText": "{name}"]])
        }
        scene["overlays"] = .array(overlays)
        return scene
    }

    mutating func camera() -> JSONTree {
        let bearing = JSONTree.number(random.one(of: [0, 30, 137]))
        let tilt = JSONTree.number(random.one(of: [0, 0, 50]))
        if random.once(in: 3) { return ["fit": "overlays", "padding": 4, "maxZoom": 15, "bearing": bearing, "tilt": tilt] }
        return ["center": position(), "zoom": .number(random.number(11...14)), "bearing": bearing, "tilt": tilt]
    }

    private mutating func id() -> JSONTree {
        lastID += 1
        return .string("o\(lastID)")
    }

    /// Few places, so that many overlays overlap.
    private mutating func position() -> JSONTree {
        [.number(126.97 + 0.004 * Double(random.integer(0...5))), .number(37.56 + 0.004 * Double(random.integer(0...4)))]
    }

    private mutating func points(_ count: Int) -> JSONTree { .array((0..<count).map { _ in position() }) }

    mutating func overlay(depth: Int) -> JSONTree {
        var overlay: JSONTree
        switch random.integer(0...(depth > 0 ? 9 : 7)) {
        case 0...3:
            overlay = ["type": "marker", "position": position()]
            if random.once(in: 2) { overlay["captionText"] = .string(random.one(of: ["서울특별시청", "Café", "가나다 ABC", "x"])) }
            if random.once(in: 2) { overlay["iconImage"] = .string(random.one(of: ["builtin:red", "builtin:blue", "none"])) }
            if random.once(in: 3) { overlay["isHideCollidedMarkers"] = true }
            if random.once(in: 3) { overlay["isHideCollidedCaptions"] = true }
            if random.once(in: 4) { overlay["isHideCollidedSymbols"] = true }
            if random.once(in: 3) { overlay["captionAligns"] = ["bottom", "right", "top"] }
            if random.once(in: 4) { overlay["isFlat"] = true }
            if random.once(in: 4) { overlay["alpha"] = 0.5 }
        case 4: overlay = ["type": "polyline", "points": points(4), "width": 5, "color": .string(random.one(of: ["#d0202080", "navy"]))]
        case 5: overlay = ["type": "polygon", "rings": [points(4)], "fillColor": .string(random.one(of: ["#20d02080", "orange"]))]
        case 6: overlay = ["type": "circle", "center": position(), "radius": .number(random.number(100...900)), "fillColor": "#3388ff70"]
        default:
            overlay = ["type": "container", "children": .array((0..<random.integer(0...4)).map { _ in self.overlay(depth: depth - 1) })]
        }
        if random.once(in: 3) { overlay["zIndex"] = .number(Double(random.integer(-1...1))) }
        if !random.once(in: 5) { overlay["id"] = id() }
        return overlay
    }

    /// The ids that overlays have, with their types; features of the file too.
    func ids(_ scene: JSONTree) -> [(id: String, type: String)] {
        func ids(_ overlays: [JSONTree]) -> [(id: String, type: String)] {
            overlays.flatMap { overlay in
                (overlay["id"]?.string.map { [($0, overlay["type"]?.string ?? "")] } ?? []) + ids(overlay["children"]?.elements ?? [])
            }
        }
        return ids(scene["overlays"]?.elements ?? [])
    }

    /// A job that can be invalid only because it uses ids that were removed with their container.
    mutating func job(on scene: JSONTree) -> JSONTree {
        var job = JSONTree.object([])
        if random.once(in: 3) {
            job["camera"] = random.once(in: 4) ? ["zoom": 12, "fit": nil, "center": position()] : camera().merged(with: [:])
        }
        if job["camera"] != nil, scene["camera"] != nil {
            // The job's camera removes keys of the base that conflict with it.
            for key in ["fit", "padding", "maxZoom", "center", "zoom"] where job["camera"]?[key] == nil { job["camera"]?[key] = .null }
        }
        if random.once(in: 5) { job["size"] = ["width": 80] }
        if random.once(in: 6) { job["pixelRatio"] = random.once(in: 2) ? 1.5 : nil }
        if random.once(in: 4) { job["background"] = random.once(in: 2) ? "#203040" : .null }
        if random.once(in: 6) { job["language"] = random.once(in: 2) ? "ja" : .null }
        if random.once(in: 12) { job["images"] = ["star": "builtin:yellow"] }
        if random.once(in: 12) { job["symbols"] = .null }
        if random.once(in: 20) { job["overlays"] = .array((0..<3).map { _ in overlay(depth: 1) }) }
        if random.once(in: 2) { job["add"] = .array((0..<random.integer(0...4)).map { _ in overlay(depth: 2) }) }
        guard job["overlays"] == nil else { return job }
        var changes = JSONTree.object([])
        var removals: [JSONTree] = []
        for (id, type) in ids(scene) {
            switch random.integer(0...9) {
            case 0: removals.append(.string(id))
            case 1, 2: changes[id] = patch(type)
            default: break
            }
        }
        if changes != .object([]) { job["change"] = changes }
        if !removals.isEmpty { job["remove"] = .array(removals) }
        return job
    }

    private mutating func patch(_ type: String) -> JSONTree {
        var patch = JSONTree.object([])
        if random.once(in: 3) { patch["zIndex"] = random.once(in: 3) ? .null : .number(Double(random.integer(-2...2))) }
        if random.once(in: 5) { patch["isHidden"] = true }
        switch type {
        case "marker":
            if random.once(in: 2) { patch["position"] = position() }
            if random.once(in: 2) { patch["captionText"] = random.once(in: 3) ? .null : "바뀐 것" }
            if random.once(in: 3) { patch["iconImage"] = random.once(in: 3) ? .null : "builtin:yellow" }
            if random.once(in: 4) { patch["isHideCollidedMarkers"] = random.once(in: 2) ? .null : true }
        case "polyline":
            if random.once(in: 2) { patch["points"] = points(3) }
            if random.once(in: 2) { patch["width"] = 9 }
        case "localModel":
            if random.once(in: 2) { patch["coordinates"] = position() }
            if random.once(in: 2) { patch["yaw"] = 40 }
        case "polygon": if random.once(in: 2) { patch["rings"] = [points(3)] }
        case "circle":
            if random.once(in: 4) {
                return ["type": "marker", "position": position(), "center": nil, "radius": nil, "fillColor": nil]
            }
            patch["radius"] = 400
        default:
            if random.once(in: 2) { patch["children"] = .array((0..<random.integer(0...6)).map { _ in overlay(depth: 1) }) }
        }
        return patch
    }
}
