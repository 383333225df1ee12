import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// `--cluster` of all commands that draw a file of features.
@Suite struct ClusterOptionTests {
    private let folder = ScratchFolder()

    init() throws {
        try folder.write("lat,lng,name\n37.5,127,A\n37.5001,127.0001,B\n37.6,127.2,7\n", "shops.csv")
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [127, 37.5]}]}"#, "scene.json")
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
    }

    private func run(_ arguments: String...) throws -> Program { try Program.run(arguments, in: folder) }

    /// A batch and a comparison draw the same picture as `render`.
    @Test func everyCommandGroupsPoints() throws {
        for arguments in [["plain.png"], ["clusters.png", "--cluster"]] {
            #expect(try Program.run(["render", "shops.csv", "-o"] + arguments, in: folder).status == 0)
        }
        let (plain, clusters) = (try Bitmap(contentsOf: "\(folder.path)/plain.png"), try Bitmap(contentsOf: "\(folder.path)/clusters.png"))
        #expect(plain != clusters)
        let batch = ["batch", "jobs.jsonl", "--scene", "shops.csv", "--workers", "1", "-o", "out"]
        let runs: [(options: [String], picture: Bitmap)] = [([], plain), (["--cluster", "--resume"], clusters), (["--cluster"], clusters)]
        for (options, picture) in runs {
            let done = try Program.run(batch + options, in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(try Bitmap(contentsOf: "\(folder.path)/out/a.png") == picture)
        }
        #expect(try run("diff", "shops.csv", "clusters.png", "--cluster").status == 0)
        #expect(try run("diff", "shops.csv", "clusters.png").status == 1)
        let inspected = try run("inspect", "shops.csv", "--cluster", "--jobs", "jobs.jsonl", "--job", "a")
        #expect(inspected.status == 0 && inspected.text.contains("clusterLayer"), "\(inspected.errors)")
        for arguments in [["plain"], ["clusters", "--cluster"]] {
            let done = try Program.run(["tiles", "shops.csv", "--zooms", "5", "-o"] + arguments, in: folder)
            #expect(done.status == 0, "\(done.errors)")
        }
        // The tile around longitude 127 and latitude 37.5.
        let tiles = try ["plain", "clusters"].map { try Bitmap(contentsOf: "\(folder.path)/\($0)/5/27/12.png") }
        #expect(tiles[0] != tiles[1])
    }

    /// A scene has cluster layers of its own.
    @Test func onlyFilesOfFeatures() throws {
        let problem = "only the points in a file of features can be clustered; in a scene, use a clusterLayer"
        let commands = [
            ["render", "scene.json", "-o", "a.png"], ["diff", "scene.json", "scene.json"],
            ["tiles", "scene.json", "-o", "a", "--zooms", "0"],
            ["batch", "jobs.jsonl", "--scene", "scene.json", "-o", "out", "--workers", "1"],
        ]
        for command in commands {
            let result = try Program.run(command + ["--cluster"], in: folder)
            #expect(result.status == 64 && result.errors.contains("cluster: \(problem)"), "\(command): \(result.errors)")
        }
        let empty = try run("batch", "jobs.jsonl", "-o", "out", "--cluster")
        #expect(
            empty.status == 64 && empty.errors == "error: --cluster: without a base scene, there are no points to group\n",
            "\(empty.errors)")
        let alone = try run("tiles", "--basemap", "a.pmtiles", "-o", "b.pmtiles", "--cluster")
        #expect(
            alone.status == 64 && alone.errors == "error: --cluster: without a scene, there are no points to group\n",
            "\(alone.errors)")
    }
}
