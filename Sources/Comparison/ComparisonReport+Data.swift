import Waymark
import WaymarkImaging
import WaymarkSceneFiles

// For programs: JSON, and the XML of JUnit, which build servers read.
extension ComparisonReport {
    /// The report as a JSON object. Its format is documented in docs/visual-tests.md.
    public var jsonText: String {
        let object = JSONText.object([
            ("title", .string(title)), ("matches", .boolean(matches)), ("threshold", .integer(rule.threshold)),
            // Nine decimal places are needed, because six would cut off a share below one pixel in a million.
            ("allowed", .degrees(rule.allowed)), ("ignoresAntialiasing", .boolean(rule.antialiasing == .ignored)),
            ("repeated", .array(repeated.map(json))), ("pictures", .array(verdicts.map(\.json))),
        ])
        return object.text + "\n"
    }

    private func json(_ one: RepeatedDifference) -> JSONText {
        var fields: [(String, JSONText)] = []
        switch one.differences[0] {
        case .camera, .background: fields.append(("type", .string(one.subject)))
        case .overlay(let id, let type, let change):
            fields += [("id", .string(id)), ("type", .string(type)), ("change", .string(change.name))]
            if let part = change.part { fields.append(("part", .string(part.rawValue))) }
        }
        return .object(
            fields + [("sentence", .string(one.clause)), ("pictures", .array(one.pictures.map { .string(verdicts[$0].name) }))])
    }

    /// The report in JUnit's XML format, with one test case for each picture.
    public var junitText: String {
        let suite = title.escapedForMarkup()
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites tests="\#(verdicts.count)" failures="\#(failureCount)">"#,
            #"<testsuite name="\#(suite)" tests="\#(verdicts.count)" failures="\#(failureCount)" errors="0" skipped="0">"#,
        ]
        for verdict in verdicts {
            let name = (verdict.name.isEmpty ? title : verdict.name).escapedForMarkup()
            let head = #"<testcase classname="\#(suite)" name="\#(name)""#
            guard !verdict.matches else {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            lines.append(
                #"<failure message="\#(verdict.sentence.escapedForMarkup())">\#(verdict.details.joined(separator: "\n").escapedForMarkup())</failure>"#
            )
            lines.append("</testcase>")
        }
        return (lines + ["</testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }
}

extension PictureVerdict {
    fileprivate var json: JSONText {
        var fields: [(String, JSONText)] = [
            ("name", .string(name)), ("matches", .boolean(matches)), ("sentence", .string(sentence)),
        ]
        if let facts {
            fields += [
                ("expectedSize", .array([.integer(facts.expectedSize.width), .integer(facts.expectedSize.height)])),
                ("actualSize", .array([.integer(facts.actualSize.width), .integer(facts.actualSize.height)])),
                ("differingPixels", .integer(facts.differingPixels)), ("ignoredPixels", .integer(facts.ignoredPixels)),
                ("leftOutPixels", .integer(facts.leftOutPixels)),
                ("largest", facts.largest?.json ?? .null), ("worstWindow", facts.worstWindow?.json ?? .null),
                ("bounds", facts.bounds?.json ?? .null),
            ]
        }
        if let camera { fields.append(("camera", camera.json)) }
        if camera != nil || otherPixels != nil { fields.append(("overlays", .array(overlays.map(\.json)))) }
        if let otherPixels { fields.append(("otherPixels", .integer(otherPixels))) }
        return .object(fields)
    }
}

extension CameraDifference {
    fileprivate var json: JSONText {
        func json(_ camera: Camera) -> JSONText {
            .object([
                ("center", camera.center.json), ("zoom", .degrees(camera.zoom)), ("bearing", .degrees(camera.bearing)),
                ("tilt", .degrees(camera.tilt)),
            ])
        }
        return .object([("sentence", .string(description)), ("expected", json(expected)), ("actual", json(actual))])
    }
}

extension OverlayDifference {
    fileprivate var json: JSONText {
        .object([("id", .string(id)), ("type", .string(type)), ("changes", .array(changes.map(\.json)))])
    }
}

extension OverlayChange {
    fileprivate var json: JSONText {
        var fields: [(String, JSONText)] = [("change", .string(name)), ("sentence", .string(description))]
        func add(_ key: String, _ value: JSONText) { fields.append((key, value)) }
        func add(part: OverlayPart?) { if let part { add("part", .string(part.rawValue)) } }
        switch self {
        case .added, .removed: break
        case .shown(let part): add(part: part)
        case .hidden(let part, let by, let reason):
            add(part: part)
            if let by { add("by", .string(by)) }
            if let reason { add("reason", .string(reason)) }
        case .moved(let part, let x, let y):
            add(part: part)
            add("offset", .array([.length(x), .length(y)]))
        case .resized(let part, let from, let to):
            add(part: part)
            add("from", .array([.length(from.width), .length(from.height)]))
            add("to", .array([.length(to.width), .length(to.height)]))
        case .turned(let part, let angle):
            add(part: part)
            add("angle", .length(angle))
        case .text(let from, let to):
            add("from", .string(from))
            add("to", .string(to))
        case .raised(let other): add("over", .string(other))
        case .lowered(let other): add("under", .string(other))
        case .restyled(let part, let pixels, let difference):
            add(part: part)
            add("pixels", .integer(pixels))
            add("largest", .integer(difference))
        }
        return .object(fields)
    }
}

extension PictureComparison.Largest {
    fileprivate var json: JSONText {
        .object([("difference", .integer(difference)), ("x", .integer(x)), ("y", .integer(y))])
    }
}

extension PictureComparison.Window {
    fileprivate var json: JSONText {
        .object([("rect", rectangle.json), ("differingPixels", .integer(differingPixels)), ("share", .degrees(share))])
    }
}

extension PixelRect {
    fileprivate var json: JSONText { .array([x, y, width, height].map { .integer($0) }) }
}
