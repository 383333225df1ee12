import Foundation
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

/// A second implementation of the specified camera, captions and collisions, which compares all pairs. Of the library it uses only the
/// size of texts.
struct CollisionReference {
    typealias Point = (x: Double, y: Double)

    /// An icon and a caption on one copy of the world, in device pixels.
    struct Body {
        var marker: Int
        var copy: Int
        /// The distance east of the center, as a fraction of the world.
        var distance: Double
        var flags: Flags
        /// The corners, clockwise from the image's upper left.
        var icon: [Point]
        var hasIcon: Bool
        var isIconInPicture: Bool
        /// By align: the corners of the caption; empty without a caption.
        var captions: [[Point]] = []
        /// The free space around the caption.
        var padding = 0.0
        /// Whether perspective makes the caption too small to be drawn.
        var isTooSmall = false
        /// Whether the picture's edge would cut the caption at all of its aligns.
        var isCut = false
        /// Whether the icon is hidden because the caption, which it requires, has no place.
        var lacksCaption = false
        var align = 0
        var iconHider: Int?
        var captionHider: Int?

        var hasCaption: Bool { !captions.isEmpty }
        var isIconShown: Bool { iconHider == nil && !lacksCaption }
        var isCaptionShown: Bool { hasCaption && isIconShown && captionHider == nil && !isCut }
    }

    /// The overlays that an overlay hides, and the flags that protect it.
    struct Flags {
        var markers = false
        var captions = false
        var symbols = false
        var forceIcon = false
        var forceCaption = false
        var needsCaption = false
    }

    struct SymbolBody {
        var symbol: Int
        var distance: Double
        var anchor: Point
        /// The icon's and the text's box, with the padding kept free around them.
        var shapes: [(corners: [Point], padding: Double)]
        var isCut = false
        /// "marker 3" or "symbol 4".
        var hider: String?

        var isShown: Bool { hider == nil && !isCut }
    }

    let camera: DesignCamera
    let ratio: Double
    let markers: [Marker]
    let avoidsEdges: Bool
    private(set) var bodies: [Body] = []
    private(set) var symbols: [SymbolBody] = []
    private let fonts: FontLibrary
    private let width: Double
    private let height: Double

    /// - Parameter markers: In the order in which they were added to the map.
    init(
        _ camera: DesignCamera, ratio: Double, _ markers: [Marker], _ symbols: [Symbol], _ fonts: FontLibrary, avoidsEdges: Bool = false
    ) {
        self.camera = camera
        self.avoidsEdges = avoidsEdges
        self.ratio = ratio
        self.markers = markers
        self.fonts = fonts
        width = Self.halfUp(camera.width * ratio)
        height = Self.halfUp(camera.height * ratio)
        for index in markers.indices {
            for copy in -3...3 {
                if let body = body(index, copy) { bodies.append(body) }
            }
        }
        bodies.sort(by: isBelow)
        hide()
        placeSymbols(symbols)
    }

    private static func halfUp(_ value: Double) -> Double { (value + 0.5).rounded(.down) }

    /// Rounded to multiples of 1/1024 px.
    private static func snap(_ value: Double) -> Double { halfUp(value * 1024) / 1024 }

    private static func isTouching(_ a: [Point], _ b: [Point], _ least: Double) -> Bool {
        var axes: [Point] = [(1, 0), (0, 1)]
        for corners in [a, b] {
            for (from, to) in zip(corners, corners[1...] + corners[..<1]) {
                let length = hypot(to.x - from.x, to.y - from.y)
                if length > 0 { axes.append(((to.y - from.y) / length, (from.x - to.x) / length)) }
            }
        }
        return axes.allSatisfy { axis in
            let mine = a.map { $0.x * axis.x + $0.y * axis.y }
            let theirs = b.map { $0.x * axis.x + $0.y * axis.y }
            return min(mine.max()!, theirs.max()!) - max(mine.min()!, theirs.min()!) > least
        }
    }

