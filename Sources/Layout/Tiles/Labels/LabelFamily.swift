import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene
import WaymarkText
import WaymarkTiles
import WaymarkVectorTiles

/// The labels of the base map's vector tiles: places, waters, peaks and points of interest. They are placed in one pass after the map's own
/// symbols, the most important label first. A label is hidden if it overlaps a marker that hides symbols, a symbol, or a label placed
/// before.
///
/// The labels of a tile, their ranks and their texts do not depend on the view, and neither do the tiles of a zoom. A label near the
/// picture's edge may be hidden by a label beyond it, so labels in a margin around the picture are placed, too.
final class LabelFamily: BudgetedCache {
    private var tiles = LRUCache<LabelTile.Key, LabelTile>()
    /// The tiles of the current picture, by layer from bottom to top.
    private var shown: [ShownLabels] = []

    /// The labels of a layer in a picture.
    private struct ShownLabels {
        let layer: Int
        let table: ThemeTable
        /// The languages of names, and the language of texts for the choice of letters.
        let languages: [String]
        let language: String
        /// The icons that occur, each with its style.
        var icons: [PointOfInterestIcon: IconStyle] = [:]
        var tiles: [(tile: LabelTile, copy: Int)] = []
        var roads: ShownRoads?
    }

    /// The width in pt of the margin around the picture in which labels are placed.
    static let margin = 256.0
    /// The minimum distance in pt on the ground between two labels with the same role and equal texts. If they are closer, the second one
    /// is left out.
    private static let leastDistance = 64.0
    /// The highest zoom from which an important point of interest is shown.
    private static let zoomOfImportant: Float = 15
    /// The maximum distance in pt by which the pixels of a text extend beyond its box.
    private static let inkMargin = 32.0

    var keptBytes: Int { tiles.byteCount }
    var oldestUse: UInt64? { tiles.oldestUse }
    func evict(through picture: UInt64, bytes: Int) { tiles.evict(through: picture, bytes: bytes) }

    /// Whether there are labels, and therefore texts.
    var hasLabels: Bool { shown.contains { !$0.tiles.isEmpty || $0.roads != nil } }

    /// Reads the labels of the tiles in a picture.
    func read(_ layers: [ShownVectorLayer], _ resources: MapResources) {
        shown = []
        guard !layers.isEmpty else { return }
        for layer in layers where layer.layer.labels || layer.layer.pois {
            let set = TileSet(layer.set.source)
            let languages = layer.layer.languages
            let styles = LabelTile.StyleKey(
                theme: layer.theme, colors: layer.layer.roleColors.filter(\.key.isLabel),
                language: languages.first { $0 != TileName.localTag } ?? resources.fonts.language)
            var labels = ShownLabels(
                layer: layer.index, table: ThemeTable(layer.theme).colored(styles.colors), languages: languages, language: styles.language)
            for (index, tile) in (layer.tiles + layer.surroundings).enumerated() where !tile.geometry.labels.isEmpty {
                let key = LabelTile.Key(
                    tile: TileStore.Key(set, tile.cell.address), styles: styles, languages: languages, hasNames: layer.layer.labels,
                    hasPOIs: layer.layer.pois, buildings: index < layer.buildings.count ? tile.geometry.buildings.number : 0)
                let known = tiles.value(for: key) ?? LabelTile(tile.geometry, key, labels.table.labels)
                tiles.insert(known, for: key, byteCount: known.byteCount)
                labels.tiles.append((known, tile.cell.x >> tile.cell.zoom))
            }
            let roadTiles = layer.layer.labels ? layer.tiles + layer.surroundings : []
            if roadTiles.contains(where: { !$0.geometry.roads.isEmpty }) {
                labels.roads = ShownRoads(
                    layer: layer.index, roadTiles, lastZoom: layer.set.info.maxZoom, styles: labels.table.roadNames, languages: languages,
                    language: labels.language)
            }
            readIcons(of: &labels, resources)
            shown.append(labels)
        }
        if hasLabels { _ = resources.fonts.open() }
    }

