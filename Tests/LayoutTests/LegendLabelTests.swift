import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene

/// The entries, labels and ticks of legends.
@Suite struct LegendLabelTests {
    private func content(_ scale: MapScale, height: Double = 500, _ edit: (inout Legend) -> Void = { _ in }) -> OverlayContent? {
        var legend = Legend(of: scale)
        legend.title = ""
        edit(&legend)
        return legend.content(of: scale, theme: MapTheme.light.defaults, limit: PointSize(width: 400, height: height))
    }

    private func labels(_ scale: MapScale, _ edit: (inout Legend) -> Void = { _ in }) -> [String] {
        content(scale, edit)?.texts.map { $0.replacing("\u{2009}", with: " ") } ?? []
    }

    private func map(
        _ resolved: Scale<Color>, given: Scale<Color>? = nil, range: ClosedRange<Double>? = nil, missing: Int = 0, others: Int = 0
    ) -> MapScale {
        MapScale(
            overlay: "geojson-0", template: "polygon", property: "fillColor", given: .colors(given ?? resolved),
            resolved: .colors(resolved), range: range, missingCount: missing, othersCount: others)
    }

    private func steps(_ steps: [Double]) -> Scale<Color> {
        Scale(by: "v", steps: steps, (0...steps.count).map { Color(white: Double($0) / 10) })
    }

    @Test func statedClassesAreOpenAtTheEnds() {
        #expect(labels(map(steps([1e4, 1e5, 1e6]))) == ["≤ 10k", "10k – 100k", "100k – 1M", "> 1M"])
        #expect(labels(map(steps([-5, -2.5, 0]))) == ["≤ \u{2212}5", "\u{2212}5 – \u{2212}2.5", "\u{2212}2.5 – 0", "> 0"])
        #expect(labels(map(steps([10])), { $0.unit = "km" }) == ["≤ 10\u{202F}km", "> 10\u{202F}km"])
        #expect(labels(map(steps([0.1, 0.25])), { $0.format = .percent }) == ["≤ 10%", "10% – 25%", "> 25%"])
        #expect(labels(map(steps([10, 20])), { $0.isReversed = true }) == ["> 20", "10 – 20", "≤ 10"])
    }

    @Test func classesOfTheDataBeginAndEndWithIt() {
        let given = Scale(by: "v", classes: .quantiles(3), [Color.red, .green, .blue])
        let found = map(given.resolved(withBreaks: [5, 20]), given: given, range: 1...77.7)
        #expect(labels(found) == ["1 – 5", "5 – 20", "20 – 78"])
        // The first class has a single value.
        #expect(labels(map(given.resolved(withBreaks: [1, 20]), given: given, range: 1...70)) == ["1", "1 – 20", "20 – 70"])
        #expect(labels(map(given.resolved(withBreaks: []), given: given, range: 4...4)) == ["4"])
        #expect(labels(map(given.resolved(withBreaks: []), given: given)) == ["all values"])
        // Without data, there are no classes.
        #expect(content(map(given)) == nil && labels(map(given, missing: 3)) == ["no data"])
    }

    @Test func boundsThatRoundToTheSameTextHaveMoreDecimals() {
        let given = Scale(by: "v", classes: .equal(3), [Color.red, .green, .blue])
        let found = labels(map(given.resolved(withBreaks: [1_234_100, 1_234_200]), given: given, range: 1_234_000...1_234_300))
        #expect(found == ["1.234M – 1.2341M", "1.2341M – 1.2342M", "1.2342M – 1.2343M"])
        #expect(labels(map(steps([1e-9, 2e-9, 4e18]))) == ["≤ 1×10⁻⁹", "1×10⁻⁹ – 2×10⁻⁹", "2×10⁻⁹ – 4×10¹⁸", "> 4×10¹⁸"])
    }

    private static let smallest = Double.leastNonzeroMagnitude...(2 * .leastNonzeroMagnitude)