    /// Whether two shapes touch when the one with the larger padding, a caption's box, is grown by it.
    private func isTouching(_ a: [Point], _ paddingA: Double, _ b: [Point], _ paddingB: Double) -> Bool {
        func grown(_ corners: [Point], _ padding: Double) -> [Point] {
            guard padding > 0 else { return corners }
            let box = Self.bounds(corners)
            return [
                (box.left - padding, box.top - padding), (box.right + padding, box.top - padding),
                (box.right + padding, box.bottom + padding), (box.left - padding, box.bottom + padding),
            ]
        }
        return paddingA > paddingB
            ? Self.isTouching(grown(a, paddingA), b, ratio / 64) : Self.isTouching(a, grown(b, paddingB), ratio / 64)
    }

    private func isCut(_ corners: [Point]) -> Bool {
        let box = Self.bounds(corners)
        return avoidsEdges && (box.left < 0 || box.top < 0 || box.right > width || box.bottom > height)
    }

    static func bounds(_ corners: [Point]) -> (left: Double, top: Double, right: Double, bottom: Double) {
        (corners.map(\.x).min()!, corners.map(\.y).min()!, corners.map(\.x).max()!, corners.map(\.y).max()!)
    }

    func isInPicture(_ corners: [Point]) -> Bool {
        let box = Self.bounds(corners)
        // A shape without size is a point, which may lie on the edge.
        if box.left == box.right, box.top == box.bottom { return box.left >= 0 && box.top >= 0 && box.left <= width && box.top <= height }
        return box.right > 0 && box.bottom > 0 && box.left < width && box.top < height
    }

    // MARK: Positions

    /// Fractions of the world, x in 0..<1.
    private func place(_ position: LatLng) -> Point {
        let phi = position.lat * .pi / 180
        let turns = (position.lng + 180) / 360
        return (turns - turns.rounded(.down), (1 - log(tan(.pi / 4 + phi / 2)) / .pi) / 2)
    }

    private var centre: Point { place(LatLng(lat: camera.lat, lng: camera.lng)) }

    /// Exact at multiples of 90 degrees.
    private static func turn(_ degrees: Double) -> (sin: Double, cos: Double) {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        switch rest < 0 ? rest + 360 : rest {
        case 0: return (0, 1)
        case 90: return (1, 0)
        case 180: return (0, -1)
        case 270: return (-1, 0)
        case let other: return (sin(other * .pi / 180), cos(other * .pi / 180))
        }
    }

    private func body(_ index: Int, _ copy: Int) -> Body? {
        let marker = markers[index]
        let containers = self.containers(of: marker)
        let isShown = ([marker] + containers as [Overlay]).allSatisfy { overlay in
            !overlay.isHidden && overlay.minZoom <= camera.zoom && camera.zoom <= overlay.maxZoom
        }
        let isEmpty = marker.iconImage == .empty && marker.captionText.isEmpty
        guard isShown, !isEmpty, let position = marker.position else { return nil }
        let place = place(position)
        let distance = place.x + Double(copy) - centre.x
        let offset = (x: distance * camera.worldSize, y: (place.y - centre.y) * camera.worldSize)
        let lift = (marker.altitude + position.altitude) * camera.pointsPerMeter(lat: position.lat)
        let anchor = camera.project(offset.x, offset.y, height: lift)
        guard anchor.depth > camera.height / 50, anchor.depth < 20 * camera.distance else { return nil }
        let scale = camera.distance / anchor.depth
        let hasIcon = marker.iconImage != .empty
        let anchorPixel: Point = (Self.snap(anchor.x * ratio), Self.snap(anchor.y * ratio))
        let ground = marker.isFlat ? flat(marker, offset, scale) : []
        let isBehind = ground.contains { camera.project($0.x, $0.y, height: lift).depth <= camera.height / 50 }
        let corners: [Point] =
            if isBehind {
                // Without a quad, the anchor is used.
                [anchorPixel, anchorPixel, anchorPixel, anchorPixel]
            } else if marker.isFlat {
                ground.map { corner in
                    let seen = camera.project(corner.x, corner.y, height: lift)
                    return (Self.snap(seen.x * ratio), Self.snap(seen.y * ratio))
                }
            } else {
                standing(marker, anchorPixel, scale)
            }
        var body = Body(
            marker: index, copy: copy, distance: distance,
            flags: Flags(
                markers: marker.isHideCollidedMarkers, captions: marker.isHideCollidedCaptions, symbols: marker.isHideCollidedSymbols,
                forceIcon: marker.isForceShowIcon, forceCaption: marker.isForceShowCaption, needsCaption: marker.isCaptionRequired),
            icon: corners, hasIcon: hasIcon, isIconInPicture: isBehind ? isAnySeen(ground, lift) : isInPicture(corners))
        body.captions = captions(marker, corners, scale, &body)
        let isCaptionInPicture = body.captions.first.map(isInPicture) ?? false
        return body.isIconInPicture || isCaptionInPicture ? body : nil
    }

