import Testing
import WaymarkTestSupport

/// Scenes whose pictures have no size.
@Suite struct SizeOutOfRangeTests {
    private let folder = ScratchFolder()

    @Test(arguments: [
        ("-1", "10", "width: -1"), ("10", "-1e300", "height: -1e+300"), ("0", "10", "width: 0"), ("1e300", "10", "width: 1e+300"),
    ])
    func isAFaultOfTheScene(width: String, height: String, problem: String) throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": \(width), "height": \(height)}, "camera": {"center": [0, 0], "zoom": 3},
             "overlays": [{"type": "marker", "position": [0, 0]}], "events": [{"tap": [5, 5]}]}
            """, "scene.json")
        let message = "error: scene.json: size.\(problem) pt at pixel ratio 1 is outside 1…65535 device pixels\n"
        for arguments in [
            ["replay", "scene.json"], ["replay", "scene.json", "--html", "page.html"], ["pick", "scene.json", "--at", "5,5"],
            ["render", "scene.json", "-o", "a.png"], ["inspect", "scene.json"], ["sweep", "scene.json", "--tilts", "0", "-o", "views"],
            ["diff", "scene.json", "scene.json"],
        ] {
            let result = try Program.run(arguments, in: folder)
            #expect(
                result.status == 65 && result.errors == message && result.output.isEmpty, "\(arguments): \(result.status) \(result.errors)")
            // Another size in its place is one.
            if arguments[0] == "pick" { #expect(try Program.run(arguments + ["--size", "10x10"], in: folder).status == 0) }
        }
    }
}
