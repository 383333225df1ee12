import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct MarkerTemplateTests {
    @Test func propertiesBecomeIconsNumbersAndBooleans() throws {
        let (markers, warnings) = try read(
            [
                #"""
                {"kind": "builtin:red", "rank": 3, "opacity": 0.25, "heading": "-45.5", "low": 5, "flat": true, "tint": "#f00",
                 "layer": "road", "place": [0, 1], "size": "auto", "name": "A", "n": 24874500}
                """#,
                #"""
                {"kind": "builtin:blue", "rank": "-4", "opacity": "1", "heading": 90, "low": 7.5, "flat": "false", "tint": "blue",
                 "layer": "poi", "place": [0.5, 0.5], "size": 40, "name": "B", "n": 0.5}
                """#,
            ],
            template: #"""
                {"iconImage": "{kind}", "zIndex": "{rank}", "alpha": "{opacity}", "angle": "{heading}", "minZoom": "{low}",
                 "isFlat": "{flat}", "iconTintColor": "{tint}", "mapLayerType": "{layer}", "anchor": "{place}", "width": "{size}",
                 "title": "{name}\n{n}", "snippet": "{n}", "height": 50}
                """#)
        #expect(warnings == [])
        #expect(markers.map(\.iconImage) == [MarkerImage.red, MarkerImage.blue])
        #expect(markers.map(\.zIndex) == [3, -4])
        #expect(markers.map(\.alpha) == [0.25, 1])
        #expect(markers.map(\.angle) == [-45.5, 90])
        #expect(markers.map(\.minZoom) == [5, 7.5])
        #expect(markers.map(\.isFlat) == [true, false])
        #expect(markers.map(\.iconTintColor) == [Color.red, Color.blue])
        #expect(markers.map(\.mapLayerType) == [.road, .poi])
        #expect(markers.map(\.anchor.y) == [1, 0.5])
        #expect(markers.map(\.width) == [Marker.sizeAuto, 40])
        #expect(markers.map(\.height) == [50, 50])
        #expect(markers.map(\.title) == ["A\n24874500", "B\n0.5"])
        #expect(markers.map(\.snippet) == ["24874500", "0.5"])
    }

    @Test func namesArePutTogether() throws {
        let (markers, _) = try read([#"{"a": "re"}"#, #"{"a": "re", "b": 1}"#], template: #"{"iconImage": "builtin:{a}d"}"#)
        #expect(markers.map(\.iconImage) == [MarkerImage.red, MarkerImage.red])
    }

    @Test func bracesAreDoubled() throws {
        let marker = try read([#"{"name": "A"}"#], template: #"{"title": "{{name}}", "snippet": "{{{name}}}", "alpha": 0.5}"#).markers[0]
        #expect(marker.title == "{name}" && marker.snippet == "{A}")
        #expect(
            try refusal(["{}"], template: #"{"alpha": 1, "title": "{name"}"#)
                == #"scene.json: overlays[0].marker.title: the string "{name": a { has no matching }; write {{ for a literal brace"#)
        #expect(
            try refusal(["{}"], template: #"{"iconImag": "{kind}"}"#)
                == #"scene.json: overlays[0].marker: unknown key "iconImag"; did you mean "iconImage"?"#)
        #expect(
            try refusal(["{}"], template: #"{"alpha": "{a}", "alpha": "{b}"}"#)
                == #"scene.json: overlays[0].marker: the key "alpha" appears twice"#)
    }

    @Test func whatIsMissingIsTheDefaultWithOneWarning() throws {
        let (markers, warnings) = try read(
            [#"{"kind": "builtin:red", "rank": 1, "name": "A"}"#, "{}", #"{"kind": null, "rank": ""}"#, "null"],
            template: #"{"iconImage": "{kind}", "zIndex": "{rank}", "altitude": "{rank}", "title": "<{name}>", "angle": "{nothing}"}"#)
        #expect(markers.map(\.iconImage) == [MarkerImage.red, MarkerImage.green, MarkerImage.green, MarkerImage.green])
        #expect(markers.map(\.zIndex) == [1, 0, 0, 0])
        #expect(markers.map(\.title) == ["<A>", "<>", "<>", "<>"])
        #expect(
            Set(warnings) == [
                #"points.geojson: the property "kind" is missing in 3 features: "iconImage" keeps its default"#,
                #"points.geojson: the property "rank" is missing in 3 features: "zIndex", "altitude" keep their defaults"#,
                #"points.geojson: the property "name" is missing in 3 features: "title" omits it"#,
                #"points.geojson: the property "nothing" is missing in 4 features: "angle" keeps its default"#,
            ])
        #expect(warnings.count == 4)
    }

    @Test(arguments: [
        (#"{"v": 2}"#, #"{"alpha": "{v}"}"#, #"2 is outside 0…1; the value is for "alpha": "{v}""#),
        (#"{"v": "2"}"#, #"{"alpha": "{v}"}"#, #"2 is outside 0…1; the value is for "alpha": "{v}""#),
        (#"{"v": 25}"#, #"{"minZoom": "{v}"}"#, #"25 is outside 0…24; the value is for "minZoom": "{v}""#),
        (#"{"v": 1.5}"#, #"{"zIndex": "{v}"}"#, #"expected a whole number, found 1.5; the value is for "zIndex": "{v}""#),
        (#"{"v": "high"}"#, #"{"zIndex": "{v}"}"#, #"expected a whole number, found the string "high"; the value is for "zIndex": "{v}""#),
        (#"{"v": "nan"}"#, #"{"angle": "{v}"}"#, #"expected a number, found the string "nan"; the value is for "angle": "{v}""#),
        (#"{"v": "0x10"}"#, #"{"angle": "{v}"}"#, #"expected a number, found the string "0x10"; the value is for "angle": "{v}""#),
        (#"{"v": 1}"#, #"{"isFlat": "{v}"}"#, #"expected true or false, found 1; the value is for "isFlat": "{v}""#),
        (
            #"{"v": []}"#, #"{"title": "{v}"}"#,
            #"expected a string, a number, true or false, found an array; the value is for "title": "{v}""#
        ),
        (
            #"{"v": "builtin:reed"}"#, #"{"iconImage": "{v}"}"#,
            #"unknown built-in image "reed"; did you mean "builtin:red"?; the value is for "iconImage": "{v}""#
        ),
        (
            #"{"v": 12}"#, #"{"iconImage": "{v}"}"#,
            #"12: cannot read the file: No such file or directory; the value is for "iconImage": "{v}""#
        ),
    ])
    func wrongValuesNameFeatureAndTemplate(properties: String, template: String, problem: String) throws {
        #expect(try refusal([#"{"v": null}"#, properties], template: template) == "points.geojson: features[1].properties.v: \(problem)")
    }

    @Test func aTextOfSeveralPropertiesNamesThem() throws {
        #expect(
            try refusal([#"{"a": 1, "b": 2}"#], template: #"{"alpha": "{a}{b}"}"#)
                == #"points.geojson: features[0].properties: 12 is outside 0…1; the value is for "alpha": "{a}{b}""#)
    }

    @Test func imagesAreKnownByTheirKeys() throws {
        let folder = ScratchFolder()
        try folder.write(collection([#"{"kind": "shop"}"#, #"{"kind": "shop"}"#, #"{"kind": "none"}"#]), "points.geojson")
        try Bitmap(width: 3, height: 3, fill: .red).write(to: folder.path + "/s.png")
        let (markers, _) = try read(
            #"""
            {"waymark": 1, "images": {"shop": "s.png"},
             "overlays": [{"type": "geojson", "source": "points.geojson", "marker": {"iconImage": "{kind}"}}]}
            """#, folder: folder.path + "/")
        #expect(markers[0].iconImage === markers[1].iconImage)
        #expect(markers[0].iconImage.reuseIdentifier == "s.png")
        #expect(markers[2].iconImage == OverlayImage.empty)
    }
}