    /// The containers around an overlay, from the innermost outward.
    private func containers(of overlay: Overlay) -> [Container] {
        var found: [Container] = []
        var next = overlay.parent
        while let container = next {
            found.append(container)
            next = container.parent
        }
        return found
    }

    private func size(_ marker: Marker) -> (width: Double, height: Double, isWhole: Bool) {
        if marker.iconImage == .empty { return (0, 0, false) }
        guard case .bitmap(let bitmap) = marker.iconImage.source else { return (marker.width, marker.height, true) }
        let scale = marker.iconImage.scale
        let size = (Double(bitmap.width) / scale, Double(bitmap.height) / scale)
        return (size.0, size.1, true)
    }

    private func standing(_ marker: Marker, _ anchor: Point, _ scale: Double) -> [Point] {
        let size = size(marker)
        let isTurned = marker.angle.truncatingRemainder(dividingBy: 360) != 0
        let (ax, ay) = (Double(marker.anchor.x), Double(marker.anchor.y))
        let (offsetX, offsetY) = (Double(marker.anchorOffset.x), Double(marker.anchorOffset.y))
        if !isTurned, !marker.iconPerspectiveEnabled, size.isWhole {
            let (width, height) = (Self.halfUp(size.width * ratio), Self.halfUp(size.height * ratio))
            let x = Self.halfUp(Self.snap(anchor.x + offsetX * ratio - ax * width))
            let y = Self.halfUp(Self.snap(anchor.y + offsetY * ratio - ay * height))
            return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        }
        let unit = marker.iconPerspectiveEnabled ? scale * ratio : ratio
        let (across, down) = edges(marker, width: size.width * unit, height: size.height * unit)
        let x = Self.snap(anchor.x + offsetX * unit - ax * across.x - ay * down.x)
        let y = Self.snap(anchor.y + offsetY * unit - ax * across.y - ay * down.y)
        return Self.corners((x, y), across, down).map { (Self.snap($0.x), Self.snap($0.y)) }
    }

    private func edges(_ marker: Marker, width: Double, height: Double) -> (across: Point, down: Point) {
        let (sin, cos) = Self.turn(marker.angle)
        return ((width * cos, width * sin), (-height * sin, height * cos))
    }

    private static func corners(_ first: Point, _ across: Point, _ down: Point) -> [Point] {
        let right: Point = (first.x + across.x, first.y + across.y)
        return [first, right, (right.x + down.x, right.y + down.y), (first.x + down.x, first.y + down.y)]
    }

