import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// What the layout knows of the base map's symbols, in the order of their ranks: made when they change.
struct SymbolColumns {
    /// Which of the map's symbols each is.
    var numbers: [Int32] = []
    var places: [Columns.Place] = []
    var looks: [Look] = []
    var zooms: [ClosedRange<Double>] = []
    /// By index here, not by slot.
    var captions = CaptionColumns()
    /// The longest that an icon is, across and down together, in pt.
    fileprivate var iconReach = 0.0
    /// What keeps symbols out, and what no font has.
    var problems: [(number: Int, problem: PropertyError)] = []

    var isEmpty: Bool { numbers.isEmpty }

    /// The farthest that any reaches from its place, in pt.
    var reach: Double { captions.reach + iconReach }
}

/// A symbol in front of a camera.
struct PlacedSymbol {
    /// Which of the map's symbols it is.
    var number: Int32
    var place: Columns.Place
    var candidate: Candidate
    /// Who hides it.
    var hiddenBy: Hider?

    enum Hider {
        /// By index among the candidates.
        case marker(Int32)
        /// By number.
        case symbol(Int32)
    }
}

extension Composer {
    /// Reads the map's symbols.
    func readSymbols(_ mapView: MapView) -> SymbolColumns {
        var columns = SymbolColumns()
        let symbols = mapView.symbols
        let order = symbols.indices.sorted { (symbols[$0].rank, $0) < (symbols[$1].rank, $1) }
        for number in order {
            let symbol = symbols[number]
            if let problem = symbol.firstProblem() {
                columns.problems.append((number, problem))
                continue
            }
            guard let y = WebMercator.y(lat: symbol.position.lat) else {
                let end = WebMercator.maxLatitude
                let problem = "beyond the map, which ends at \(end) degrees north and south; not drawn"
                columns.problems.append((number, PropertyError(path: "position.lat", problem: problem)))
                continue
            }
            guard symbol.minZoom <= symbol.maxZoom else { continue }
            var look = Look.none
            look.anchorY = 0.5
            if let image = symbol.iconImage {
                do throws(PropertyError) {
                    if let icon = try icon(image, width: symbol.width, height: symbol.height, isPlain: true) { look.show(icon) }
                } catch {
                    columns.problems.append((number, error))
                    continue
                }
            }
            let index = columns.numbers.count
            if let text = CaptionText(symbol, language: mapView.language), let fonts = fonts(mapView) {
                var style = CaptionStyle.Part()
                (style.minZoom, style.maxZoom) = (symbol.minZoom, symbol.maxZoom)
                var box = CaptionBox(text, main: style, sub: style, fonts)
                box.aligns = CaptionBox.Aligns([look.raster < 0 ? .center : .bottom])
                columns.captions.set(box, missing: fonts.layout(text.main.request).missing, slot: index)
            }
            columns.numbers.append(Int32(number))
            columns.places.append(Columns.Place(x: WebMercator.x(lng: symbol.position.lng), y: y))
            columns.looks.append(look)
            columns.iconReach = max(columns.iconReach, Double(look.width) + Double(look.height))
            columns.zooms.append(symbol.minZoom...symbol.maxZoom)
        }
        columns.problems.sort { $0.number < $1.number }
        return columns
    }
}

extension SymbolColumns {
    /// Places the symbols of a picture, those of lower rank first; each hides where a marker that asks for it, or a symbol
    /// placed before, has its place.
    func placed(_ viewport: Viewport, _ shown: ClosedRange<Int>, columns: Columns, claims: ClaimGrid?) -> [PlacedSymbol] {
        let gathering = CandidateGathering(viewport, columns)
        let zoom = viewport.camera.zoom
        var own = ClaimGrid(
            width: Double(viewport.deviceWidth), height: Double(viewport.deviceHeight), pixelRatio: viewport.pixelRatio)
        var placed: [PlacedSymbol] = []
        for index in numbers.indices where zooms[index].contains(zoom) {
            for copy in shown {
                guard
                    let candidate = gathering.candidate(
                        places[index], height: 0, copy: copy, looks[index], caption: captions.id(index), captions: captions)
                else { continue }
                var symbol = PlacedSymbol(number: numbers[index], place: places[index], candidate: candidate)
                let shapes = candidate.shapes(gathering.placer)
                for shape in shapes where symbol.hiddenBy == nil {
                    if let marker = claims?.first(over: shape, slot: -1, .symbol) { symbol.hiddenBy = .marker(marker) }
                }
                for shape in shapes where symbol.hiddenBy == nil {
                    if let other = own.first(over: shape, slot: numbers[index], .symbol) { symbol.hiddenBy = .symbol(other) }
                }
                if symbol.hiddenBy == nil, !candidate.isMarginal {
                    for shape in shapes {
                        own.add(ClaimGrid.Claim(shape: shape, slot: numbers[index], owner: numbers[index], flags: .hideSymbols))
                    }
                }
                placed.append(symbol)
            }
        }
        return placed
    }
}

extension Candidate {
    /// What it takes of the screen: its icon, and its caption.
    fileprivate func shapes(_ placer: IconPlacer) -> [ClaimGrid.Shape] {
        var shapes: [ClaimGrid.Shape] = []
        if icon.image != Placement.noImage { shapes.append(iconShape(placer)) }
        if caption >= 0 { shapes.append(ClaimGrid.Shape(box: captionBox)) }
        return shapes
    }
}
