import Testing
import Waymark
import WaymarkTestSupport

/// The program serves as a helper, for itself and for others.
@Suite struct HelperProgramTests {
    @Test func saysHello() throws {
        let result = try Program.run("waymark-helper", "svg")
        #expect(result.status == 0 && result.errors.isEmpty && result.output.count == 64)
        #expect(result.text.hasPrefix("waymark-helper \(waymarkVersion) 1 svg\0"))
    }

    @Test(arguments: [["waymark-helper"], ["waymark-helper", "fly"], ["waymark-helper", "svg", "more"]])
    func knowsNoOtherWork(arguments: [String]) throws {
        let result = try Program.run(arguments)
        #expect(result.status == 64 && result.output.isEmpty)
    }

    /// SVGs with a helper that the user named, without a helper, and with an invalid helper, which the program replaces with itself.
    @Test func drawsTheSameWithEveryHelper() throws {
        let folder = ScratchFolder()
        try folder.write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'><circle cx='12' cy='12' r='9' fill='red'/></svg>", "icon.svg")
        let scene = #"{"type": "marker", "position": [0, 0], "iconImage": "icon.svg"}"#
        try folder.write(#"{"waymark": 1, "size": {"width": 200, "height": 200}, "overlays": [\#(scene)]}"#, "scene.json")
        let pictures = try ["", "none", Program.url.path, "/bin/true", "/nowhere"].map { helper in
            let result = try Program.run("render", "scene.json", "-o", "-", in: folder, environment: ["WAYMARK_HELPER": helper])
            #expect(result.status == 0 && result.errors.isEmpty, "\(helper): \(result.errors)")
            return result.output
        }
        #expect(Set(pictures).count == 1)
    }
}
