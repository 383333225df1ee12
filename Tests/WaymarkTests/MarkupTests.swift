import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Texts and values in pages.
@Suite struct MarkupTests {
    /// Swift reads each of these as one character without meaning in HTML; a browser reads an HTML character and another one.
    @Test(arguments: [("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;")])
    func charactersAreEscapedByScalars(character: String, escaped: String) {
        for (text, expected, ascii) in [
            (character, escaped, escaped), ("\(character)\u{301}", "\(escaped)\u{301}", "\(escaped)&#769;"),
            ("\u{600}\(character)", "\u{600}\(escaped)", "&#1536;\(escaped)"),
            ("\(character)\u{338}\u{FE0F}", "\(escaped)\u{338}\u{FE0F}", "\(escaped)&#824;&#65039;"),
        ] {
            #expect(Array(text.escapedForMarkup().unicodeScalars) == Array(expected.unicodeScalars))
            #expect(text.escapedForMarkup(.ascii) == ascii)
        }
    }

    @Test func charactersForbiddenInXMLAreReplaced() {
        #expect("a\0b\u{1}c\u{1F}d\u{7F}e\u{85}f\u{FFFE}g\u{FFFF}h".escapedForMarkup() == "a�b�c�d�e�f�g�h")
        #expect("a\u{1}b\u{85}c".escapedForMarkup(.ascii) == "a&#65533;b&#65533;c")
        #expect("a\tb\nc\rd\r\ne".escapedForMarkup() == "a&#9;b&#10;c&#13;d&#13;&#10;e")
        #expect("서울 🗺️".escapedForMarkup() == "서울 🗺️")
        #expect("서🗺".escapedForMarkup(.ascii) == "&#49436;&#128506;")
    }

    @Test func valuesAreNotScanned() {
        let template = "<style>@media print { a@b }</style><h1>@TITLE@</h1>@@TITLE@@NONE@<p>@BODY@"
        #expect(
            HTMLPage.filled(template, ["TITLE": .text("@BODY@ & @TITLE@"), "BODY": .markup("<b>@TITLE@</b>")])
                == "<style>@media print { a@b }</style><h1>@BODY@ &amp; @TITLE@</h1>@@BODY@ &amp; @TITLE@@NONE@<p><b>@TITLE@</b>")
        #expect(
            HTMLPage.filled("@A@", ["A": .text("")]) == "" && HTMLPage.filled("", [:]) == ""
                && HTMLPage.filled("x@A", ["A": .text("y")]) == "x@A")
    }

    @Test func aScriptElementHoldsJSON() throws {
        let text = "</script>\u{600}<script>\u{301}<!--<\u{338}"
        let page = HTMLPage.filled("<script>@DATA@</script>", ["DATA": .json(.array([.string(text)]))])
        let json = page.dropFirst("<script>".count).dropLast("</script>".count)
        #expect(!json.unicodeScalars.contains("<"))
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [text])
    }
}
