import Foundation
import Waymark
import WaymarkGeo

// For people: one self-contained file.
extension ComparisonReport {
    /// The report as an HTML page. It shows the expected, the actual and the difference pictures side by side, or overlaid with a slider,
    /// and lists the differences by overlay.
    public var html: String {
        let failures = verdicts.filter { !$0.matches }
        let passed = verdicts.filter(\.matches)
        var body = index + failures.enumerated().map { section($1, number: $0) }
        if !drawing.isEmpty {
            let lines = drawing.map { line in
                let side = line.hasPrefix("- ") ? " expected" : line.hasPrefix("+ ") ? " actual" : ""
                return "<div class=\"line\(side)\">\((side.isEmpty ? line : String(line.dropFirst(2))).escapedForMarkup())</div>"
            }
            body.append("<section class=\"drawing\"><h2>Drawing</h2><div>\(lines.joined())</div></section>")
        }
        if !passed.isEmpty {
            let names = passed.map {
                "<li>\(($0.name.isEmpty ? title : $0.name).escapedForMarkup()): \($0.sentence.escapedForMarkup())</li>"
            }
            body.append(
                "<details class=\"passed\"><summary>\(passed.count) as expected</summary><ul>\(names.joined())</ul></details>")
        }
        return HTMLPage.filled(
            Self.template,
            [
                "TITLE": .text(title), "SUMMARY": .text(summary), "STATE": .text(matches ? "good" : "bad"),
                "BODY": .markup(body.joined(separator: "\n")),
            ])
    }

    /// The differences that several pictures have, and links to the pictures; empty for a single picture.
    private var index: [String] {
        let failures = verdicts.indices.filter { !verdicts[$0].matches }
        guard failures.count > 1 else { return [] }
        let numbers = Dictionary(uniqueKeysWithValues: failures.enumerated().map { ($1, $0) })
        func link(_ picture: Int, _ text: String) -> String {
            "<a href=\"#picture-\(numbers[picture] ?? 0)\">\(text.escapedForMarkup())</a>"
        }
        let rows = repeated.map { one in
            let name: String
            if case .overlay(let id, let type, _) = one.differences[0] {
                name = (id.isEmpty ? "" : "<b>\(id.escapedForMarkup())</b> ") + "<span>\(type.escapedForMarkup())</span>"
            } else {
                name = "<span>\(one.subject)</span>"
            }
            let links = one.pictures.map { link($0, verdicts[$0].name) }.joined(separator: ", ")
            return """
                <tr><th>\(name)</th><td>\(one.clause.escapedForMarkup())<details><summary>in \(one.pictures.count) of \(verdicts.count) \
                pictures</summary>\(links)</details></td></tr>
                """
        }
        let pictures = failures.map { "<li>\(link($0, verdicts[$0].name))</li>" }
        return [
            "<nav><h2>Differences</h2>\(rows.isEmpty ? "" : "<table>\(rows.joined(separator: "\n"))</table>")"
                + "<ul>\(pictures.joined())</ul></nav>"
        ]
    }

    private func section(_ verdict: PictureVerdict, number: Int) -> String {
        var parts = ["<section id=\"picture-\(number)\">"]
        if !verdict.name.isEmpty { parts.append("<h2>\(verdict.name.escapedForMarkup())</h2>") }
        parts.append("<p class=\"sentence\">\(verdict.sentence.escapedForMarkup())</p>")
        parts.append(Self.table(verdict))
        if let files = verdict.files {
            parts.append(Self.stage(files, verdict))
        } else {
            parts.append("<p class=\"quiet\">The page has no room for more pictures; compare these separately.</p>")
        }
        parts.append("</section>")
        return parts.joined(separator: "\n")
    }

