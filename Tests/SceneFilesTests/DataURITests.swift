import Foundation
import Testing
import WaymarkImaging
import WaymarkSceneFiles

/// `data:` URIs as RFC 2397 has them: in base64, or percent-encoded.
@Suite struct DataURITests {
    private func problem(_ uri: String) throws -> String? {
        let marker: [String: Any] = ["type": "marker", "position": [0, 0], "iconImage": uri]
        let scene = try JSONSerialization.data(withJSONObject: ["waymark": 1, "overlays": [marker]] as [String: Any])
        do {
            _ = try SceneFile(data: scene)
            return nil
        } catch {
            return error.description
        }
    }

    /// A PNG has a checksum, so that it is read only if each byte is right.
    @Test func aPNGInBothForms() throws {
        let png = try Bitmap(width: 3, height: 2, fill: .red).encoded(as: .png)
        let percent = png.map { String(format: "%%%02X", $0) }.joined()
        for uri in [
            "data:image/png;base64,\(Data(png).base64EncodedString())", "data:image/png,\(percent)", "data:,\(percent.lowercased())",
        ] {
            #expect(try problem(uri) == nil)
        }
        #expect(try problem("data:image/png,\(percent.dropLast(30))")?.contains("the PNG data is damaged") == true)
    }

    @Test(arguments: [
        "%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='9'%20height='9'/%3E",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='50%' height='5' fill='#00f'/></svg>",
    ])
    func anSVGAsText(text: String) throws {
        for type in ["data:image/svg+xml,", "data:image/svg+xml;utf8,", "data:image/svg+xml;charset=utf-8,"] {
            #expect(try problem(type + text) == nil, "\(type)")
        }
    }

    /// A percent sign that two hexadecimal digits do not follow is itself.
    @Test(arguments: ["%aé", "%é", "%-0", "%+1", "% 1", "%", "%4"]) func aPercentSignInAnSVG(text: String) throws {
        let svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
        #expect(try problem("\(svg)<!--\(text)--></svg>") == nil)
    }

    @Test(arguments: ["data:", "data:image/png;base64", "data:image/png;base64,?", "data:;base64,AAA"])
    func whatIsNone(uri: String) throws {
        let sentence = try problem(uri)
        #expect(
            sentence?.hasSuffix("overlays[0].iconImage: expected data:image/…;base64,… or data:image/…,…") == true,
            "\(sentence ?? "accepted")")
    }
}
