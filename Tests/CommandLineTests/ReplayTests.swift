import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport

/// `waymark replay`.
@Suite struct ReplayTests {
    let folder = ScratchFolder()

    init() throws { try write() }

    private func write(events: String = #"[{"tap": [100, 90]}]"#, camera: String = "") throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 200}, "camera": {"center": [0, 0], "zoom": 10\(camera)},
             "overlays": [
               {"type": "circle", "id": "ring", "center": [0, 0], "radius": 8000},
               {"type": "marker", "id": "a", "position": [0, 0], "title": "A <title>", "isDraggable": true}],
             "events": \(events)}
            """, "scene.json")
    }

    private func replay(_ arguments: String...) throws -> Program { try Program.run(["replay", "scene.json"] + arguments, in: folder) }

    @Test func theCallsAreJSONLinesInTheirOrder() throws {
        try write(
            events: """
                [{"tap": [100, 90]}, {"tap": [100, 50]}, {"longPress": [100, 50]}, {"drag": {"from": [100, 90], "to": [130, 90]}},
                 {"tap": [10, 10]}]
                """)
        let result = try replay()
        #expect(result.status == 0 && result.errors.isEmpty)
        let icon = #"{"id":"a","type":"marker","part":"icon"},{"id":"ring","type":"circle","part":"shape"}"#
        let window = #"{"id":"a","type":"marker","part":"infoWindow"},{"id":"ring","type":"circle","part":"shape"}"#
        let marker = #""objects":[{"id":"a","type":"marker"}]"#
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"event":0,"tap":[100.000,90.000],"coordinate":{"lat":0.006866455,"lng":0.000000000},"hits":[\#(icon)]}"#,
                #"{"event":0,"callback":"didTap",\#(marker)}"#,
                #"{"event":0,"callback":"markerInfoWindow",\#(marker)}"#,
                #"{"event":0,"callback":"markerInfoContents",\#(marker)}"#,
                #"{"event":0,"callback":"didSelect","objects":[{"id":"a","type":"marker"},{"id":"ring","type":"circle"}]}"#,
                #"{"event":1,"tap":[100.000,50.000],"coordinate":{"lat":0.034332273,"lng":0.000000000},"hits":[\#(window)]}"#,
                #"{"event":1,"callback":"didTapInfoWindowOf",\#(marker)}"#,
                #"{"event":2,"longPress":[100.000,50.000],"coordinate":{"lat":0.034332273,"lng":0.000000000},"hits":[\#(window)]}"#,
                #"{"event":2,"callback":"didLongPressInfoWindowOf",\#(marker)}"#,
                #"{"event":3,"drag":[[100.000,90.000],[130.000,90.000]],"coordinate":"#
                    + #"{"lat":0.006866455,"lng":0.000000000},"hits":[\#(icon)]}"#,
                #"{"event":3,"callback":"didBeginDragging",\#(marker),"coordinate":{"lat":0.000000000,"lng":0.000000000}}"#,
                #"{"event":3,"callback":"didDrag",\#(marker),"coordinate":{"lat":0.000000000,"lng":0.020599365}}"#,
                #"{"event":3,"callback":"didEndDragging",\#(marker),"coordinate":{"lat":0.000000000,"lng":0.020599365}}"#,
                #"{"event":4,"tap":[10.000,10.000],"coordinate":{"lat":0.061798084,"lng":-0.061798096},"hits":[]}"#,
                #"{"event":4,"callback":"didTapMapAt","coordinate":{"lat":0.061798084,"lng":-0.061798096}}"#,
                #"{"event":4,"callback":"didCloseInfoWindowOf",\#(marker)}"#,
            ])
    }

    @Test func aDragHasADidDragForEachPoint() throws {
        try write(events: #"[{"drag": [[100, 90], [110, 90], [130, 100]]}]"#)
        let lines = try replay("--html", "page.html").text.split(separator: "\n")
        #expect(lines[0].contains(#""drag":[[100.000,90.000],[110.000,90.000],[130.000,100.000]],"#))
        let calls = ["didBeginDragging", "didDrag", "didDrag", "didEndDragging"]
        #expect(lines.count == 5 && zip(lines.dropFirst(), calls).allSatisfy { $0.contains(#""callback":"\#($1)""#) })
        #expect(
            String(decoding: try folder.read("page.html"), as: UTF8.self).contains(
                #""pointer":[[100.000,90.000],[110.000,90.000],[130.000,100.000]]"#))
    }

    /// Of markers and a view overlay that consume taps, pass them on, or have no handler.
    @Test func consumesTapsStandsForAHandler() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 200}, "camera": {"center": [0, 0], "zoom": 10},
             "overlays": [
               {"type": "marker", "id": "consumes", "position": [-0.05, 0], "consumesTaps": true},
               {"type": "marker", "id": "passes", "position": [0, 0], "title": "A", "consumesTaps": false},
               {"type": "marker", "id": "plain", "position": [0.05, 0]},
               {"type": "circle", "id": "ring", "center": [0, -0.04], "radius": 500},
               {"type": "viewOverlay", "id": "view", "coordinates": [0, 0.045], "consumesTaps": true,
                "content": {"label": {"text": "", "width": 30, "height": 20, "backgroundColor": "red"}}}],
             "events": [{"tap": [27, 90]}, {"tap": [100, 90]}, {"tap": [173, 90]}, {"tap": [100, 158]}, {"tap": [100, 34]}]}
            """, "scene.json")
        let result = try replay()
        #expect(result.status == 0 && result.errors.isEmpty)
        let calls = result.text.split(separator: "\n").compactMap { line -> String? in
            guard let name = line.firstRange(of: /"callback":"[a-zA-Z]+"/) else { return nil }
            return "\(line.dropFirst(9).prefix(1)) \(line[name].dropFirst(12).dropLast())"
        }
        #expect(
            calls == [
                "1 didTap", "1 markerInfoWindow", "1 markerInfoContents", "1 didSelect", "1 didTapMapAt",
                "2 didTap", "2 didCloseInfoWindowOf", "2 markerInfoWindow", "2 markerInfoContents", "2 didSelect",
                "3 didTap", "3 didSelect", "3 didTapMapAt",
            ])
        let events = result.text.split(separator: "\n").filter { $0.contains(#""hits":"#) }
        #expect(events.count == 5 && events.filter { $0.contains("consumedBy") } == [events[0], events[4]])
        #expect(events[0].hasSuffix(#""part":"icon"}],"consumedBy":{"id":"consumes","type":"marker"}}"#))
        // It is not selectable, and so it is not among the hits.
        #expect(events[4].hasSuffix(#""hits":[],"consumedBy":{"id":"view","type":"viewOverlay"}}"#))
        #expect(try replay("--html", "page.html").status == 0)
        let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
        #expect(page.contains(#""consumedBy":{"id":"consumes","type":"marker"}"#))
    }

    @Test func aboveTheHorizonAndOnNothingTheLogSaysSo() throws {
        try write(events: #"[{"tap": [100, 2]}, {"longPress": [100, 2]}]"#, camera: #", "tilt": 80"#)
        #expect(
            try replay().text == """
                {"event":0,"tap":[100.000,2.000],"coordinate":null,"hits":[]}
                {"event":1,"longPress":[100.000,2.000],"coordinate":null,"hits":[]}

                """)
    }

    @Test func eventsOfAFileReplaceTheScenes() throws {
        try folder.write(#"[{"longPress": [10, 10]}]"#, "events.json")
        let result = try replay("--events", "events.json")
        #expect(result.text.split(separator: "\n").count == 2 && result.text.contains("didLongPressAt"))
        let piped = try Program.run(["replay", "scene.json", "--events", "-"], in: folder, input: Array(#"[{"tap": [10, 10]}]"#.utf8))
        #expect(piped.text.contains("didTapMapAt"))
    }

    @Test func aListOfEventsWithoutEndIsCalledSo() throws {
        let result = try replay("--events", "/dev/zero")
        let words = "the list of events is larger than 512 MiB, the limit for a pipe or a device"
        #expect(result.status == 65 && result.errors == "error: /dev/zero: \(words)\n", "\(result.errors)")
    }

    @Test func thereIsAPictureBeforeAndAfterEachEvent() throws {
        try write(events: "[" + Array(repeating: #"{"tap": [100, 90]}, {"tap": [10, 10]}"#, count: 6).joined(separator: ",") + "]")
        let result = try replay("--frames", "frames")
        #expect(result.status == 0 && result.errors.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/frames").sorted()
        #expect(names == (0..<12).map { String(format: "event-%02d.png", $0) } + ["start.png"])
        let (start, open, closed) = (
            try folder.read("frames/start.png"), try folder.read("frames/event-00.png"), try folder.read("frames/event-01.png")
        )
        #expect(start != open && start == closed)
        let bitmap = try Bitmap(decoding: open)
        // The window is there.
        #expect(bitmap[100, 45] == .white && bitmap.width == 200)
    }

    @Test func thePageHoldsEverythingAndNoMarkupOfTheScene() throws {
        let result = try replay("--html", "page.html", "--format", "webp")
        #expect(result.status == 0 && result.errors.isEmpty)
        let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
        #expect(page.components(separatedBy: "data:image/webp;base64,").count == 3)
        #expect(page.contains("<title>Replay of scene.json</title>"))
        // It loads nothing: the only address in it is the name of SVG.
        #expect(page.components(separatedBy: "://").count == page.components(separatedBy: "http://www.w3.org/2000/svg").count)
        #expect(!page.contains("href=") && !page.contains("@import") && !page.contains("url("))
        let data = try #require(page.range(of: #"<script type="application/json" id="data">"#)).upperBound
        let text = page[data...].prefix { $0 != "<" }
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let steps = try #require(object["steps"] as? [[String: Any]])
        #expect(steps.count == 1 && (steps[0]["calls"] as? [Any])?.count == 4)
    }

    private static let path =
        "expected an array of points, such as [[10, 20], [60, 40]], or an object with the keys \"from\" and \"to\""

    @Test(arguments: [
        (#"[{"swipe": [1, 2]}]"#, "scene.json: events[0]: unknown key \"swipe\"; known keys are tap, longPress, drag"),
        (#"[{"Tap": [1, 2]}]"#, "scene.json: events[0]: unknown key \"Tap\"; did you mean \"tap\"?"),
        (
            #"[{"tap": [1, 2], "longpres": 3}]"#,
            "scene.json: events[0]: unknown key \"longpres\"; did you mean \"longPress\"?"
        ),
        (#"[{}]"#, "scene.json: events[0]: an event needs one of the keys \"tap\", \"longPress\", \"drag\""),
        (
            #"[{"tap": [1, 2], "longPress": [1, 2]}]"#,
            "scene.json: events[0]: an event may have only one of the keys \"tap\", \"longPress\", \"drag\"; 2 are given"
        ),
        (#"[{"tap": [1]}]"#, "scene.json: events[0].tap: expected 2 elements, found 1"),
        (#"[{"drag": {"from": [1, 2]}}]"#, "scene.json: events[0].drag: missing key \"to\""),
        (#"[{"drag": []}]"#, "scene.json: events[0].drag: a drag needs at least one point"),
        (#"[{"drag": [1, 2]}]"#, "scene.json: events[0].drag: \(path), found an array of numbers"),
        (#"[{"drag": 7}]"#, "scene.json: events[0].drag: \(path), found 7"),
        (
            #"[{"drag": [[1, 2], [3, 4], [1, -2]]}]"#,
            "scene.json: events[0].drag[2]: (1, -2) is outside the picture of 200 × 200 pt"
        ),
        (#"[7]"#, "scene.json: events[0]: expected an event, such as {\"tap\": [120, 80]}, found 7"),
        (#"[{"tap": [1, 2]}, {"tap": [201, 2]}]"#, "scene.json: events[1].tap: (201, 2) is outside the picture of 200 × 200 pt"),
        (
            #"[{"drag": {"from": [1, 2], "to": [1, -2]}}]"#,
            "scene.json: events[0].drag: (1, -2) is outside the picture of 200 × 200 pt"
        ),
    ])
    func badEventsAreOneSentence(events: String, message: String) throws {
        try write(events: events)
        let result = try replay()
        #expect(result.status == 65 && result.output.isEmpty && result.errors == "error: \(message)\n")
    }

    @Test func badArgumentsAreOneSentence() throws {
        try write(events: "null")
        let none = try replay()
        #expect(none.status == 64)
        #expect(none.errors == "error: scene.json: this scene has no \"events\"; name a list of events with --events\n")
        try folder.write(#"[{"tap": [1, 500]}]"#, "events.json")
        let outside = try replay("--events", "events.json")
        #expect(outside.status == 65)
        #expect(outside.errors == "error: events.json: events[0].tap: (1, 500) is outside the picture of 200 × 200 pt\n")
        try folder.write(#"[{"tap": [1, 2]}, {"tap": [1, "2"]}]"#, "events.json")
        let words = try replay("--events", "events.json")
        #expect(words.errors == "error: events.json: events[1].tap[1]: expected a number, found the string \"2\"\n")
        #expect(try replay("--events", "absent.json").status == 66)
        try folder.write("[]", "events.json")
        #expect(try replay("--events", "events.json", "--html", "events.json").status == 64)
        #expect(try replay("--events", "events.json", "--html", "-").status == 64)
        #expect(try replay("--events", "events.json", "--html", "a.html", "--format", "rgba").status == 64)
        #expect(try replay("--events", "events.json", "--frames", "scene.json").status == 73)
        #expect(try folder.read("events.json") == Array("[]".utf8))
    }
}
