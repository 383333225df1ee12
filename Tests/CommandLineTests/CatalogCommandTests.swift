import Foundation
import Testing
import WaymarkTestSupport

/// The commands in docs/Waymark.docc, run in a folder with the files that the articles show.
@Suite struct CatalogCommandTests {
    private let folder = ScratchFolder()

    @Test(arguments: [("SceneFiles", ["city.png", "turned.png"]), ("Batches", ["cards/palace.png", "cards/station.png"])])
    func theCommandsDrawPictures(article: String, pictures: [String]) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/Waymark.docc/\(article).md"), encoding: .utf8)
        // The sentence before a block ends in the name of its file.
        for file in text.matches(of: /`([^`\n]+)`:\n\n```json\n([^`]+)```/) { try folder.write(String(file.2), String(file.1)) }
        let commands = try #require(text.firstMatch(of: /```sh\n([^`]+)```/)).1
        // The shell's $0 is the path of the program.
        let result = try Program.run([], in: folder, startedBy: ["/bin/sh", "-ec", "PATH=${0%/*}:$PATH\n\(commands)"])
        #expect(result.status == 0, "\(result.errors)")
        for picture in pictures { #expect(try folder.read(picture).starts(with: [0x89, 0x50, 0x4e, 0x47])) }
    }
}
