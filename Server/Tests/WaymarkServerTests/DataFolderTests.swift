import Foundation
import Testing
import Waymark

@testable import WaymarkServer

extension ServerTests {
    /// Clients know the folders of `--data` by their names alone.
    @Suite struct DataFolderTests {
        @Test(arguments: [false, true]) func noMessageSaysWhereTheFolderIs(isLenient: Bool) async throws {
            let outside = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-hidden-\(getpid())")
            let folder = outside.appendingPathComponent("data")
            defer { try? FileManager.default.removeItem(at: outside) }
            let tile = Data(try Bitmap(width: 256, height: 256).encoded(as: .png))
            func write(_ data: Data, _ name: String) throws {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            func link(_ name: String, to target: URL) throws {
                try FileManager.default.createSymbolicLink(at: folder.appendingPathComponent(name), withDestinationURL: target)
            }
            // Links that lead out: a tile, metadata, an image.
            for name in ["tiles/0/0/0.png", "metadata/0/0/0.png", "linked/0/0/none"] { try write(tile, name) }
            try tile.write(to: outside.appendingPathComponent("secret.png"))
            try link("linked/0/0/0.png", to: outside.appendingPathComponent("secret.png"))
            try link("metadata/metadata.json", to: outside.appendingPathComponent("secret.png"))
            try link("secret.png", to: outside.appendingPathComponent("secret.png"))
            // Databases that another program writes.
            let database = Data("SQLite format 3\0".utf8) + Data(count: 84)
            for name in ["a.mbtiles", "b.mbtiles"] { try write(database, name) }
            try write(Data([1]), "a.mbtiles-wal")
            try write(Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]), "b.mbtiles-journal")
            try link("c.mbtiles", to: folder.appendingPathComponent("a.mbtiles"))
            // Files that are not images.
            try write(Data("none".utf8), "none.png")
            try write(Data("<svg".utf8), "none.svg")
            // Models that name files by absolute paths.
            let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
            try write(Data("mtllib \(folder.path)/a.mtl\n\(triangle)".utf8), "a.obj")
            try write(Data("mtllib b.mtl\nusemtl b\n\(triangle)".utf8), "b.obj")
            try write(Data("newmtl b\nmap_Kd \(folder.path)/none.png\n".utf8), "b.mtl")

            let sources = [
                "linked", "metadata", "secret.png", "a.mbtiles", "b.mbtiles", "c.mbtiles", "none.png", "none.svg", "tiles", "a.obj",
                "b.obj", "x",
            ]
            let contents = [
                #""basemap": ["shops/FILE"]"#, #""overlays": [{"type": "geojson", "source": "shops/FILE"}]"#,
                #""overlays": [{"type": "marker", "position": [0, 0], "iconImage": "shops/FILE"}]"#,
                #""overlays": [{"type": "marker", "position": [0, 0], "iconView": {"image": "shops/FILE"}}]"#,
                #""overlays": [{"type": "viewOverlay", "coordinates": [0, 0], "content": {"image": "shops/FILE"}}]"#,
                #""overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "shops/FILE"}]"#,
            ]
            try await TestServer.run {
                $0.folders = ["shops": folder.path]
                $0.isLenient = isLenient
            } _: { _, client in
                var told = 0
                for content in contents {
                    for source in sources {
                        let response = try await client.post("/inspect", "{\"waymark\": 1, \(content.replacing("FILE", with: source))}")
                        #expect(!response.text.contains(outside.lastPathComponent), "\(content) \(source): \(response.text)")
                        if response.text.contains("shops/\(source)") { told += 1 }
                    }
                }
                #expect(told > 40)
                // Otherwise only a warning.
                guard !isLenient else { return }
                for (source, name) in [("a", "a.mbtiles-wal"), ("b", "b.mbtiles-journal"), ("c", "a.mbtiles-wal")] {
                    let answer = try await client.post("/inspect", #"{"waymark": 1, "basemap": ["shops/\#(source).mbtiles"]}"#)
                    #expect(
                        answer.text.contains(
                            "shops/\(source).mbtiles: another program is writing this archive, or stopped before finishing (\(name) exists)"
                        )
                    )
                }
            }
        }
    }
}
