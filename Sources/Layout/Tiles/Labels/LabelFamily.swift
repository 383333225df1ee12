import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText
import WaymarkTiles
import WaymarkVectorTiles

/// The labels of the base map's vector tiles: places, waters, peaks and points of interest. They are placed in one pass after the map's own
/// symbols, the most important first, and are hidden where they overlap a marker that hides symbols, a symbol, or a label placed before.
///
/// What labels a tile has, their ranks and their texts do not depend on the view, and neither do the tiles of a zoom. A label near the
/// picture's edge may be hidden by one beyond it, so labels in a margin around the picture are placed, too.
final class LabelFamily {
    private var texts = LabelTexts()
    private var tiles: [LabelTile.Key: LabelTile] = [:]
    /// The tiles of the current picture, by layer from bottom to top.
    private var shown: [ShownLabels] = []

    /// The labels of a layer in a picture.
    private struct ShownLabels {
        let layer: Int
        let theme: MapTheme
        let styles: [LabelStyle]
        /// The languages of names, and the language of texts for the choice of letters.
        let languages: [String]
        let language: String
        var tiles: [(tile: LabelTile, copy: Int)] = []
    }

    /// The width in pt of the margin around the picture in which labels are placed.
    private static let margin = 256.0
    /// Two labels of one role with equal texts are at least this far apart on the ground, in pt. Otherwise, the second one is left out.
    private static let leastDistance = 64.0
    /// How far the pixels of a text may extend beyond its box, in pt.
    private static let inkMargin = 32.0
    /// Beyond this number of texts or tiles, those that the previous pictures did not show are dropped.
    private static let (mostTexts, mostTiles) = (1 << 15, 128)

    /// Whether there are labels, and therefore texts.
    var hasLabels: Bool { shown.contains { !$0.tiles.isEmpty } }

    /// Reads the labels of the tiles in a picture.
    func read(_ layers: [ShownVectorLayer], _ resources: MapResources) {
        shown = []
        guard !layers.isEmpty else { return }
        let now = PictureClock.now
        if texts.count > Self.mostTexts { (texts, tiles) = (LabelTexts(), [:]) }
        for layer in layers where layer.layer.labels || layer.layer.pois {
            let set = TileSet(layer.set.source)
            let languages = layer.layer.languages
            var labels = ShownLabels(
                layer: layer.index, theme: layer.theme, styles: ThemeTable(layer.theme).labels, languages: languages,
                language: languages.first { $0 != TileName.localTag } ?? resources.fonts.language)
            for tile in layer.tiles where !tile.geometry.labels.isEmpty {
                let key = LabelTile.Key(
                    tile: TileStore.Key(set, tile.cell.address), theme: layer.theme, languages: languages, hasNames: layer.layer.labels,
                    hasPOIs: layer.layer.pois)
                let known = tiles[key] ?? LabelTile(tile.geometry.labels, key, labels.styles, &texts)
                known.lastUse = now
                tiles[key] = known
                labels.tiles.append((known, tile.cell.x >> tile.cell.zoom))
            }
            shown.append(labels)
        }
        if tiles.count > Self.mostTiles { tiles = tiles.filter { $0.value.lastUse == now } }
        if hasLabels { _ = resources.fonts.open() }
    }

    /// Reports the characters that no font has.
    func report(into list: inout DiagnosticList, _ fonts: MapFonts) {
        guard let fonts = fonts.known, !texts.missing.isEmpty else { return }
        list.reportFonts(fonts, missing: texts.missing, unknownFamilies: [], textPath: "basemap", familyPath: "basemap")
    }
}

extension LabelFamily {
    /// A label in the view, before it is placed.
    private struct Candidate {
        let tile: Int32
        let row: Int32
        let copy: Int8
        let style: Int16
        let rank: Float
        let place: WorldPoint
        /// Device pixels per pt of the measured text.
        let scale: Double

        static func < (a: Candidate, b: Candidate) -> Bool {
            (a.style, a.rank, a.place.y, a.place.x, a.copy, a.row) < (b.style, b.rank, b.place.y, b.place.x, b.copy, b.row)
        }
    }

