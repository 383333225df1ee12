import Foundation
import Testing
import WaymarkTestSupport

/// A folder with a base scene of cities, and any number of different cards of it.
struct BatchCards {
    let folder = ScratchFolder()
    let count: Int

    init(_ count: Int, seed: UInt64) throws {
        self.count = count
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples")
        let cities = try Data(contentsOf: examples.appendingPathComponent("cities-largest-200.geojson"))
        try folder.write([UInt8](cities), "cities.geojson")
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 160, "height": 120}, "background": "#f2efe9", "overlays": [
            {"type": "geojson", "source": "cities.geojson", "marker": {"iconImage": "builtin:clusterLow", "width": 10, "height": 10}},
            {"type": "circle", "id": "around", "center": [0, 0], "radius": 300000, "fillColor": "#3388ff40", "outlineWidth": 1},
            {"type": "marker", "id": "here", "position": [0, 0], "captionText": "?"}]}
            """, "base.json")
        let root = try #require(try JSONSerialization.jsonObject(with: cities) as? [String: Any])
        let points = try #require(root["features"] as? [[String: Any]]).compactMap { feature in
            (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
        }
        var random = SplitMix64(seed: seed)
        let lines = (0..<count).map { number in
            let point = random.one(of: points)
            let place = "[\(point[0]), \(min(84, max(-84, point[1])))]"
            let output = "\(number % 10)/card-\(number).\(random.one(of: ["png", "png", "png", "webp", "jpg", "rgba"]))"
            let camera = """
                {"center": \(place), "zoom": \(random.integer(2...9)), "bearing": \(random.integer(0...359)), "tilt": \(random.integer(0...60))}
                """
            let icon = random.one(of: ["red", "blue", "green", "black"])
            let here = #""here": {"position": \#(place), "captionText": "Card \#(number)", "iconImage": "builtin:\#(icon)"}"#
            let circle = random.once(in: 5) ? #"}, "remove": ["around"]"# : #", "around": {"center": \#(place)}}"#
            return #"{"id": "card \#(number)", "output": "\#(output)", "camera": \#(camera), "change": {\#(here)\#(circle)}"#
        }
        try folder.write(lines.joined(separator: "\n") + "\n", "jobs.jsonl")
    }

    /// Every file of an output folder, without the batch's own.
    func files(_ output: String) throws -> [String: [UInt8]] {
        let names = FileManager.default.enumerator(atPath: "\(folder.path)/\(output)")?.allObjects as? [String] ?? []
        var files: [String: [UInt8]] = [:]
        for name in names where name.contains(".") && name != ".waymark-batch.jsonl" { files[name] = try folder.read("\(output)/\(name)") }
        return files
    }

    func arguments(_ output: String, _ more: String...) -> [String] {
        ["batch", "jobs.jsonl", "--scene", "base.json", "-o", output] + more
    }

    /// The summary that a run printed.
    func summary(_ program: Program) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(program.output)) as? [String: Any], "\(program.errors)")
    }
}
