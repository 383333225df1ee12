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
        (
            ["render", "a.gpx", "b.csv"],
            "'b.csv' is a second file, but render reads only one; to draw several files of features together, write a scene "
                + #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "FILE"}, …]} with all of them"#
        ),
        (
            ["inspect", "a.gpx", "b.csv", "c.json"],
            "'b.csv' is a second file, but inspect reads only one; to draw several files of features together, write a scene "
                + #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "FILE"}, …]} with all of them"#
        ),
        (["render", "a.gpx", "x"], "Unexpected argument 'x' (see waymark render --help)"),
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

    /// Tiles have fewer formats than pictures, and `--allow-files` takes words and folders.
    @Test func eachCommandHasItsValues() throws {
        let bash = try Program.run("--generate-completion-script", "bash").text
        let start = try #require(bash.range(of: "\n_waymark_tiles() {\n")).upperBound
        let tiles = bash[start..<(try #require(bash[start...].range(of: "\n}\n")).lowerBound)]
        #expect(tiles.contains("'png'$'\\n''jpeg'$'\\n''webp'") && !tiles.contains("rgba"), "\(tiles)")
        try folder.write("", "file")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/north/sea", withIntermediateDirectories: true)
        func completions(_ start: String) throws -> [Substring] {
            let result = try Program.run(
                ["---completion", "render", "--", "--allow-files", "3", "\(start.count)", "waymark", "render", "--allow-files", start],
                in: folder)
            #expect(result.status == 0, "\(result.errors)")
            return result.text.split(separator: "\n")
        }
        #expect(try completions("") == ["none", "any", "north"])
        #expect(try completions("no") == ["none", "north"])
        #expect(try completions("north/") == ["north/sea"])
    }

    /// Bash makes three words of `--device=so`, and ArgumentParser's script does not complete the commands after `help`.
    @Test(arguments: [
        (["waymark", "help", "re"], "re", ["render", "replay"]), (["waymark", "re"], "re", ["render", "replay"]),
        (["waymark", "render", "a.json", "--device", "so"], "so", ["software"]),
        (["waymark", "render", "a.json", "--device", "=", "so"], "so", ["software"]),
        (["waymark", "render", "a.json", "--device", "="], "", ["auto", "software", "surfaceless"]),
        (["waymark", "tiles", "--format", "=", "w"], "w", ["webp"]),
    ]) func bashCompletes(words: [String], start: String, completions: [String]) throws {
        let script = try Program.run("--generate-completion-script", "bash").text
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let line = words.joined(separator: " ").replacing(" = ", with: "=").replacing(" =", with: "=")
        try folder.write(
            """
            \(script)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); COMP_LINE='\(line)'; COMP_POINT=\(line.count)
            function_name="$(complete -p waymark | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
            "$function_name" waymark '\(start)' '\(words[words.count - 2])'
            printf '%s\\n' "${COMPREPLY[@]}"
            """, "complete.sh")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["\(folder.path)/complete.sh"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(output.split(separator: "\n").map(String.init) == completions, "\(output)")
    }

    /// The same additions for the shells that the tests cannot run.
    @Test func zshAndFishComplete() throws {
        let zsh = try Program.run("--generate-completion-script", "zsh").text
        #expect(zsh.contains("'*:subcommands:(render inspect pick ") && zsh.contains("'--device=[") && zsh.contains("{-o,--output=}'["))
        #expect(zsh.contains("'*--basemap=[") && zsh.contains("'--lenient["))
        let fish = try Program.run("--generate-completion-script", "fish").text
        #expect(fish.contains(#""waymark help" -eq 1' -fka 'render inspect pick "#))
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