    /// Neither the difference of two values nor a part of it can be stated.
    @Test(arguments: [-1e308...1e308, smallest, -.greatestFiniteMagnitude...(.greatestFiniteMagnitude)])
    func theLargestAndTheSmallestValuesHaveLabels(_ range: ClosedRange<Double>) {
        for scale in [
            Scale(by: "v", linear: [Color.white, .black], domain: range),
            Scale(by: "v", log: [Color.white, .black], domain: Self.smallest),
        ] {
            #expect(labels(map(scale, range: range)).count >= 2)
        }
    }

    @Test func missingValuesAndOthersFollowIfTheyOccur() {
        let scale = Scale(by: "k", categories: [.init("school", Color.red), .init("bank", .blue)], others: .white, missing: .black)
        #expect(labels(map(scale)) == ["school", "bank"])
        #expect(labels(map(scale, missing: 2, others: 1)) == ["school", "bank", "other", "no data"])
        #expect(labels(map(scale, missing: 2), { $0.missingLabel = "unknown" }) == ["school", "bank", "unknown"])
        // Missing values look like other names.
        var merged = scale
        merged.missing = nil
        #expect(labels(map(merged, missing: 2, others: 1)) == ["school", "bank", "other"])
        #expect(labels(map(merged, missing: 2)) == ["school", "bank", "no data"])
    }

    @Test func aBarHasRoundTicks() {
        func ticks(_ scale: Scale<Color>, range: ClosedRange<Double>? = nil) -> [String] { labels(map(scale, range: range)) }
        let colors = [Color.white, .blue]
        #expect(ticks(Scale(by: "v", linear: colors, domain: 3...97)) == ["20", "40", "60", "80"])
        #expect(ticks(Scale(by: "v", linear: colors, domain: -0.2...0.3)) == ["\u{2212}0.2", "\u{2212}0.1", "0", "0.1", "0.2", "0.3"])
        #expect(ticks(Scale(by: "v", log: colors, domain: 1...1e6)).first == "1")
        #expect(ticks(Scale(by: "v", log: colors, domain: 10...1e4)) == ["10", "100", "1k", "10k"])
        #expect(ticks(Scale(by: "v", log: colors, domain: 10...60)) == ["10", "20", "50"])
        #expect(ticks(Scale(by: "v", sqrt: colors, domain: 0...100)).last == "100")
        // The data go beyond the domain.
        #expect(ticks(Scale(by: "v", linear: colors, domain: 0...30), range: -5...31) == ["≤ 0", "10", "20", "≥ 30"])
        // Stops have ticks of their own, even where they are close together.
        let ramp = Scale(by: "v", ramp: [.init(0, Color.white), .init(1, .red), .init(10, .green), .init(1000, .blue)])
        #expect(ticks(ramp) == ["0", "1", "10", "1000"])
        // All values are equal: there is no bar.
        #expect(ticks(Scale(by: "v", linear: colors, domain: 5...5)) == ["5"])
    }