    private static func table(_ verdict: PictureVerdict) -> String {
        var rows = verdict.camera.map { ["<tr><th><span>camera</span></th><td>\("\($0)".escapedForMarkup())</td></tr>"] } ?? []
        rows += verdict.overlays.enumerated().map { index, overlay in
            let name = overlay.id.isEmpty ? "" : "<b>\(overlay.id.escapedForMarkup())</b> "
            let changes = overlay.changes.map { "<li>\($0.description.escapedForMarkup())</li>" }.joined()
            let lines = [("expected", overlay.expectedText), ("actual", overlay.actualText)].compactMap { side, text in
                text.map { "<div class=\"line \(side)\">\($0.escapedForMarkup())</div>" }
            }
            let isSame = overlay.expectedText == overlay.actualText
            return """
                <tr data-overlay="\(index)"><th>\(name)<span>\(overlay.type.escapedForMarkup())</span></th><td><ul>\(changes)</ul>\
                \(isSame ? "" : "<details><summary>Placement</summary>\(lines.joined())</details>")</td></tr>
                """
        }
        if let other = verdict.otherPixels, other > 0, verdict.facts != nil {
            rows.append(
                "<tr><th><span>background</span></th><td>\(other) \(other == 1 ? "pixel" : "pixels") outside all overlays</td></tr>")
        }
        return rows.isEmpty ? "" : "<table>\(rows.joined(separator: "\n"))</table>"
    }

    private static func stage(_ files: PictureVerdict.Files, _ verdict: PictureVerdict) -> String {
        func image(_ bytes: [UInt8], _ name: String) -> String {
            "<img alt=\"\(name)\" src=\"data:image/png;base64,\(Data(bytes).base64EncodedString())\">"
        }
        let boxes = boxes(verdict, files)
        let sides = [("Expected", files.expected), ("Actual", files.actual), ("Difference", files.difference)]
        let figures = sides.map { name, bytes in
            let content = bytes.map { image($0, name) + (name == "Difference" ? "" : boxes) } ?? "<p class=\"none\">No picture.</p>"
            return "<figure><figcaption>\(name)</figcaption><div class=\"picture\">\(content)</div></figure>"
        }
        var controls = """
            <div class="controls"><label>Zoom <select class="zoom"><option value="0">fit</option><option>1</option><option>2</option>\
            <option>4</option><option>8</option></select></label>
            """
        if !boxes.isEmpty {
            controls += """
                <label><input type="checkbox" class="boxes" checked> Boxes</label>\
                <span><span class="key expected">expected</span> <span class="key">actual</span></span>
                """
        }
        var slider = ""
        if let expected = files.expected, let actual = files.actual, files.difference != nil {
            controls += "<label><input type=\"checkbox\" class=\"sliding\"> Slider</label>"
            slider = """
                <figure class="slider" hidden><figcaption><span>Expected</span><span>Actual</span></figcaption>\
                <div class="picture">\(image(actual, "Actual"))<div class="over">\(image(expected, "Expected"))</div><i></i></div>\
                <input type="range" min="0" max="100" value="50" aria-label="Expected on the left, actual on the right"></figure>
                """
        }
        return """
            \(controls)</div>
            <div class="pictures" data-width="\(files.width)">
            \(figures.joined(separator: "\n"))
            \(slider)
            </div>
            """
    }

    /// The boxes around the overlays that differ, to be drawn over a picture. Boxes in the expected picture are dashed.
    private static func boxes(_ verdict: PictureVerdict, _ files: PictureVerdict.Files) -> String {
        func polygon(_ points: [Inspection.Point], _ kind: String, _ index: Int) -> String {
            let text = points.map { "\(plain($0.x * files.pixelRatio)),\(plain($0.y * files.pixelRatio))" }.joined(separator: " ")
            return "<polygon class=\"\(kind)\" data-overlay=\"\(index)\" points=\"\(text)\"/>"
        }
        let shapes = verdict.overlays.enumerated().flatMap { index, overlay in
            overlay.expectedBoxes.map { polygon($0, "expected", index) } + overlay.actualBoxes.map { polygon($0, "actual", index) }
        }
        guard !shapes.isEmpty else { return "" }
        return "<svg aria-hidden=\"true\" viewBox=\"0 0 \(files.width) \(files.height)\">\(shapes.joined())</svg>"
    }
}
