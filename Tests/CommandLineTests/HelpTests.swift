import Foundation
import Testing
import WaymarkTestSupport

/// Help pages, and messages for arguments that the program does not know.
@Suite struct HelpTests {
    private let folder = ScratchFolder()

    private static let commands = [
        "render", "inspect", "pick", "replay", "sweep", "batch", "tiles", "worker", "diff", "doctor", "schema",
    ]

    private func examples(_ page: String) -> [Substring] {
        page.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
            .map { $0.dropFirst(2) }
    }

    /// The arguments of every example can be parsed: without its files, a command ends with another error than 64.
    @Test(arguments: commands) func aPageHasTwoExamples(command: String) throws {
        let page = try Program.run(command, "--help")
        #expect(page.status == 0)
        let examples = examples(page.text)
        #expect(examples.count == 2)
        for example in examples {
            #expect(example.count <= 78)
            let words = example.split(separator: " ").map(String.init).filter { !$0.hasPrefix(">") }
            #expect(words.prefix(2) == ["waymark", command])
            let result = try Program.run(Array(words.dropFirst()), in: folder)
            #expect([0, 65, 66].contains(result.status), "\(example): \(result.status) \(result.errors)")
        }
    }

    @Test func theOverviewHasTwoExamples() throws {
        #expect(examples(try Program.run("--help").text).count == 2)
    }

    @Test func optionsAreGrouped() throws {
        let page = try Program.run("render", "--help").text
        let titles = page.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") && $0 != "Examples:" }
        #expect(
            titles == [
                "ARGUMENTS:", "PICTURE AND CAMERA:", "FILES OF THE SCENE:", "FORMAT:", "HIT MAP:", "DEVICE, FONTS AND MEMORY:", "OPTIONS:",
            ])
    }

    @Test(arguments: [
        (["render", "a.json", "--tlit", "3"], "Unknown option '--tlit'. Did you mean '--tilt'? (see waymark render --help)"),
        (["render", "a.json", "--widht", "3"], "Unknown option '--widht'. Did you mean '--size'? (see waymark render --help)"),
        (["render", "a.json", "--width", "3"], "Unknown option '--width'. It is called '--size' here (see waymark render --help)"),
        (
            ["tiles", "a.json", "-o", "a", "--zooms", "3", "--bbox", "3"],
            "Unknown option '--bbox'. It is called '--bounds' here (see waymark tiles --help)"
        ),
        (["doctor", "--jsno"], "Unknown option '--jsno'. Did you mean '--json'? (see waymark doctor --help)"),
        (["diff", "a", "b", "--width", "3"], "Unknown option '--width' (see waymark diff --help)"),
        (["render", "a.json", "--xyzzy"], "Unknown option '--xyzzy' (see waymark render --help)"),
        (["--versoin"], "Unknown option '--versoin'. Did you mean '--version'? (see waymark --help)"),
        (["render"], "Missing expected argument '<scene>' (see waymark render --help)"),
        (["rendr", "a.json"], "Unknown command 'rendr'. Did you mean 'render'? (see waymark --help)"),
        (["help", "rendr"], "Unknown command 'rendr'. Did you mean 'render'? (see waymark --help)"),
        (["frobnicate"], "Unknown command 'frobnicate' (see waymark --help)"),
        (["city.json"], "'city.json' is not a command; to draw a scene: waymark render city.json (see waymark --help)"),
    ]) func misspelledNames(arguments: [String], message: String) throws {
        let result = try Program.run(arguments, in: folder)
        #expect(result.status == 64 && result.output.isEmpty && result.errors == "error: \(message)\n", "\(result.errors)")
    }

    @Test func theOutputNextToItsOption() throws {
        try folder.write(#"{"waymark": 1, "size": {"width": 8, "height": 8}}"#, "scene.json")
        for name in ["a.png", "o-1.webp", "./out.jpg"] {
            let result = try Program.run("render", "scene.json", "-o\(name)", in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"))
        }
    }

    /// The values of options complete, not only their names.
    @Test(arguments: ["bash", "zsh", "fish"]) func valuesComplete(shell: String) throws {
        let script = try Program.run("--generate-completion-script", shell)
        #expect(script.status == 0 && script.errors.isEmpty)
        for words in [["png", "jpeg", "webp", "rgba"], ["auto", "software", "surfaceless"], ["256", "512"], ["geojson"]] {
            let isComplete =
                script.text.split(separator: "\n").contains { line in words.allSatisfy { line.contains($0) } }
                || words.allSatisfy { script.text.contains("\n\($0)") || script.text.contains("'\($0)'") }
            #expect(isComplete, "\(shell): \(words)")
        }
    }
}
