import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

@Suite struct ScaleTests {
    @Test func rampsAreExactAtTheirStops() {
        let scale = Scale(by: "speed", ramp: [.init(0, 1.0), .init(0.1, 0.3), .init(30, 7.7)], missing: -1.0)
        #expect(scale.output(at: 0) == 1 && scale.output(at: 0.1) == 0.3 && scale.output(at: 30) == 7.7)
        #expect(scale.output(at: -5) == 1 && scale.output(at: 31) == 7.7 && scale.output(at: .infinity) == 7.7)
        #expect(scale.output(at: -.infinity) == 1 && scale.output(at: .nan) == -1)
        #expect(abs(scale.output(at: 15.05)! - 4) < 1e-12)
    }

    /// The first of two stops ends the outputs below the value, and the second begins those above.
    @Test func twoStopsOfOneValueAreAJump() {
        let scale = Scale(by: "a", ramp: [.init(0, 0.0), .init(1, 10), .init(1, 20), .init(2, 30)])
        #expect(scale.output(at: 1.0.nextDown)! < 10.000001 && scale.output(at: 1) == 20 && scale.output(at: 1.5) == 25)
        #expect(Scale(by: "a", ramp: [.init(3, 4.0)]).output(at: 7) == 4)
    }

    @Test(arguments: Seeds.all) func axesAreExactAtTheEndsOfTheirDomains(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let low = random.number(0.001...100)
        let high = low + random.number(0.001...1e6)
        let outputs = (0..<random.integer(2...5)).map { _ in random.number(-10...10) }
        for axis in Scale<Double>.Axis.allCases {
            let scale = Scale(by: "a", .axis(axis, outputs, domain: low...high))
            #expect(scale.problem == nil)
            #expect(scale.output(at: low) == outputs[0] && scale.output(at: high) == outputs[outputs.count - 1])
            #expect(scale.output(at: low - 1) == outputs[0] && scale.output(at: high + 1) == outputs[outputs.count - 1])
        }
        let middle = (low * high).squareRoot()
        let log = Scale(by: "a", log: [0, 1], domain: low...high)
        #expect(abs(log.output(at: middle)! - 0.5) < 1e-9)
        let root = Scale(by: "a", sqrt: [0, 2], domain: 0...high)
        #expect(abs(root.output(at: high / 4)! - 1) < 1e-9)
    }

    @Test func theDataDetermineTheDomain() {
        let values = [4.0, .nan, 9, 100, -.infinity]
        #expect(Scale(by: "a", sqrt: [0, 10]).resolved(for: values).output(at: 25) == 5)
        #expect(Scale(by: "a", linear: [0, 96]).resolved(for: values).output(at: 5) == 1)
        #expect(Scale(by: "a", log: [0, 2]).resolved(for: [0, -3, 1, 100]).output(at: 10) == 1)
        #expect(Scale(by: "a", linear: [0, 96], domain: 0...10).resolved(for: values).output(at: 5) == 48)
        // All values are equal, or there are none.
        #expect(Scale(by: "a", linear: [0, 96]).resolved(for: [5, 5]).output(at: 5) == 48)
        #expect(Scale(by: "a", linear: [0, 1]).resolved(for: []).output(at: 0.25) == 0.25)
        #expect(Scale(by: "a", linear: [7.0]).resolved(for: [1, 2]).output(at: 2) == 7)
    }

    /// The span or the ratio of a domain may be infinite.
    @Test func extremeDomainsHavePositions() {
        let (least, greatest) = (Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude)
        let linear = Scale(by: "a", linear: [0, 1, 2], domain: -greatest...greatest)
        #expect(linear.output(at: 0) == 1 && linear.output(at: greatest / 2) == 1.5)
        let ramp = Scale(by: "a", ramp: [.init(-greatest, 0.0), .init(greatest, 8)])
        #expect(ramp.output(at: 0) == 4 && ramp.output(at: greatest / 2) == 6)
        let log = Scale(by: "a", log: [0, 2], domain: least...greatest)
        #expect(log.output(at: least) == 0 && abs(log.output(at: 1)! - 1.0238) < 0.0001 && log.output(at: greatest) == 2)
        let root = Scale(by: "a", sqrt: [0, 1], domain: 0...least * 3)
        #expect(abs(root.output(at: least * 2)! - 0.816) < 0.001)
        // Both ends have the same root.
        let narrow = Scale(by: "a", sqrt: [0, 1], domain: 4.0.nextDown.nextDown...4)
        #expect((0...1).contains(narrow.output(at: 4.0.nextDown)!))
        // Without a domain, it begins at 0, which has no logarithm.
        #expect([-1, 0, 0.5, 1].map { Scale(by: "a", log: [1, 2]).output(at: $0) } == [1, 1, 1, 2])
    }

