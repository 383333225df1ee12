import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct ScaleFileTests {
    private func line(_ keys: String) throws -> Polyline? {
        let text = #"{"waymark": 1, "overlays": [{"type": "polyline", "points": [[0, 0], [1, 1], [2, 1]], \#(keys)}]}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json").mapView.overlays.first as? Polyline
    }

    private func refusal(_ keys: String) -> String? {
        do {
            _ = try line(keys)
            return nil
        } catch {
            return "\(error)".replacingOccurrences(of: "scene.json: overlays[0]", with: "")
        }
    }

    @Test func gradientsAndScalesAreRead() throws {
        let gradient = try #require(try line(##""gradient": [[0, "red"], [0.5, "#00ff0080"], [1, "blue"]]"##))
        #expect(gradient.gradient == [.init(0, .red), .init(0.5, Color(css: "#00ff0080")!), .init(1, .blue)])
        let values = #""values": {"speed": [3, null, 7.5]}"#
        let ramp = try #require(try line(#""color": {"by": "speed", "ramp": [[0, "red"], [30, "blue"]], "missing": "gray"}, \#(values)"#))
        #expect(ramp.colorScale == Scale(by: "speed", ramp: [.init(0, .red), .init(30, .blue)], missing: Color(css: "gray")))
        #expect(ramp.values == ["speed": [3, nil, 7.5]])
        let axis = try #require(try line(#""color": {"by": "speed", "log": ["red", "blue"], "domain": [1, 100]}, \#(values)"#))
        #expect(axis.colorScale == Scale(by: "speed", log: [.red, .blue], domain: 1...100))
        let root = try #require(try line(#""color": {"by": "speed", "sqrt": ["red", "blue"]}, \#(values)"#))
        #expect(root.colorScale == Scale(by: "speed", sqrt: [.red, .blue]))
        let steps = try #require(try line(#""color": {"by": "speed", "steps": [5], "colors": "-RdBu"}, \#(values)"#))
        #expect(steps.colorScale == Scale(by: "speed", steps: [5], ColorScheme(named: "-RdBu")!.colors(2)!))
        let smooth = try #require(try line(#""color": {"by": "speed", "linear": "viridis"}, \#(values)"#))
        #expect(smooth.colorScale == Scale(by: "speed", linear: ColorScheme(named: "viridis")!.smooth))
        #expect(try line(#""color": "red""#)?.colorScale == nil)
    }

    @Test func invalidScalesAreRefused() {
        #expect(refusal(#""gradient": [[0, "red"], [2, "blue"]]"#) == ".gradient[1][0]: 2 is outside 0…1")
        #expect(
            refusal(#""gradient": [[0.5, "red"], [0, "blue"]]"#) == ".gradient[1][0]: the values must ascend; 0 follows 0.5")
        #expect(refusal(#""gradient": [[0, 3]]"#) == ".gradient[0][1]: expected a string, found 3")
        #expect(refusal(#""gradient": [[0]]"#) == ".gradient[0]: expected 2 elements, found 1")
        let values = #""values": {"speed": [1, 2, 3]}"#
        #expect(refusal(#""color": {"ramp": [[0, "red"]]}, \#(values)"#) == #".color: missing key "by""#)
        #expect(
            refusal(#""color": {"by": "speed"}, \#(values)"#)
                == ".color: exactly one of steps, classes, categories, ramp, linear, log and sqrt is required")
        #expect(
            refusal(#""color": {"by": "speed", "ramp": [[0, "red"]], "log": ["red"]}, \#(values)"#)
                == ".color: exactly one of steps, classes, categories, ramp, linear, log and sqrt is required")
        #expect(
            refusal(#""color": {"by": "speed", "ramp": [[0, "red"]], "domain": [0, 1]}, \#(values)"#)
                == ".color: a ramp has no domain; its values are in its stops")
        #expect(
            refusal(#""color": {"by": "speed", "stops": [[0, "red"]]}, \#(values)"#) == #".color: unknown key "stops"; use "ramp""#)
        #expect(
            refusal(#""color": {"by": "speed", "ramp": [[5, "red"], [4, "red"]]}, \#(values)"#)
                == ".color.ramp[1][0]: the values must ascend; 4 follows 5")
        #expect(
            refusal(#""color": {"by": "speed", "log": ["red", "blue"], "domain": [0, 1]}, \#(values)"#)
                == ".color.domain: the domain of log must be above 0")
        #expect(
            refusal(#""color": {"by": "speed", "log": ["red", "blue"], "domain": [2, 1]}, \#(values)"#)
                == ".color.domain: the domain begins at 2, above its end, 1")
        #expect(
            refusal(#""color": {"by": "sped", "ramp": [[0, "red"]]}, \#(values)"#)
                == #".color.by: the line has no values named "sped"; did you mean "speed"?"#)
        #expect(
            refusal(#""values": {"speed": [1, 2]}, "color": {"by": "speed", "ramp": [[0, "red"]]}"#)
                == ".values.speed: 2 values are given for 3 points")
        #expect(refusal(#""values": {"speed": [1, "2", 3]}"#) == #".values.speed[1]: expected a number, found the string "2""#)
        #expect(
            refusal(#""color": {"by": "speed", "categories": {"1": "red"}}, \#(values)"#)
                == ".color.categories: the values of a line are numbers, which have no categories")
        #expect(refusal(#""color": 7"#) == ".color: expected a string, found 7")
    }

    private func features(_ geometry: String, _ properties: String, _ template: String) throws -> SceneFile {
        let folder = ScratchFolder()
        _ = try folder.write(
            #"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": \#(geometry), "properties": \#(properties)}]}"#,
            "lines.geojson")
        let scene = try folder.write(
            #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "lines.geojson", "polyline": \#(template)}]}"#, "scene.json")
        return try withExtendedLifetime(folder) { try SceneFile(contentsOf: scene) }
    }

    private static let template = #"{"color": {"by": "speed", "ramp": [[0, "red"], [30, "blue"]]}}"#
    private static let threePoints = #"{"type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 2]]}"#

    @Test func featuresGiveTheValuesOfTheirPoints() throws {
        func values(_ geometry: String, _ list: String) throws -> [Double?]? {
            let scene = try features(geometry, #"{"speed": \#(list)}"#, Self.template)
            let line = try #require(scene.mapView.overlays.first as? Polyline)
            #expect(line.colorScale?.property == "speed")
            return line.values["speed"]
        }
        #expect(try values(Self.threePoints, "[1, null, 3]") == [1, nil, 3])
        // A line with a single value has one color.
        let single = try features(Self.threePoints, #"{"speed": 15}"#, Self.template).mapView.overlays.first as? Polyline
        #expect(single?.colorScale == nil && single?.values == [:] && single?.color == Color(red: 0.5, green: 0, blue: 0.5))
        let parts = #"{"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[5, 5]], [[2, 2], [3, 3]]]}"#
        #expect(try values(parts, "[[1, 2], [9], [3, 4]]") == [1, 2, 3, 4])
        #expect(try values(parts, "[1, 2, 3, 4]") == [1, 2, 3, 4])
    }

    @Test func featuresWithoutValuesHaveOneColor() throws {
        let scene = try features(Self.threePoints, #"{"speed": null}"#, Self.template)
        let line = try #require(scene.mapView.overlays.first as? Polyline)
        #expect(line.colorScale == nil && line.firstProblem() == nil)
        #expect(
            scene.warnings.map(\.message) == [#"lines.geojson: the property "speed" is missing in 1 feature: "color" keeps its default"#])
        let gray = try features(
            Self.threePoints, #"{"speed": null}"#, #"{"color": {"by": "speed", "ramp": [[0, "red"]], "missing": "gray"}}"#)
        #expect((gray.mapView.overlays.first as? Polyline)?.color == Color(css: "gray"))
    }

    @Test func valuesThatDoNotFitAreRefused() throws {
        func refusal(_ list: String) -> String? {
            do {
                _ = try features(Self.threePoints, #"{"speed": \#(list)}"#, Self.template)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal("[1, 2]")?.hasSuffix("features[0].properties.speed: 2 values are given for 3 points") == true)
        #expect(refusal("[1, true, 3]")?.hasSuffix("features[0].properties.speed[1]: expected a number, found true") == true)
        #expect(refusal(#""fast""#) == nil)
    }
}