    private func readIcons(of labels: inout ShownLabels, _ resources: MapResources) {
        let icons = labels.tiles.reduce(into: Set<PointOfInterestIcon>()) { $0.formUnion($1.tile.icons) }
        for icon in icons.sorted(by: { $0.rawValue < $1.rawValue }) {
            // Built-in drawings are always valid.
            guard
                let raster = try? resources.icon(
                    labels.table.pointsOfInterest.image(of: icon), "iconImage", width: 0, height: 0, .upright)
            else { continue }
            var style = IconStyle.empty
            style.anchorY = 0.5
            style.show(raster)
            labels.icons[icon] = style
        }
    }

    /// Reports labels that are left out, and the characters that no font has.
    func report(_ placed: PlacedLabels, into list: inout DiagnosticList, _ fonts: MapFonts) {
        if !placed.areAll || !placed.roads.areAll {
            list.map.append(
                Diagnostic(path: "basemap", message: "the view has too many labels of the base map; some of them are left out"))
        }
        let missing = placed.missing + placed.roads.missing
        guard let fonts = fonts.known, !missing.isEmpty else { return }
        list.reportFonts(fonts, missing: missing, unknownFamilies: [], textPath: "basemap", familyPath: "basemap")
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
        /// The number of device pixels per pt of the measured text.
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
        var collisions = LabelCollisions(pass, points)
        // Labels of upper layers come first.
        for labels in shown.reversed() { place(labels, &collisions, &placed, fonts) }
        let tiles = shown.reversed().flatMap { $0.tiles.map(\.tile) }
        placed.items = draw(&placed, tiles, images, fonts, &pass)
        // The tiles are cached with the texts that the picture has added.
        for tile in tiles { self.tiles.insert(tile, for: tile.key, byteCount: tile.byteCount) }
        shown = []
        return placed
    }

    private func place(
        _ labels: ShownLabels, _ collisions: inout LabelCollisions, _ placed: inout PlacedLabels, _ fonts: FontLibrary
    ) {
        let (viewport, placer, firstNumber) = (collisions.viewport, collisions.placer, collisions.firstNumber)
        let styles = labels.table.labels
        let firstTile = Int32(placed.tiles.count)
        placed.tiles += labels.tiles.map {
            PlacedLabels.Tile(layer: labels.layer, address: $0.tile.address, labels: $0.tile.labels, languages: labels.languages)
        }
        // The places of the labels with a text and a role so far.
        var known: [RepeatKey: [SIMD2<Double>]] = [:]
        let least = Self.leastDistance / viewport.worldSize
        // The names of roads are placed when their style has its turn among the others.
        var roads = labels.roads
        let roadStyle = styles.firstIndex { $0.role == .roadLabel } ?? styles.count
        func placeRoads() {
            if let roads { placed.roads.place(roads, &collisions, fonts) }
            roads = nil
        }
        let candidates = candidates(labels, viewport, most: collisions.mostLabels)
        if !candidates.areAll { placed.areAll = false }
        for candidate in candidates.sorted {
            if Int(candidate.style) > roadStyle { placeRoads() }
            let tile = labels.tiles[Int(candidate.tile)].tile
            let row = tile.rows[Int(candidate.row)]
            let style = styles[Int(candidate.style)]
            let position = SIMD2(candidate.place.x + Double(candidate.copy), candidate.place.y)
            let text = tile.text(of: Int(candidate.row))
            let repeatKey = RepeatKey(lines: text?.lines, role: style.role, icon: text == nil ? row.icon : nil)
            if let others = known[repeatKey], others.contains(where: { ($0 - position).length < least }) { continue }
            known[repeatKey, default: []].append(position)
            let color = style.role == .poiLabel ? row.icon.map(labels.table.pointsOfInterest.textColor) ?? style.color : style.color
            text?.measure(style, color: color, hasIcon: row.icon != nil, language: labels.language, fonts)
            let measured = text?.measured
            var label = PlacedLabel(
                tile: firstTile + candidate.tile, label: row.label, role: style.role, place: candidate.place,
                height: row.height,
                candidate: point(candidate, row.height, measured, row.icon.flatMap { labels.icons[$0] } ?? .empty, placer))
            let number = firstNumber + Int32(placed.labels.count)
            // Names of areas stay where buildings hide the middle of the area.
            if row.icon != nil, collisions.isBehindBuilding(label) {
                label.isOccluded = true
                placed.labels.append(label)
                continue
            }
            // An important point of interest is shown without its name if there is no room for the name.
            settle(
                &label, measured, number, mayLoseName: row.icon != nil && row.minZoom <= Self.zoomOfImportant,
                padding: style.padding, &collisions)
            placed.labels.append(label)
        }
        placeRoads()
    }

