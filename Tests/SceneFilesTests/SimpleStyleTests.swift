import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles

@Suite struct SimpleStyleTests {
    /// The name of the icon that a standalone feature gets.
    static func icon(_ properties: String) throws -> String? {
        let (markers, warnings) = try read(collection([properties]))
        #expect(warnings == [])
        return markers[0].iconImage.reuseIdentifier
    }

    @Test(arguments: [
        (##"{"marker-color": "#f00"}"##, "pin:ff0000-27"), (##"{"marker-color": "1a2B3c"}"##, "pin:1a2b3c-27"),
        (#"{"marker-color": "abc"}"#, "pin:aabbcc-27"), (#"{"marker-size": "small"}"#, "pin:7e7e7e-20"),
        (#"{"marker-size": "medium"}"#, "pin:7e7e7e-27"), (#"{"marker-size": "large"}"#, "pin:7e7e7e-34"),
        (#"{"marker-symbol": "b"}"#, "pin:7e7e7e-b-27"), (#"{"marker-symbol": "B"}"#, "pin:7e7e7e-b-27"),
        (#"{"marker-symbol": "0"}"#, "pin:7e7e7e-0-27"), (#"{"marker-symbol": 7}"#, "pin:7e7e7e-7-27"),
        (##"{"marker-color": "#00f", "marker-size": "large", "marker-symbol": "z"}"##, "pin:0000ff-z-34"),
        (#"{"marker-color": "", "marker-size": "", "marker-symbol": ""}"#, "pin:7e7e7e-27"),
    ])
    func aPointWithAnyOfThreePropertiesGetsAPin(properties: String, name: String) throws {
        #expect(try Self.icon(properties) == name)
    }

    @Test(arguments: ["{}", "null", ##"{"title": "a", "stroke": "#f00"}"##, ##"{"marker-color": null, "marker-size": null}"##])
    func anyOtherPointKeepsTheDefaultPin(properties: String) throws {
        #expect(try Self.icon(properties) == "builtin:green")
    }

    @Test func titleAndDescriptionAreTitleAndSnippet() throws {
        let (markers, warnings) = try read(
            collection([#"{"title": "City Hall", "description": "Open <b>until six</b>"}"#, #"{"title": 12, "description": ""}"#]))
        #expect(warnings == [])
        #expect(markers.map(\.title) == ["City Hall", "12"])
        #expect(markers.map(\.snippet) == ["Open <b>until six</b>", nil])
    }

    @Test func allPointsOfAFeatureLookAlikeAndCountOnce() throws {
        let (markers, warnings) = try read(
            ##"""
            {"type": "Feature", "properties": {"marker-color": "#f00", "marker-symbol": "bus", "title": "Stop"},
             "geometry": {"type": "MultiPoint", "coordinates": [[0, 0], [1, 1]]}}
            """##)
        #expect(markers.map(\.iconImage.reuseIdentifier) == ["pin:ff0000-27", "pin:ff0000-27"])
        #expect(markers.map(\.title) == ["Stop", "Stop"])
        #expect(markers.map(\.position!.lng) == [0, 1])
        #expect(warnings == [#"the marker-symbol "bus" of 1 feature is not drawn: pins have the symbols 0…9 and a…z"#])
    }

    @Test func unknownSymbolsAreCountedByName() throws {
        let properties = ["bus", "park", "bus", "a", "10", "é"].map { #"{"marker-symbol": "\#($0)"}"# } + [#"{"marker-symbol": 10}"#]
        let (markers, warnings) = try read(collection(properties))
        #expect(
            markers.map(\.iconImage.reuseIdentifier) == Array(repeating: "pin:7e7e7e-27", count: 3) + ["pin:7e7e7e-a-27"]
                + Array(repeating: "pin:7e7e7e-27", count: 3))
        #expect(
            warnings == [
                #"the marker-symbol "bus" of 2 features is not drawn: pins have the symbols 0…9 and a…z"#,
                #"the marker-symbol "park" of 1 feature is not drawn: pins have the symbols 0…9 and a…z"#,
                #"the marker-symbol "10" of 2 features is not drawn: pins have the symbols 0…9 and a…z"#,
                #"the marker-symbol "é" of 1 feature is not drawn: pins have the symbols 0…9 and a…z"#,
            ])
        let many = try read(collection((0..<12).map { #"{"marker-symbol": "maki-\#($0)"}"# })).warnings
        #expect(many.count == 11)
        #expect(many.last == "2 more marker-symbol names are not drawn")
    }

    @Test func wrongValuesAreWarningsAndTheDefaultIsUsed() throws {
        let (markers, warnings) = try read(
            collection([
                ##"{"marker-color": "banana"}"##, ##"{"marker-size": "huge"}"##, ##"{"marker-color": "#ff00"}"##,
                ##"{"marker-color": 777}"##,
                ##"{"marker-color": "#ggg"}"##, ##"{"marker-color": "#"}"##, ##"{"marker-symbol": []}"##, ##"{"title": {}}"##,
            ]))
        #expect(markers.map(\.iconImage.reuseIdentifier) == Array(repeating: "pin:7e7e7e-27", count: 7) + ["builtin:green"])
        #expect(
            warnings == [
                #"features[0].properties.marker-color: expected a color with 3 or 6 hex digits, found the string "banana"; "#
                    + "the pin is #7e7e7e",
                ##"features[2].properties.marker-color: expected a color with 3 or 6 hex digits, found the string "#ff00"; "##
                    + "the pin is #7e7e7e",
                "features[3].properties.marker-color: expected a color with 3 or 6 hex digits, found 777; the pin is #7e7e7e",
                "the marker-color of 2 more features is not a color with 3 or 6 hex digits; the pins are #7e7e7e",
                #"features[1].properties.marker-size: expected "small", "medium" or "large", found the string "huge"; the pin is medium"#,
                "features[6].properties.marker-symbol: expected a name, a digit or a letter, found an array; the pin has no symbol",
                "features[7].properties.title: expected a string, found an object; the marker has no title",
            ])
    }

    @Test func overlaysTakeItTooUnlessTheTemplateSaysOtherwise() throws {
        let styled = ##"{"marker-color": "#f00", "title": "A", "description": "B"}"##
        let plain = try read([styled], template: nil).markers[0]
        #expect(plain.iconImage.reuseIdentifier == "pin:ff0000-27")
        let partly = try read([styled], template: #"{"alpha": 0.5, "title": "C"}"#).markers[0]
        #expect(partly.iconImage.reuseIdentifier == "pin:ff0000-27" && partly.alpha == 0.5)
        #expect(partly.title == "C" && partly.snippet == "B")
        let (markers, warnings) = try read([#"{"marker-color": "banana"}"#], template: #"{"iconImage": "builtin:blue"}"#)
        #expect(markers[0].iconImage == MarkerImage.blue)
        #expect(warnings == [])
        #expect(
            try read([#"{"marker-color": "banana"}"#], template: nil).warnings == [
                #"points.geojson: features[0].properties.marker-color: expected a color with 3 or 6 hex digits, "#
                    + #"found the string "banana"; the pin is #7e7e7e"#
            ])
    }
}