    /// Whether any of many sample points of a parallelogram on the ground is in the picture.
    private func isAnySeen(_ corners: [Point], _ lift: Double) -> Bool {
        let steps = 400
        return (0...steps * steps).contains { number in
            let (a, b) = (Double(number % steps) / Double(steps), Double(number / steps) / Double(steps))
            let x = corners[0].x + a * (corners[1].x - corners[0].x) + b * (corners[3].x - corners[0].x)
            let y = corners[0].y + a * (corners[1].y - corners[0].y) + b * (corners[3].y - corners[0].y)
            let seen = camera.project(x, y, height: lift)
            guard seen.depth > camera.height / 50 else { return false }
            return seen.x > 0 && seen.y > 0 && seen.x * ratio < width && seen.y * ratio < height
        }
    }

    /// The corners on the ground, in pt from the center.
    private func flat(_ marker: Marker, _ offset: Point, _ scale: Double) -> [Point] {
        let size = size(marker)
        let unit = marker.iconPerspectiveEnabled ? 1 : 1 / scale
        let (across, down) = edges(marker, width: size.width * unit, height: size.height * unit)
        let (ax, ay) = (Double(marker.anchor.x), Double(marker.anchor.y))
        let (offsetX, offsetY) = (Double(marker.anchorOffset.x), Double(marker.anchorOffset.y))
        let x = Self.snap(offset.x * ratio) / ratio + offsetX * unit - ax * across.x - ay * down.x
        let y = Self.snap(offset.y * ratio) / ratio + offsetY * unit - ax * across.y - ay * down.y
        return Self.corners((x, y), across, down)
    }

    /// The corners of a marker's caption and sub-caption, as one block, at each align.
    private func captions(_ marker: Marker, _ icon: [Point], _ scale: Double, _ body: inout Body) -> [[Point]] {
        guard !marker.captionText.isEmpty, marker.captionMinZoom <= camera.zoom, camera.zoom <= marker.captionMaxZoom else { return [] }
        let unit = marker.captionPerspectiveEnabled ? ratio * scale : ratio
        let isFarther = marker.captionPerspectiveEnabled && Self.halfUp(scale * 0x1p20) < 0x1p20
        // nil when perspective makes it smaller than 6 pt.
        func size(_ text: String, _ size: Double, _ wrapWidth: Double) -> Point? {
            let layout = fonts.layout(
                TextRequest(
                    text: text, size: size, weight: marker.captionFontWeight, family: marker.captionFont, wrapWidth: wrapWidth,
                    letterSpacing: marker.captionLetterSpacing))
            let quarters = max(1, Self.halfUp(size * unit * 4)) / 4
            if isFarther, quarters < 6 * ratio { return nil }
            let pixels = marker.captionPerspectiveEnabled ? quarters / size : ratio
            return (layout.width * pixels, layout.height * pixels)
        }
        guard var block = size(marker.captionText, marker.captionTextSize, marker.captionRequestedWidth) else {
            body.isTooSmall = true
            return []
        }
        if !marker.subCaptionText.isEmpty, marker.subCaptionMinZoom <= camera.zoom, camera.zoom <= marker.subCaptionMaxZoom,
            let sub = size(marker.subCaptionText, marker.subCaptionTextSize, marker.subCaptionRequestedWidth)
        {
            block = (max(block.x, sub.x), block.y + sub.y)
        }
        body.padding = marker.captionPadding * unit
        return captions(
            marker.captionAligns, icon, (Self.halfUp(block.x), Self.halfUp(block.y)), gap: marker.captionOffset * unit,
            isSnapped: !marker.captionPerspectiveEnabled)
    }

    private func captions(_ aligns: [AlignType], _ icon: [Point], _ size: Point, gap: Double, isSnapped: Bool) -> [[Point]] {
        let box = Self.bounds(icon)
        return aligns.map { align in
            var x = (box.left + box.right - size.x) / 2
            var y = (box.top + box.bottom - size.y) / 2
            if [.left, .topLeft, .bottomLeft].contains(align) { x = box.left - gap - size.x }
            if [.right, .topRight, .bottomRight].contains(align) { x = box.right + gap }
            if [.top, .topLeft, .topRight].contains(align) { y = box.top - gap - size.y }
            if [.bottom, .bottomLeft, .bottomRight].contains(align) { y = box.bottom + gap }
            (x, y) = (Self.snap(x), Self.snap(y))
            if isSnapped { (x, y) = (Self.halfUp(x), Self.halfUp(y)) }
            return [(x, y), (x + size.x, y), (x + size.x, y + size.y), (x, y + size.y)]
        }
    }