    /// Finds the first align at which the place of a label is free, and takes it; otherwise records what hides the label.
    /// - Parameter padding: The space in pt that is kept free around icons.
    private func settle(
        _ label: inout PlacedLabel, _ text: LabelText.Measured?, _ number: Int32, mayLoseName: Bool, padding: Double,
        _ collisions: inout LabelCollisions
    ) {
        var icon: CollisionGrid.Shape?
        if label.candidate.hasIcon {
            var shape = label.candidate.iconShape(collisions.placer)
            shape.padding = padding * collisions.viewport.pixelRatio / 2
            label.hiddenBy = collisions.hider(of: shape, number)
            icon = shape
        }
        if label.hiddenBy == nil, let text {
            var isPlaced = false
            for align in 0..<text.alignCount where !isPlaced {
                let box = text.box(align: align)
                label.candidate.placeCaption(box, align: align)
                if collisions.room.cuts(label.candidate.captionBox) { continue }
                let shape = label.candidate.captionShape(box)
                let hider = collisions.hider(of: shape, number)
                if hider == nil {
                    collisions.take(shape, number)
                    isPlaced = true
                } else if label.hiddenBy == nil {
                    label.hiddenBy = hider
                }
            }
            if isPlaced {
                label.hiddenBy = nil
            } else if mayLoseName {
                label.hiddenBy = nil
                label.candidate.caption = -1
            } else {
                label.candidate.placeCaption(text.box(align: 0), align: 0)
                label.candidate.isCutByEdge = label.hiddenBy == nil
            }
        }
        if let icon, label.isShown { collisions.take(icon, number) }
    }

    private struct RepeatKey: Hashable {
        let lines: LabelText.Lines?
        let role: MapRole
        /// The icon, for labels without a text.
        let icon: PointOfInterestIcon?
    }

    /// The labels in the picture and its margin, in the order in which they are placed.
    /// - Parameter most: The number of labels after which the least important ones are left out.
    /// - Returns: The labels, and whether none was left out.
    private func candidates(_ labels: ShownLabels, _ viewport: Viewport, most: Int) -> (sorted: [Candidate], areAll: Bool) {
        let view = viewport.projection
        let (width, height, margin) = (viewport.size.width, viewport.size.height, Self.margin)
        let cameraZoom = viewport.camera.zoom
        let isLevel = view.sinTilt == 0
        let styles = labels.table.labels
        let scales = styles.map { Self.scale($0, zoom: cameraZoom, viewport.pixelRatio) }
        var candidates: [Candidate] = []
        var areAll = true
        func sort() {
            candidates.sort { $0 < $1 }
            guard candidates.count > most else { return }
            candidates.removeLast(candidates.count - most)
            areAll = false
        }
        for (number, (tile, copy)) in labels.tiles.enumerated() {
            for (index, row) in tile.rows.enumerated() {
                if isLevel, scales[Int(row.style)] == nil || Double(row.minZoom) > cameraZoom { continue }
                let x = (row.place.x - view.centerX + Double(copy)) * view.worldSize
                let y = (row.place.y - view.centerY) * view.worldSize
                let point = view.project(x: x, y: y, height: row.height * view.worldSize)
                guard point.depth > view.near, point.depth < view.far, point.x > -margin, point.y > -margin, point.x < width + margin,
                    point.y < height + margin
                else { continue }
                var scale = scales[Int(row.style)]
                if !isLevel {
                    // Far labels have a lower zoom. The zoom is rounded, so that its last bits have no effect.
                    let zoom = ((cameraZoom + log2(view.distance / point.depth)) * 64).rounded() / 64
                    if Double(row.minZoom) > zoom { continue }
                    scale = Self.scale(styles[Int(row.style)], zoom: zoom, viewport.pixelRatio)
                }
                guard let scale else { continue }
                candidates.append(
                    Candidate(
                        tile: Int32(number), row: Int32(index), copy: Int8(clamping: copy), style: row.style, rank: row.rank,
                        place: row.place, scale: scale))
                // The candidates of many tiles need not all be in memory together.
                if candidates.count > 4 * most { sort() }
            }
        }
        sort()
        return (candidates, areAll)
    }

