import ArgumentParser
import Waymark
import WaymarkSystem

/// `waymark schema`: the JSON Schema of scene files, and the tables of their reference page.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scene files.",
        discussion: "Text editors can check and complete scenes with it. It conforms to JSON Schema draft 2020-12.",
        examples: [
            "waymark schema >scene.schema.json",
            "waymark schema --markdown scene.md",
        ])

    @Option(
        help: ArgumentHelp("Print this Markdown page with its property tables updated.", valueName: "page"),
        completion: .file(extensions: ["md"]))
    var markdown: String?

    func run() throws {
        try reporting { () throws(Failure) in
            guard let markdown else { return try Pipes.write(SceneFile.schema) }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try WholeFile.read(markdown, as: .page)
            } catch {
                throw Failure(reading: error, name: markdown)
            }
            guard let page = SceneReference.updated(String(decoding: bytes, as: UTF8.self)) else {
                throw Failure(.badContent, "\(markdown): a property table has an unknown name or no <!-- end -->")
            }
            try Pipes.write(page)
        }
    }
}
