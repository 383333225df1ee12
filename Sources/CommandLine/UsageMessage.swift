import ArgumentParser
import Foundation
import WaymarkSceneFiles

/// The messages for arguments that the program does not know: they suggest the nearest name, and point to the help of the command.
enum UsageMessage {
    /// Names that users of other programs may expect, and the names of these options here.
    private static let synonyms = [
        "angle": "bearing", "bbox": "bounds", "dpi": "pixel-ratio", "heading": "bearing", "height": "size", "pitch": "tilt",
        "rotation": "bearing", "scale": "pixel-ratio", "threads": "workers", "width": "size",
    ]

    /// The message for an unknown command at the beginning of the arguments; nil for a known one.
    static func unknownCommand(in arguments: [String]) -> String? {
        let words = arguments.first == helpCommand ? arguments.dropFirst() : arguments[...]
        guard let name = words.first, !name.hasPrefix("-"), name != helpCommand, command(named: name) == nil else { return nil }
        // The first argument is the name of a file instead of a command.
        if SceneFile.isNamed(name) {
            return "\(quoted(name)) is not a command; to draw a scene: waymark render \(name) (see waymark --help)"
        }
        let names = WaymarkProgram.configuration.subcommands.map { $0.name } + [helpCommand]
        return "Unknown command \(quoted(name))\(suggestion(nearestName(to: name, among: names))) (see waymark --help)"
    }

    /// The message for an error of parsing arguments.
    static func parsing(_ error: any Error, _ arguments: [String]) -> String {
        let command = arguments.first.flatMap(command(named:))
        let page = (["waymark", command?.name].compactMap { $0 } + ["--help"]).joined(separator: " ")
        if let command, let problem = severalScenes(in: WaymarkProgram.message(for: error), command) { return problem }
        return "\(corrected(WaymarkProgram.message(for: error), command ?? WaymarkProgram.self)) (see \(page))"
    }

    /// The message for several files of features given to a command that draws one scene. It suggests a scene that shows all of them. Nil
    /// for other errors.
    /// - Parameter message: ArgumentParser's message.
    private static func severalScenes(in message: String, _ command: any ParsableCommand.Type) -> String? {
        guard message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ") else { return nil }
        let others = message.matches(of: /'([^']*)'/).map { String($0.1) }
        guard let first = others.first, others.allSatisfy(SceneFile.isNamed) else { return nil }
        return "\(quoted(first)) is a second file, but \(command.name) reads only one; to draw several files of features together, "
            + #"write a scene {"waymark": 1, "overlays": [{"type": "geojson", "source": "FILE"}, …]} with all of them"#
    }

    private static let helpCommand = "help"

    private static func command(named name: String) -> (any ParsableCommand.Type)? {
        WaymarkProgram.configuration.subcommands.first { $0.name == name }
    }

    private static func quoted(_ name: String) -> String { "'\(name)'" }

    private static func suggestion(_ name: String?) -> String { name.map { ". Did you mean '\($0)'?" } ?? "" }

    /// The message with a better suggestion, because ArgumentParser suggests options that differ in up to three letters, no matter how
    /// short they are.
    private static func corrected(_ message: String, _ command: any ParsableCommand.Type) -> String {
        guard let unknown = message.wholeMatch(of: /Unknown option '--([^']+)'(?:\. Did you mean '[^']*'\?)?/)?.1 else { return message }
        let known = optionNames(of: command)
        let others = synonyms.filter { known.contains($0.value) }
        let nearest = nearestName(to: String(unknown), among: known + others.keys.sorted())
        let start = "Unknown option '--\(unknown)'"
        if let real = others[String(unknown)] { return "\(start). It is called '--\(real)' here" }
        return start + suggestion(nearest.map { "--\(others[$0] ?? $0)" })
    }

    /// The long names of a command's options.
    private static func optionNames(of command: any ParsableCommand.Type) -> [String] {
        struct Tool: Decodable {
            struct Command: Decodable {
                let arguments: [Argument]?
            }
            struct Argument: Decodable {
                struct Name: Decodable {
                    let kind: String
                    let name: String
                }
                let names: [Name]?
            }
            let command: Command
        }
        let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
        return tool?.command.arguments?.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name) ?? []
    }
}

extension ParsableCommand {
    /// The name of the command in command lines.
    fileprivate static var name: String { _commandName }
}