    /// The device pixels per pt of a measured text, so that the text size is a whole number of quarter pixels; nil for labels that are not
    /// shown.
    private static func scale(_ style: LabelStyle, zoom: Double, _ pixelRatio: Double) -> Double? {
        guard zoom < style.endZoom, let size = style.sizes.width(atZoom: zoom) else { return nil }
        return max(1, wholePixels(size * pixelRatio * 4)) / 4 / LabelText.measuredSize
    }

    private func point(
        _ candidate: Candidate, _ height: Double, _ text: LabelText.Measured?, _ style: IconStyle, _ placer: IconPlacer
    ) -> PointCandidate {
        let icon = placer.place(candidate.place, height: height, copy: Double(candidate.copy), style)
        var point = PointCandidate(icon, style, copy: Int(candidate.copy))
        point.setBox(icon, placer, isFlat: false)
        guard let box = text?.box(align: 0) else { return point }
        let scale = candidate.scale
        point.scales = CaptionBox.Scales(main: scale, sub: scale, length: placer.pixelRatio, hasSub: box.flags.contains(.sub))
        (point.captionWidth, point.captionHeight) = box.size(point.scales)
        // Texts are found by the row in their tile.
        point.caption = candidate.row
        point.placeCaption(box, align: 0)
        return point
    }

    /// Draws the labels that are not hidden, the most important one on top.
    /// - Parameter tiles: The tiles of `placed`, with their texts.
    private func draw(
        _ placed: inout PlacedLabels, _ tiles: [LabelTile], _ images: CaptionImages, _ fonts: FontLibrary, _ pass: inout PlacingPass
    ) -> [DrawItem] {
        let first = pass.frame.beginItem()
        // The margin is for halos, and for glyphs that extend beyond their line.
        let inkMargin = Self.inkMargin * pass.viewport.pixelRatio
        let picture = (pass.viewport.deviceWidth, pass.viewport.deviceHeight)
        placed.roads.draw(pass.viewport, &pass.frame)
        var drawing = PointDrawing(pass, images: images)
        for label in placed.labels.reversed() where label.isShown {
            let candidate = label.candidate
            if candidate.hasIcon, candidate.iconReason == nil { drawing.draw(candidate.icon, &pass.frame) }
            guard candidate.caption >= 0, candidate.isCaptionSeen(in: pass.viewport, margin: inkMargin),
                let text = tiles[Int(label.tile)].text(of: Int(candidate.caption)), let measured = text.measured
            else { continue }
            placed.missing += measured.missing
            let handle = text.handle(measured, candidate, images, fonts)
            let (x, y) = (Int(candidate.captionX), Int(candidate.captionY))
            images.pieces(handle, x: x, y: y, in: picture, fonts) { piece, x, y in
                pass.frame.append(piece, x: x, y: y, alpha: 1)
            }
        }
        let commands = pass.frame.endItem(from: first)
        // The labels lie beneath the map's symbols.
        return commands.isEmpty ? [] : [DrawItem(rank: pass.order.keys.rankAboveSymbols, sequence: -1, count: 0, commands: commands)]
    }
}