    // MARK: Order

    /// The chain of the enclosing blocks' keys, then layer band, global z index and z path: eight numbers each, of which the last two are
    /// the kind and, for blocks, the insertion.
    private func rank(_ marker: Marker) -> [Int] {
        func number(_ layer: MapLayerType) -> Int {
            [MapLayerType.background, .area, .road, .transitStop, .poi, .foreground].firstIndex(of: layer)!
        }
        var (rank, path, band): ([Int], [Int], Int) = ([], [], .max)
        func key(_ overlay: Overlay, _ content: Int, _ insertion: Int) -> [Int] {
            let path = path + [overlay.zIndex]
            return [min(band, number(overlay.mapLayerType)), overlay.globalZIndex] + path + [Int](repeating: 0, count: 4 - path.count)
                + [content, insertion]
        }
        for container in containers(of: marker).reversed() {
            if container.isOrderedAsOne {
                rank += key(container, 2, Int(container.store!.insertions[Int(container.slot)]))
                (path, band) = ([], .max)
            } else {
                path.append(container.zIndex)
                band = min(band, number(container.mapLayerType))
            }
        }
        return rank + key(marker, 3, 0)
    }

    private func up(_ body: Body) -> Double {
        let place = place(markers[body.marker].position!)
        let (sin, cos) = Self.turn(camera.bearing)
        return Self.halfUp(((place.x + Double(body.copy)) * sin - place.y * cos) * 0x1p43)
    }

    private func isBelow(_ a: Body, _ b: Body) -> Bool {
        let (rankA, rankB) = (rank(markers[a.marker]), rank(markers[b.marker]))
        if rankA != rankB { return rankA.lexicographicallyPrecedes(rankB) }
        let (upA, upB) = (up(a), up(b))
        if upA != upB { return upA > upB }
        return (a.marker, a.copy) < (b.marker, b.copy)
    }

    // MARK: Collisions

    /// A shown shape that may hide others; in the order in which they were placed.
    private struct Claim {
        var shape: [Point]
        var padding: Double
        var marker: Int
        var flags: Flags
    }

    private var claims: [Claim] = []

    private func firstClaim(over shape: [Point], _ padding: Double, besides marker: Int?, where isInTheWay: (Flags) -> Bool) -> Int? {
        claims.first { $0.marker != marker && isInTheWay($0.flags) && isTouching($0.shape, $0.padding, shape, padding) }?.marker
    }

    private mutating func placeIcon(_ index: Int) {
        let body = bodies[index]
        guard !body.flags.forceIcon else { return }
        bodies[index].iconHider = firstClaim(over: body.icon, 0, besides: body.marker) { $0.markers }
    }

    private mutating func claimIcon(_ index: Int) {
        claims.append(Claim(shape: bodies[index].icon, padding: 0, marker: bodies[index].marker, flags: bodies[index].flags))
    }

