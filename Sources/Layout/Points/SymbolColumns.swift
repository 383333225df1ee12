import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// The base map's symbols in flat arrays, ordered by rank. The arrays are rebuilt when the symbols change.
struct SymbolColumns: Sendable {
    /// The map's symbols, in the map's order.
    private(set) var symbols: [Symbol] = []
    /// The index in `symbols` of each row.
    private(set) var numbers: [Int32] = []
    private(set) var places: [WorldPoint] = []
    private(set) var styles: [IconStyle] = []
    private(set) var zooms: [ClosedRange<Double>] = []
    /// The captions, indexed like these arrays and not by slot.
    private(set) var captions = CaptionColumns()
    /// The greatest sum of an icon's width and height, in pt.
    private var iconRadius = 0.0
    /// The problems of symbols, which exclude them or their icons.
    private(set) var problems: [(number: Int, problem: PropertyError)] = []

    init() {}

    var isEmpty: Bool { numbers.isEmpty }

    /// The name of a symbol: its id, or `symbol-` and its index.
    /// - Parameter number: The index of the symbol in the map's list.
    func name(_ number: Int) -> String { symbols[number].id ?? "symbol-\(number)" }

    /// An upper bound in pt on the distance from a symbol's place to its far edge.
    var radius: Double { captions.radius + iconRadius }
}

/// A symbol placed for a camera.
struct PlacedSymbol: Sendable {
    /// The index of the symbol in the map's symbols.
    var number: Int32
    var place: WorldPoint
    var candidate: PointCandidate
    /// The marker or symbol that hides this symbol; nil if it is shown.
    var hiddenBy: Hider?

    var isShown: Bool { hiddenBy == nil && !candidate.isCutByEdge }

    enum Hider: Sendable {
        /// A marker, by index among the candidates.
        case marker(Int32)
        /// Another symbol, by its index in the map's symbols.
        case symbol(Int32)
    }
}

extension SymbolColumns {
    /// Reads the map's symbols.
    init(_ symbols: [Symbol], _ resources: MapResources) {
        self.symbols = symbols
        let order = symbols.indices.sorted { (symbols[$0].rank, $0) < (symbols[$1].rank, $1) }
        for number in order {
            do throws(PropertyError) {
                try read(symbols[number], number, resources)
            } catch {
                problems.append((number, error))
            }
        }
        problems.sort { $0.number < $1.number }
    }

    private mutating func read(_ symbol: Symbol, _ number: Int, _ resources: MapResources) throws(PropertyError) {
        if let problem = symbol.firstProblem() { throw problem }
        guard let y = WebMercator.y(lat: symbol.position.lat) else { throw .beyondMap("position.lat") }
        guard symbol.minZoom <= symbol.maxZoom else { return }
        var style = IconStyle.empty
        style.anchorY = 0.5
        do throws(PropertyError) {
            if let image = symbol.iconImage,
                let icon = try resources.icon(image, "iconImage", width: symbol.width, height: symbol.height, .upright)
            {
                style.show(icon)
                if let problem = resources.problem(ofView: image, "iconImage") { problems.append((number, problem.reported())) }
            }
        } catch {
            problems.append(
                (number, PropertyError(path: error.path, problem: "\(error.problem); the symbol is drawn without this property")))
        }
        let index = numbers.count
        if let text = CaptionText(symbol, language: resources.fonts.language, nil) {
            if let fonts = resources.fonts.open() {
                var part = CaptionStyle.TextStyle()
                (part.minZoom, part.maxZoom) = (symbol.minZoom, symbol.maxZoom)
                var box = CaptionBox(text, main: part, sub: part, fonts)
                box.aligns = CaptionBox.Aligns([style.raster < 0 ? .center : .bottom])
                box.padding = Float(symbol.captionPadding)
                captions.set(box, missing: fonts.layout(text.main.request).missing, slot: index)
            } else {
                captions.setUnmeasured(slot: index)
            }
        }
        numbers.append(Int32(number))
        places.append(WorldPoint(x: WebMercator.x(lng: symbol.position.lng), y: y))
        styles.append(style)
        iconRadius = max(iconRadius, Double(style.width) + Double(style.height))
        zooms.append(symbol.minZoom...symbol.maxZoom)
    }

    /// Places the symbols of a picture, lower ranks first. A symbol is hidden where it overlaps a marker that hides symbols or a symbol
    /// placed before it, or where the picture's edge would cut a text that avoids it.
    /// - Returns: The symbols, and the collision boxes of those that are shown.
    func placed(
        _ pass: PlacingPass, _ shown: ClosedRange<Int>, _ collector: CandidateCollector, _ taken: CollisionGrid?
    ) -> (symbols: [PlacedSymbol], grid: CollisionGrid) {
        let zoom = pass.viewport.camera.zoom
        var own = CollisionGrid(pass.viewport)
        var placed: [PlacedSymbol] = []
        for index in numbers.indices where zooms[index].contains(zoom) {
            for copy in shown {
                guard
                    var candidate = collector.candidate(
                        places[index], height: 0, copy: copy, styles[index], caption: captions.id(index), boxes: captions.boxes)
                else { continue }
                candidate.isCutByEdge = candidate.caption >= 0 && pass.captionRoom.cuts(candidate.captionBox)
                var symbol = PlacedSymbol(number: numbers[index], place: places[index], candidate: candidate)
                let shapes = symbol.isShown ? candidate.shapes(collector.placer, captions) : []
                for shape in shapes where symbol.hiddenBy == nil {
                    if let marker = taken?.first(over: shape, slot: -1, .symbol) { symbol.hiddenBy = .marker(marker) }
                }
                for shape in shapes where symbol.hiddenBy == nil {
                    if let other = own.first(over: shape, slot: numbers[index], .symbol) { symbol.hiddenBy = .symbol(other) }
                }
                if symbol.isShown, !candidate.isOnlyInkVisible {
                    for shape in shapes {
                        own.add(CollisionBox(shape: shape, slot: numbers[index], owner: numbers[index], flags: .hideSymbols))
                    }
                }
                placed.append(symbol)
            }
        }
        return (placed, own)
    }
}

extension PointCandidate {
    /// The symbol's collision shapes: the icon and the caption.
    fileprivate func shapes(_ placer: IconPlacer, _ captions: CaptionColumns) -> [CollisionGrid.Shape] {
        var shapes: [CollisionGrid.Shape] = []
        if hasIcon { shapes.append(iconShape(placer)) }
        if caption >= 0 { shapes.append(captionShape(captions.boxes[Int(caption)])) }
        return shapes
    }
}