    /// Places the labels of a picture and draws them.
    /// - Parameters:
    ///   - points: The markers and symbols of the picture.
    ///   - images: Receives the pixels of texts.
    func place(over points: PlacedPoints, _ images: CaptionImages, _ pass: inout PlacingPass) -> PlacedLabels {
        var placed = PlacedLabels(pass.viewport)
        guard hasLabels, let fonts = pass.fonts else { return placed }
        var grid =
            points.symbolGrid
            ?? CollisionGrid(
                width: Double(pass.viewport.deviceWidth), height: Double(pass.viewport.deviceHeight), pixelRatio: pass.viewport.pixelRatio)
        let firstNumber = Int32(points.symbols.symbols.count)
        // Labels of upper layers come first.
        for labels in shown.reversed() {
            place(labels, taken: points.collisionGrid, &grid, firstNumber, &placed, fonts, pass)
        }
        placed.items = draw(placed, images, fonts, &pass)
        return placed
    }

    private func place(
        _ labels: ShownLabels, taken: CollisionGrid?, _ grid: inout CollisionGrid, _ firstNumber: Int32, _ placed: inout PlacedLabels,
        _ fonts: FontLibrary, _ pass: PlacingPass
    ) {
        let viewport = pass.viewport
        let placer = IconPlacer(viewport)
        let theme = UInt32(MapTheme.allCases.firstIndex(of: labels.theme) ?? 0)
        let firstTile = Int32(placed.tiles.count)
        placed.tiles += labels.tiles.map {
            PlacedLabels.Tile(layer: labels.layer, address: $0.tile.address, labels: $0.tile.labels, languages: labels.languages)
        }
        // The places of the labels with a text and a role so far.
        var known: [RepeatKey: [SIMD2<Double>]] = [:]
        let least = Self.leastDistance / viewport.worldSize
        for candidate in candidates(labels, viewport) {
            let tile = labels.tiles[Int(candidate.tile)].tile
            let row = tile.rows[Int(candidate.row)]
            let style = labels.styles[Int(candidate.style)]
            let position = SIMD2(candidate.place.x + Double(candidate.copy), candidate.place.y)
            let repeatKey = RepeatKey(text: row.text, role: style.role)
            if let others = known[repeatKey], others.contains(where: { Self.distance($0, position) < least }) { continue }
            known[repeatKey, default: []].append(position)
            let measured =
                row.measured >= 0
                ? row.measured
                : texts.measure(
                    row.text, style, color: style.color, key: theme << 16 | UInt32(candidate.style), hasIcon: false, language: labels.language, fonts)
            tile.rows[Int(candidate.row)].measured = measured
            var label = PlacedLabel(
                tile: firstTile + candidate.tile, label: row.label, role: style.role, place: candidate.place,
                candidate: point(candidate, measured, placer))
            label.candidate.isCutByEdge = pass.captionsAvoidEdges && label.candidate.isCaptionCut(in: viewport)
            let number = firstNumber + Int32(placed.labels.count)
            if label.isShown {
                let shape = label.candidate.captionShape(texts.measured[Int(measured)].box)
                if let marker = taken?.first(over: shape, slot: -1, .symbol) {
                    label.hiddenBy = .marker(marker)
                } else if let other = grid.first(over: shape, slot: number, .symbol) {
                    label.hiddenBy = other < firstNumber ? .symbol(other) : .label(other - firstNumber)
                } else {
                    grid.add(CollisionBox(shape: shape, slot: number, owner: number, flags: .hideSymbols))
                }
            }
            placed.labels.append(label)
        }
    }

    private struct RepeatKey: Hashable {
        let text: Int32
        let role: MapRole
    }