    private mutating func hide() {
        var ranks: [[Int]] = []
        for body in bodies.reversed() {
            let rank = rank(markers[body.marker])
            if ranks.last != rank { ranks.append(rank) }
        }
        for rank in ranks {
            let members = bodies.indices.reversed().filter { self.rank(markers[bodies[$0].marker]) == rank }
            func isWhole(_ index: Int) -> Bool { bodies[index].flags.needsCaption && bodies[index].hasCaption }
            for index in members where !isWhole(index) {
                placeIcon(index)
                if bodies[index].iconHider == nil { claimIcon(index) }
            }
            for index in members where bodies[index].hasCaption {
                if isWhole(index) { placeIcon(index) }
                let body = bodies[index]
                if let hider = body.iconHider {
                    bodies[index].captionHider = hider
                    continue
                }
                let whole = body.captions.indices.filter { !isCut(body.captions[$0]) }
                guard let first = whole.first else {
                    bodies[index].isCut = true
                    bodies[index].lacksCaption = isWhole(index)
                    continue
                }
                let hiders = whole.map {
                    firstClaim(over: body.captions[$0], body.padding, besides: body.marker) { $0.markers || $0.captions }
                }
                bodies[index].align = first
                if let free = hiders.firstIndex(of: nil) {
                    bodies[index].align = whole[free]
                } else if !body.flags.forceCaption {
                    bodies[index].captionHider = hiders[0]
                    if isWhole(index) { (bodies[index].iconHider, bodies[index].lacksCaption) = (hiders[0], true) }
                    continue
                }
                if isWhole(index) { claimIcon(index) }
                let shape = body.captions[bodies[index].align]
                claims.append(Claim(shape: shape, padding: body.padding, marker: body.marker, flags: body.flags))
            }
        }
    }

    // MARK: Symbols

    private mutating func placeSymbols(_ symbols: [Symbol]) {
        for index in symbols.indices.sorted(by: { (symbols[$0].rank, $0) < (symbols[$1].rank, $1) }) {
            let symbol = symbols[index]
            guard symbol.minZoom <= camera.zoom, camera.zoom <= symbol.maxZoom else { continue }
            let place = place(symbol.position)
            for copy in -3...3 {
                let distance = place.x + Double(copy) - centre.x
                let anchor = camera.project(distance * camera.worldSize, (place.y - centre.y) * camera.worldSize, height: 0)
                guard anchor.depth > camera.height / 50, anchor.depth < 20 * camera.distance else { continue }
                let stand = Marker(position: symbol.position)
                stand.iconImage = symbol.iconImage ?? .empty
                stand.anchor = CGPoint(x: 0.5, y: 0.5)
                let at = (Self.snap(anchor.x * ratio), Self.snap(anchor.y * ratio))
                let icon = symbol.iconImage == nil ? [Point](repeating: at, count: 4) : standing(stand, at, 1)
                var shapes = symbol.iconImage == nil ? [] : [(corners: icon, padding: 0.0)]
                var isCut = false
                if !symbol.captionText.isEmpty {
                    let layout = fonts.layout(
                        TextRequest(text: symbol.captionText, size: symbol.captionTextSize, letterSpacing: symbol.captionLetterSpacing))
                    let text = captions(
                        [symbol.iconImage == nil ? .center : .bottom], icon,
                        (Self.halfUp(layout.width * ratio), Self.halfUp(layout.height * ratio)), gap: 0, isSnapped: true)[0]
                    shapes.append((text, symbol.captionPadding * ratio))
                    isCut = self.isCut(text)
                }
                guard shapes.contains(where: { isInPicture($0.corners) }) || isInPicture(icon) else { continue }
                let seenAt = (at.0 / ratio, at.1 / ratio)
                var body = SymbolBody(symbol: index, distance: distance, anchor: seenAt, shapes: shapes, isCut: isCut)
                if !isCut { body.hider = hider(of: body) }
                self.symbols.append(body)
            }
        }
    }

    private func hider(of body: SymbolBody) -> String? {
        for shape in body.shapes {
            let marker = firstClaim(over: shape.corners, shape.padding, besides: nil) { $0.symbols }
            if let marker { return "marker \(marker)" }
        }
        let others = symbols.filter { $0.isShown && $0.symbol != body.symbol }
        for shape in body.shapes {
            let other = others.first { other in
                other.shapes.contains { isTouching($0.corners, $0.padding, shape.corners, shape.padding) }
            }
            if let other { return "symbol \(other.symbol)" }
        }
        return nil
    }
}