    @Test func zeroIsTheLowestSquareRoot() {
        let scale = Scale(by: "a", sqrt: [4, 40]).resolved(for: [0, 0])
        #expect([-1, 0, 1].map { scale.output(at: $0) } == [4, 4, 40])
        #expect(Scale(by: "a", sqrt: [4, 40], domain: 9...9).output(at: 9) == 22)
    }

    @Test func colorsAreMixedWithPremultipliedAlpha() {
        let scale = Scale(by: "a", ramp: [.init(0, Color.red), .init(1, Color(red: 0, green: 0, blue: 1, alpha: 0))])
        let half = scale.output(at: 0.5)!
        #expect(half.red == 1 && half.blue == 0 && half.alpha == 0.5)
        #expect(scale.output(at: 1) == Color(red: 0, green: 0, blue: 1, alpha: 0))
        let opaque = Scale(by: "a", linear: [Color.red, .blue], domain: 0...1).output(at: 0.25)!
        #expect(opaque.red == 0.75 && opaque.blue == 0.25 && opaque.alpha == 1)
    }

    @Test func invalidScalesHaveAProblem() {
        func problem(_ scale: Scale<Double>) -> String? { scale.problem?.description }
        #expect(problem(Scale(by: "a", ramp: [])) == "ramp: expected 1…1024 elements, found 0")
        #expect(problem(Scale(by: "a", ramp: [.init(5, 1), .init(4, 1)])) == "ramp[1][0]: the values must ascend; 4 follows 5")
        #expect(problem(Scale(by: "a", ramp: [.init(.nan, 1)])) == "ramp[0][0]: the value is not a finite number")
        #expect(problem(Scale(by: "a", ramp: [.init(1, .infinity)])) == "ramp[0][1]: this value is invalid")
        #expect(problem(Scale(by: "a", linear: [])) == "linear: expected 1…1024 elements, found 0")
        #expect(problem(Scale(by: "a", log: [1, 2], domain: 0...3)) == "domain: the domain of log must be above 0")
        #expect(problem(Scale(by: "a", sqrt: [1, 2], domain: -1...3)) == "domain: the domain of sqrt must not be below 0")
        #expect(problem(Scale(by: "a", linear: [1, 2], domain: 0 ... .infinity)) == "domain: both ends must be finite numbers")
    }

    @Test func linesCheckTheirColors() {
        let line = Polyline(points: [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 1)])
        func problem() -> String? { line.firstProblem()?.description }
        #expect(line.gradient.isEmpty && line.colorScale == nil && line.values.isEmpty && problem() == nil)
        line.gradient = [.init(0, .red), .init(2, .blue)]
        #expect(problem() == "gradient[1][0]: 2 is outside 0…1")
        line.gradient = [.init(0.5, .red), .init(0.25, .blue)]
        #expect(problem() == "gradient[1][0]: the values must ascend; 0.25 follows 0.5")
        line.gradient = [.init(0, .red), .init(1, Color(white: 3))]
        #expect(problem() == "gradient[1][1]: this value is invalid")
        line.gradient = []
        line.colorScale = Scale(by: "speed", ramp: [.init(0, .red), .init(1, .blue)])
        #expect(problem() == #"color.by: the line has no values named "speed""#)
        line.values = ["speed": [1, 2, 3]]
        #expect(problem() == "values.speed: 3 values are given for 2 points")
        line.values = ["speed": [1, nil]]
        #expect(problem() == nil)
        line.colorScale?.form = .categories([.init("1", .red)], others: nil)
        #expect(problem() == "color.categories: the values of a line are numbers, which have no categories")
        line.colorScale?.form = .steps([1], [.red, .blue])
        #expect(problem() == nil)
        line.colorScale?.form = .ramp([])
        #expect(problem() == "color.ramp: expected 1…1024 elements, found 0")
    }
}