    /// Values that are dates in the data are written as dates, and ticks are at the beginnings of years, months, days or hours.
    @Test func datesHaveRoundTicks() {
        func ticks(_ low: String, _ high: String, factor: Double = 1, _ edit: (inout Legend) -> Void = { _ in }) -> [String] {
            guard let low = CivilTime.seconds(of: low), let high = CivilTime.seconds(of: high) else { return [] }
            var scale = map(Scale(by: "v", linear: [Color.white, .black], domain: low * factor...high * factor))
            scale.hasDates = factor == 1
            return labels(scale, edit)
        }
        #expect(ticks("2019-11-20", "2024-02-03") == ["2020", "2021", "2022", "2023", "2024"])
        #expect(ticks("1871-05-01", "1990-01-01") == ["1880", "1900", "1920", "1940", "1960", "1980"])
        #expect(ticks("2023-12-15", "2024-04-20") == ["2024-01", "2024-02", "2024-03", "2024-04"])
        #expect(ticks("2023-02-01", "2024-03-01") == ["2023-04", "2023-07", "2023-10", "2024-01"])
        #expect(ticks("2024-05-01", "2024-05-06") == ["2024-05-01", "2024-05-02", "2024-05-03", "2024-05-04", "2024-05-05", "2024-05-06"])
        // Mondays.
        #expect(ticks("2024-05-01", "2024-06-01") == ["2024-05-06", "2024-05-13", "2024-05-20", "2024-05-27"])
        #expect(
            ticks("2024-05-01 07:00", "2024-05-01 21:30") == [
                "2024-05-01 09:00", "2024-05-01 12:00", "2024-05-01 15:00", "2024-05-01 18:00", "2024-05-01 21:00",
            ])
        // Milliseconds, and numbers that are not dates.
        #expect(ticks("2019-11-20", "2024-02-03", factor: 1000) { $0.format = .date } == ["2020", "2021", "2022", "2023", "2024"])
        #expect(ticks("2019-11-20", "2024-02-03", factor: 1000).first == "1.6T")
        // The largest number tells that all are milliseconds.
        #expect(ticks("1970-06-01", "1974-06-01", factor: 1000) { $0.format = .date } == ["1971", "1972", "1973", "1974"])
        #expect(labels(map(steps([3e10]), range: 0...1.3e11)) { $0.format = .date } == ["≤ 1970-12-14", "> 1970-12-14"])
        // Dates in the data are seconds, however late.
        #expect(ticks("2000-01-01", "9999-12-31") == ["2000", "4000", "6000", "8000"])
        var classes = map(steps([CivilTime.seconds(of: "2020-01-01") ?? 0, CivilTime.seconds(of: "2021-07-01") ?? 0]))
        classes.hasDates = true
        #expect(labels(classes) == ["≤ 2020-01", "2020-01 – 2021-07", "> 2021-07"])
        #expect(
            labels(classes) { $0.format = .plain } == [
                "≤ 1\u{202F}577\u{202F}836\u{202F}800", "1\u{202F}577\u{202F}836\u{202F}800 – 1\u{202F}625\u{202F}097\u{202F}600",
                "> 1\u{202F}625\u{202F}097\u{202F}600",
            ])
    }

    /// Nested icons have the labels of a list; what cannot be nested stays a list.
    @Test func iconsOfSeveralSizesAreNested() throws {
        let sizes = Scale(by: "v", sqrt: [0, 40.0], domain: 0...1e6)
        var scale = MapScale(
            overlay: "a", template: "marker", property: "width", given: .numbers(sizes), resolved: .numbers(sizes), range: 0...1e6,
            missingCount: 1)
        let list = try #require(content(scale))
        let nested = try #require(content(scale) { $0.isNested = true })
        #expect(nested != list && nested.texts.count == 5 && Set(nested.texts) == Set(list.texts))
        // The largest icon is at the top.
        #expect(nested.texts.first == "1M" && nested.texts.last == "no data")
        // There is no room, or the legend shows no icons.
        #expect(content(scale, height: 30) { $0.isNested = true } == content(scale, height: 30))
        (scale.template, scale.symbol) = ("polyline", LegendSymbol(.line))
        #expect(content(scale) { $0.isNested = true } == content(scale))
        let single = Scale(by: "v", steps: [3], [9.0, 9])
        scale = MapScale(overlay: "a", template: "marker", property: "width", given: .numbers(single), resolved: .numbers(single))
        #expect(content(scale) { $0.isNested = true } == content(scale))
    }

    /// Icons that keep the size of their image are shown; those of the computed size 0 are not.
    @Test(arguments: ["width", "height"]) func iconsOfTheSizeOfTheirImageAreShown(property: String) {
        let sizes = Scale(by: "k", categories: [.init("a", 10.0), .init("b", 0)])
        var symbol = LegendSymbol(.icon(.red), width: Marker.sizeAuto)
        symbol.height = Marker.sizeAuto
        let scale = MapScale(
            overlay: "a", template: "marker", property: property, given: .numbers(sizes), resolved: .numbers(sizes), missingCount: 1,
            othersCount: 1, symbol: symbol)
        let icons = content(scale)?.pieces.compactMap(\.image) ?? []
        #expect(icons.map { max($0.width, $0.height) } == [10, 0] && icons.map(\.look.sideLimit) == [0, 16])
    }

    /// A side that another scale determines does not squash the icon.
    @Test func iconsKeepTheirProportions() {
        for (side, other) in [("width", \LegendSymbol.height), ("height", \.width)] {
            var symbol = LegendSymbol(.icon(.red))
            #expect(symbol.setting(side, to: 30)[keyPath: other] == 30)
            symbol[keyPath: other] = 12
            #expect(symbol.setting(side, to: 30)[keyPath: other] == 12)
        }
    }

    /// Swatches of wide outlines are larger, so that widths up to 20 pt look different.
    @Test func swatchesGrowWithTheirOutlines() {
        let widths = Scale(by: "v", steps: [1, 2, 3], [4.0, 5, 14, 30])
        let scale = MapScale(
            overlay: "a", template: "polygon", property: "outlineWidth", given: .numbers(widths), resolved: .numbers(widths),
            symbol: LegendSymbol(.area))
        let boxes = content(scale)?.pieces.compactMap(\.box) ?? []
        #expect(boxes.map(\.borderWidth) == [4, 5, 14, 20])
        #expect(boxes.map(\.width) == [20, 20, 38, 50] && boxes.map(\.height) == [12, 12, 30, 42])
    }

    /// The alpha of a tint has no effect on the map.
    @Test func theAlphaOfTintsIsIgnored() throws {
        let colors = Scale(by: "v", linear: [Color.red.withAlpha(0.1), .blue], domain: 0...1)
        func lowest(_ property: String) throws -> Bitmap.Pixel {
            let scale = MapScale(
                overlay: "a", template: "marker", property: property, given: .colors(colors), resolved: .colors(colors))
            let drawing = try #require(
                content(scale)?.pieces.compactMap(\.drawing).first)
            return try drawing.bitmap(pixelRatio: 1)[0, 111]
        }
        #expect(try lowest("iconTintColor").alpha == 255 && lowest("captionColor").alpha < 40)
        let tint = map(colors)
        #expect(tint.drawn(.red.withAlpha(0.1)) == .red.withAlpha(0.1))
        var scale = tint
        scale.property = "iconTintColor"
        #expect(scale.drawn(.red.withAlpha(0.1)) == .red && scale.drawn(.clear) == .clear)
    }

    @Test func numbersAreShownBySamples() {
        func samples(_ scale: Scale<Double>, _ property: String = "width", range: ClosedRange<Double>? = nil) -> [String] {
            labels(
                MapScale(
                    overlay: "a", template: "marker", property: property, given: .numbers(scale), resolved: .numbers(scale), range: range))
        }
        #expect(samples(Scale(by: "v", sqrt: [0, 40], domain: 0...2.5e7)) == ["200k", "4M", "10M", "20M"])
        // Only values that occur are shown.
        #expect(samples(Scale(by: "v", sqrt: [0, 40], domain: 0...2.5e7), range: 1e7...3.7e7) == ["10M", "15M", "20M", "25M"])
        #expect(samples(Scale(by: "v", linear: [1, 9], domain: 3...97)) == ["20", "40", "60", "80"])
        #expect(samples(Scale(by: "v", linear: [1, 9], domain: 3...97), range: 6...6) == ["6"])
        // Three to seven stops are shown themselves.
        let stops = [0, 1, 3, 5, 8, 13, 21, 34].map { Scale<Double>.Stop($0, $0) }
        #expect(samples(Scale(by: "v", ramp: Array(stops[..<3]))) == ["0", "1", "3"])
        #expect(samples(Scale(by: "v", ramp: Array(stops[..<7]))) == ["0", "1", "3", "5", "8", "13", "21"])
        #expect(samples(Scale(by: "v", ramp: stops)) == ["0", "10", "20", "30"])
        #expect(samples(Scale(by: "v", ramp: [.init(0, 0), .init(100, 40)]), range: 1...100) == ["20", "40", "60", "80", "100"])
        #expect(samples(Scale(by: "v", steps: [10], [4, 8])) == ["≤ 10", "> 10"])
        #expect(samples(Scale(by: "v", log: [1, 9], domain: 1...1.5), "captionTextSize").filter { $0 != "Aa" } == ["1", "1.2", "1.4"])
    }

    @Test func aLongListFormsColumns() {
        let names = (1...40).map { "name \($0)" }
        let scale = map(Scale(by: "k", categories: names.map { .init($0, Color.red) }))
        func columns(_ height: Double, _ edit: (inout Legend) -> Void = { _ in }) -> [Int] {
            let found = content(scale, height: height, edit)
            #expect(found?.texts == names)
            return found?.columns ?? []
        }
        #expect(columns(700) == [40] && columns(350) == [20, 20])
        #expect(columns(250) == [14, 14, 12])
        #expect(columns(1000) { $0.columns = 4 } == [10, 10, 10, 10])
        // A row of columns is a stack, too.
        let many = map(Scale(by: "k", categories: (1...1000).map { .init("\($0)", Color.red) }))
        #expect(content(many, height: 30)?.columns == [Int](repeating: 10, count: 100))
        // With a title, there is less room.
        #expect(content(scale, height: 350) { $0.title = "Kind" }?.columns == [14, 14, 12])
    }

    @Test func aLegendThatNamesNoScaleIsAnError() throws {
        let mapView = MapView(size: CGSize(width: 100, height: 100))
        func problem(_ legend: Legend) -> PropertyError? {
            do throws(PropertyError) {
                _ = try mapView.scale(of: legend)
                return nil
            } catch { return error }
        }
        #expect(problem(Legend()) == PropertyError(path: "", problem: "the map has no scales"))
        #expect(problem(Legend(overlay: "a")) == PropertyError(path: "overlay", problem: "the map has no scales"))
        mapView.scales = [map(steps([1]))]
        #expect(problem(Legend()) == nil && problem(Legend(overlay: "geojson-0", property: "fillColor")) == nil)
        #expect(
            problem(Legend(overlay: "geojson-1"))
                == PropertyError(path: "overlay", problem: "the overlay \"geojson-1\" has no scale; scales exist for \"geojson-0\""))
        #expect(problem(Legend(property: "color"))?.path == "property")
        let angle = Scale(by: "v", linear: [0.0, 90])
        mapView.scales = [
            MapScale(overlay: "a", template: "marker", property: "angle", given: .numbers(angle), resolved: .numbers(angle))
        ]
        #expect(problem(Legend())?.problem.hasPrefix("a legend cannot show \"angle\"; it can show colors and the properties width") == true)
    }
}

extension OverlayContent {
    /// All texts, in order.
    var texts: [String] {
        switch self {
        case .label(let label): label.text.isEmpty ? [] : [label.text]
        case .stack(let stack): stack.contents.flatMap(\.texts)
        case .image, .drawing: []
        }
    }

    /// All contents without contents of their own, in order.
    var pieces: [OverlayContent] { if case .stack(let stack) = self { stack.contents.flatMap(\.pieces) } else { [self] } }

    /// The content, if it is an image, a label without a text, or a drawing.
    var image: ImageContent? { if case .image(let image) = self { image } else { nil } }
    var box: LabelContent? { if case .label(let box) = self, box.text.isEmpty { box } else { nil } }
    var drawing: (any ContentDrawing)? { if case .drawing(let content) = self { content.drawing } else { nil } }

    /// The numbers of rows in the columns of a legend without a title.
    var columns: [Int] {
        guard case .stack(let whole) = self, case .stack(let list)? = whole.contents.last else { return [] }
        if list.axis == .vertical { return [list.contents.count] }
        return list.contents.map { if case .stack(let column) = $0 { column.contents.count } else { 0 } }
    }
}