    private static func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        let offset = a - b
        return (offset * offset).sum().squareRoot()
    }

    /// The labels in the picture and its margin, in the order in which they are placed.
    private func candidates(_ labels: ShownLabels, _ viewport: Viewport) -> [Candidate] {
        let view = viewport.projection
        let (width, height, margin) = (viewport.size.width, viewport.size.height, Self.margin)
        let cameraZoom = viewport.camera.zoom
        let isLevel = view.sinTilt == 0
        let scales = labels.styles.map { Self.scale($0, zoom: cameraZoom, viewport.pixelRatio) }
        var candidates: [Candidate] = []
        for (number, (tile, copy)) in labels.tiles.enumerated() {
            for (index, row) in tile.rows.enumerated() {
                if isLevel, scales[Int(row.style)] == nil { continue }
                let x = (row.place.x - view.centerX + Double(copy)) * view.worldSize
                let y = (row.place.y - view.centerY) * view.worldSize
                let point = view.project(x: x, y: y, height: 0)
                guard point.depth > view.near, point.depth < view.far, point.x > -margin, point.y > -margin, point.x < width + margin,
                    point.y < height + margin
                else { continue }
                var scale = scales[Int(row.style)]
                if !isLevel {
                    // Far labels are those of a lower zoom. Rounded, so that the last bits have no effect.
                    let zoom = ((cameraZoom + log2(view.distance / point.depth)) * 64).rounded() / 64
                    scale = Self.scale(labels.styles[Int(row.style)], zoom: zoom, viewport.pixelRatio)
                }
                guard let scale else { continue }
                candidates.append(
                    Candidate(
                        tile: Int32(number), row: Int32(index), copy: Int8(clamping: copy), style: row.style, rank: row.rank,
                        place: row.place, scale: scale))
            }
        }
        candidates.sort { $0 < $1 }
        return candidates
    }

    /// The device pixels per pt of a measured text, so that the text size is a whole number of quarter pixels; nil for labels that are not
    /// shown.
    private static func scale(_ style: LabelStyle, zoom: Double, _ pixelRatio: Double) -> Double? {
        guard zoom < style.endZoom, let size = style.sizes.width(atZoom: zoom) else { return nil }
        return max(1, wholePixels(size * pixelRatio * 4)) / 4 / LabelTexts.measuredSize
    }

    private func point(_ candidate: Candidate, _ measured: Int32, _ placer: IconPlacer) -> PointCandidate {
        let box = texts.measured[Int(measured)].box
        let icon = placer.place(candidate.place, height: 0, copy: Double(candidate.copy), .empty)
        var point = PointCandidate(icon, .empty, copy: Int(candidate.copy))
        point.setBox(icon, placer, isFlat: false)
        let scale = candidate.scale
        point.scales = CaptionBox.Scales(main: scale, sub: scale, length: placer.pixelRatio, hasSub: box.flags.contains(.sub))
        (point.captionWidth, point.captionHeight) = box.size(point.scales)
        point.caption = measured
        point.placeCaption(box, align: 0)
        return point
    }

    /// Draws the labels that are not hidden, the most important one on top.
    private func draw(_ placed: PlacedLabels, _ images: CaptionImages, _ fonts: FontLibrary, _ pass: inout PlacingPass) -> [DrawItem] {
        let first = pass.frame.beginItem()
        // Halos, and glyphs that extend beyond their line.
        let inkMargin = Self.inkMargin * pass.viewport.pixelRatio
        let picture = (pass.viewport.deviceWidth, pass.viewport.deviceHeight)
        for label in placed.labels.reversed() where label.isShown && label.candidate.isCaptionSeen(in: pass.viewport, margin: inkMargin) {
            let handle = texts.handle(label.candidate, images, fonts)
            let (x, y) = (Int(label.candidate.captionX), Int(label.candidate.captionY))
            images.pieces(handle, x: x, y: y, in: picture, fonts) { piece in
                pass.frame.append(piece.image, x: x + piece.x, y: y + piece.y, alpha: 1)
            }
        }
        let commands = pass.frame.endItem(from: first)
        // Beneath the map's symbols.
        return commands.isEmpty ? [] : [DrawItem(rank: pass.order.keys.rankAboveSymbols, sequence: -1, count: 0, commands: commands)]
    }
}
