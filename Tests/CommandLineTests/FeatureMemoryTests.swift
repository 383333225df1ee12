import Testing
import WaymarkTestSupport

/// What features of a file take in memory, measured in the process that draws them.
@Suite struct FeatureMemoryTests {
    /// Writes the greatest memory of a program on the standard error stream, in bytes.
    private static let measured = [
        "/usr/bin/env", "python3", "-c",
        """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:]).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr)
        sys.exit(status)
        """,
    ]

    @Test func aRowTakesFewBytes() throws {
        let folder = ScratchFolder()
        let counts = [1, 400_000]
        let peaks = try counts.map { count in
            let rows = (0..<count).map { "\(Double($0 % 1000) / 10 - 50),\(Double($0 / 1000) / 10)" }
            try folder.write("lat,lng\n" + rows.joined(separator: "\n"), "rows.csv")
            try folder.write(
                """
                {"waymark": 1, "size": {"width": 256, "height": 256}, "camera": {"center": [0, 0], "zoom": 1},
                 "overlays": [{"type": "geojson", "source": "rows.csv"}]}
                """, "scene.json")
            let result = try Program.run(["render", "scene.json", "-o", "picture.png"], in: folder, startedBy: Self.measured)
            #expect(result.status == 0)
            return try #require(Int(result.errors.split(separator: "\n").last ?? ""), "\(result.errors)")
        }
        // Measured: 340 bytes a row.
        #expect((peaks[1] - peaks[0]) / (counts[1] - counts[0]) <= 600)
    }
}
