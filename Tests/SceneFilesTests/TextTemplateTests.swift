import Testing
import WaymarkScene
import WaymarkSceneFiles

@Suite struct TextTemplateTests {
    static let properties = #"""
        {"name": "서울", "population": 24874500, "share": 0.5, "open": true, "shut": false, "none": null, "big": 18446744073709551615,
         "far": 1e300, "a b": "c", "whole": 3.0, "list": []}
        """#

    static func text(_ template: String) throws -> String {
        var names: [String] = []
        let template = try TextTemplate(template, names: &names)
        let document = try document(properties)
        return try document.withTape { tape in
            var values = names.map { _ in JSONNode?.none }
            tape.members(names.map { Array($0.utf8) }, of: tape.root, into: &values)
            return try template.text(values, document, tape)
        }
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("{name}", "서울"), ("{name}\n{population}", "서울\n24874500"), ("{share}", "0.5"), ("{whole}", "3"),
        ("{open} {shut}", "true false"), ("<{none}{nothing}>", "<>"), ("{a b}", "c"), ("{{{name}}}", "{서울}"), ("{{name}}", "{name}"),
        ("}}{{", "}{"), ("{name}{name}", "서울서울"), ("{far}", "1e+300"), ("{big}", "1.8446744073709552e+19"), ("👩‍👩‍👧{name}é", "👩‍👩‍👧서울é"),
    ])
    func evaluates(template: String, text: String) throws {
        #expect(try Self.text(template) == text)
    }

    /// A line that consists only of missing properties is left out; an empty line in a template stays.
    @Test(arguments: [
        ("{nothing}\n{name}", "서울"), ("{name}\n{nothing}", "서울"), ("{nothing}\n{none}", ""), ("{name}\n\n{share}", "서울\n\n0.5"),
        ("{name}\n({nothing})", "서울\n()"), ("{name}\n{nothing}{share}\n{none}", "서울\n0.5"),
    ])
    func leavesEmptyLinesOut(template: String, text: String) throws {
        #expect(try Self.text(template) == text)
    }

    @Test(arguments: [
        ("{", "a { has no matching }; write {{ for a literal brace"), ("a{name", "a { has no matching }; write {{ for a literal brace"),
        ("}", "a } has no matching {; write }} for a literal brace"), ("{name}}", "a } has no matching {; write }} for a literal brace"),
        ("{}", "{} needs a property name; write {{}} for literal braces"), ("{{{", "a { has no matching }; write {{ for a literal brace"),
    ])
    func refuses(template: String, problem: String) {
        #expect(throws: BracedText.Problem(text: problem)) { try Self.text(template) }
    }

    @Test func namesAreSharedAmongTemplates() throws {
        var names: [String] = []
        let first = try TextTemplate("{b} of {a}", names: &names)
        let second = try TextTemplate("{a}", names: &names)
        #expect(names == ["b", "a"])
        #expect(first.properties == [0, 1] && first.onlyProperty == nil)
        #expect(second.properties == [1] && second.onlyProperty == 1)
        #expect(first.parts == [.property(0), .literal(" of "), .property(1)])
    }

    @Test func whatHasNoTextIsAnError() {
        #expect(throws: SceneFileError(path: "list", problem: "expected a string, a number, true or false, found an array")) {
            try Self.text("{list}")
        }
    }
}
