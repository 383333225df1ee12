import Testing
import Waymark
import WaymarkTestSupport

/// `waymark schema`.
@Suite struct SchemaTests {
    private let folder = ScratchFolder()

    @Test func theSchemaIsThatOfTheLibrary() throws {
        let result = try Program.run("schema")
        #expect(result.status == 0 && result.errors.isEmpty && result.text == SceneFile.schema)
    }

    @Test func aPageGetsItsTables() throws {
        try folder.write("# Circles\n<!-- properties: circle -->\nold\n<!-- end -->\n", "page.md")
        let result = try Program.run("schema", "--markdown", "page.md", in: folder)
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.text.hasPrefix("# Circles\n<!-- properties: circle -->\n| key | value | default | |\n"))
        #expect(result.text.contains("| `radius` | number, 0 to 20,000,000 | `1000` |") && !result.text.contains("old\n"))
    }

    @Test func aPageThatCannotBeUpdated() throws {
        let absent = try Program.run("schema", "--markdown", "absent.md", in: folder)
        #expect(absent.status == 66 && absent.errors == "error: absent.md: cannot read the file: No such file or directory\n")
        try folder.write("<!-- properties: square -->\n<!-- end -->\n", "page.md")
        let unknown = try Program.run("schema", "--markdown", "page.md", in: folder)
        #expect(unknown.status == 65 && unknown.errors == "error: page.md: a property table has an unknown name or no <!-- end -->\n")
    }
}
