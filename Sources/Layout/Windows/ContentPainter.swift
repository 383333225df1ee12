import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene
import WaymarkText

/// Measures and draws the contents of views, for one pixel ratio.
struct ContentPainter {
    let pixelRatio: Double
    let language: String
    /// The fonts; nil if they cannot be opened, in which case labels are not drawn.
    let fonts: FontLibrary?
    /// The defaults of the map's theme; nil without a theme.
    let theme: ThemeDefaults?
    /// The characters that no font has.
    private(set) var gaps: Set<FontGap> = []
    /// Images that cannot be drawn, and drawings that failed. The rest is drawn without them.
    private(set) var problems: [PropertyError] = []
    /// Warnings about images that are drawn.
    private(set) var warnings: [PropertyError] = []
    /// The approximate size in bytes of the measured contents: the lines of labels, and the pixels of drawings.
    private(set) var keptBytes = 0

    /// A measured content, with its position in the surrounding one. Lengths are in pt.
    indirect enum Node: Sendable {
        case label(LabelContent, TextLayout?, PointSize)
        case image(FrameImage, PointSize, ImageLook)
        case stack(StackContent, [(x: Double, y: Double, node: Node)], PointSize)

        /// An image of 0 × 0.
        static let nothing = image(
            FrameImage(key: 0, name: "", bitmap: Bitmap(width: 0, height: 0)), PointSize(width: 0, height: 0), ImageLook())

        var size: PointSize {
            switch self {
            case .label(_, _, let size), .image(_, let size, _), .stack(_, _, let size): size
            }
        }

        /// Whether the start of a column is its right edge for this content.
        var startsAtRight: Bool {
            if case .label(let label, _, _) = self { label.startsAtRight } else { false }
        }
    }

    /// Measures a content. An image that cannot be drawn, or a drawing that fails, gets the size 0 × 0 and is added to the `problems`.
    /// - Parameter path: The path of the content, for the problems.
    mutating func measure(_ content: OverlayContent, _ path: String, _ resources: MapResources) -> Node {
        do throws(PropertyError) {
            switch content {
            case .label(let label): return measure(label)
            case .image(let image): return try measure(image, path, resources)
            case .stack(let stack): return measure(stack, path, resources)
            case .drawing(let drawn): return try measure(drawn.drawing, path)
            }
        } catch {
            problems.append(error)
            return .nothing
        }
    }

    private mutating func measure(_ label: LabelContent) -> Node {
        let frame = label.frame
        let (across, down) = (frame.insets.left + frame.insets.right, frame.insets.top + frame.insets.bottom)
        var layout: TextLayout?
        if !label.text.isEmpty, let fonts {
            let wrapWidth = frame.width > 0 ? max(1, frame.width - across) : label.maxWidth
            let lines = ContentText(fonts: fonts, language: language).layout(label, wrapWidth: wrapWidth)
            gaps.formUnion(lines.missing)
            keptBytes += lines.byteCount
            layout = lines
        }
        return .label(label, layout, Self.size(frame, (layout?.width ?? 0) + across, (layout?.height ?? 0) + down))
    }

    /// The size set for a frame, otherwise the size of its contents, in whole pt.
    private static func size(_ frame: ContentFrame, _ width: Double, _ height: Double) -> PointSize {
        // Sums of advances are slightly above integers as often as slightly below.
        func whole(_ length: Double) -> Double { (length - 1e-6).rounded(.up) }
        return PointSize(
            width: frame.width > 0 ? frame.width : max(0, whole(width)), height: frame.height > 0 ? frame.height : max(0, whole(height)))
    }

    private mutating func measure(_ image: ImageContent, _ path: String, _ resources: MapResources) throws(PropertyError) -> Node {
        let path = "\(path).\(image.image.isSVGDocument ? "svg" : "image")"
        var icon = try resources.piece(image.image, path, width: image.width, height: image.height, pixelRatio: pixelRatio)
        if image.look.sideLimit > 0, let whole = icon, max(whole.width, whole.height) > image.look.sideLimit {
            let share = image.look.sideLimit / max(whole.width, whole.height)
            icon = try resources.piece(
                image.image, path, width: whole.width * share, height: whole.height * share, pixelRatio: pixelRatio)
        }
        if let problem = resources.problem(ofView: image.image, path) {
            if problem.isWarning { warnings.append(problem.error) } else { problems.append(problem.error) }
        }
        warnings += resources.images.warnings(of: image.image).map { PropertyError(path: path, problem: $0) }
        guard let icon, icon.raster >= 0 else { return .nothing }
        return .image(resources.images.rasters[Int(icon.raster)], PointSize(width: icon.width, height: icon.height), image.look)
    }

    /// Renders the drawing immediately, because its failure must be reported.
    private mutating func measure(_ drawing: any ContentDrawing, _ path: String) throws(PropertyError) -> Node {
        let (width, height) = (drawing.width, drawing.height)
        try OverlayContent.check(width: width, height: height, limit: OverlayContent.sideLimit, path)
        guard width > 0, height > 0 else { return .nothing }
        let bitmap: Bitmap
        do {
            bitmap = try drawing.bitmap(pixelRatio: pixelRatio)
        } catch {
            throw PropertyError(path: path, problem: "the drawing failed: \(error)")
        }
        guard bitmap.width > 0, bitmap.height > 0 else { throw PropertyError(path: path, problem: "the drawing has no pixels") }
        keptBytes += bitmap.pixels.count
        let image = FrameImage(key: OverlayImage.nextTextureKey(), name: "drawing", bitmap: bitmap)
        return .image(image, PointSize(width: width, height: height), ImageLook())
    }

    private mutating func measure(_ stack: StackContent, _ path: String, _ resources: MapResources) -> Node {
        var nodes: [Node] = []
        for (index, content) in stack.contents.enumerated() {
            nodes.append(measure(content, "\(path).stack[\(index)]", resources))
        }
        let gaps = stack.spacing * Double(max(0, nodes.count - 1))
        let widest = nodes.reduce(0) { max($0, $1.size.width) }
        let highest = nodes.reduce(0) { max($0, $1.size.height) }
        let (width, height) =
            switch stack.axis {
            case .horizontal: (nodes.reduce(gaps) { $0 + $1.size.width }, highest)
            case .vertical: (widest, nodes.reduce(gaps) { $0 + $1.size.height })
            case .depth: (widest, highest)
            }
        let insets = stack.frame.insets
        let size = Self.size(stack.frame, width + insets.left + insets.right, height + insets.top + insets.bottom)
        let freeWidth = size.width - insets.left - insets.right
        let freeHeight = size.height - insets.top - insets.bottom
        let share =
            switch stack.alignment {
            case .start: 0.0
            case .center: 0.5
            case .end: 1.0
            }
        var next = stack.axis == .vertical ? insets.top : insets.left
        let placed = nodes.map { node -> (x: Double, y: Double, node: Node) in
            let x = insets.left + (freeWidth - node.size.width) * (node.startsAtRight && stack.alignment == .start ? 1 : share)
            let y = insets.top + (freeHeight - node.size.height) * share
            let start = next
            switch stack.axis {
            case .horizontal:
                next += node.size.width + stack.spacing
                return (x: start, y: y, node: node)
            case .vertical:
                next += node.size.height + stack.spacing
                return (x: x, y: start, node: node)
            case .depth: return (x: x, y: y, node: node)
            }
        }
        return .stack(stack, placed, size)
    }
}

extension ContentPainter {
    /// A length in whole device pixels.
    func pixels(_ length: Double) -> Int { Int(wholePixels(length * pixelRatio)) }

    /// Draws a content with its upper left at a place in pt.
    /// - Parameters:
    ///   - clip: The device pixels that may change.
    ///   - isOnOwnBackground: Whether content around it has a background.
    func draw(
        _ node: Node, x: Double, y: Double, clip: PixelRect, isOnOwnBackground: Bool = false, into canvas: inout ContentCanvas
    ) {
        let size = node.size
        let (left, top) = (pixels(x), pixels(y))
        let (width, height) = (pixels(size.width), pixels(size.height))
        guard width > 0, height > 0 else { return }
        let own = PixelRect(x: left, y: top, width: width, height: height)
        switch node {
        case .image(let image, _, let look):
            var bitmap = image.bitmap.scaled(toWidth: width, height: height)
            bitmap.apply(look)
            canvas.draw(bitmap, x: left, y: top, clip: clip)
        case .label(let label, let layout, _):
            drawBackground(label.frame, own, clip, &canvas)
            let color = textColor(of: label, isOnOwnBackground: isOnOwnBackground || label.frame.hasBackground)
            if let layout { draw(layout, label, color, own, clip: clip.intersection(own), &canvas) }
            drawBorder(label.frame, own, clip, &canvas)
        case .stack(let stack, let placed, _):
            drawBackground(stack.frame, own, clip, &canvas)
            for child in placed {
                draw(
                    child.node, x: x + child.x, y: y + child.y, clip: clip.intersection(own),
                    isOnOwnBackground: isOnOwnBackground || stack.frame.hasBackground, into: &canvas)
            }
            drawBorder(stack.frame, own, clip, &canvas)
        }
    }

    /// The color of a label's text. The theme's colors suit the map and the frame of info windows, but perhaps not another background.
    private func textColor(of label: LabelContent, isOnOwnBackground: Bool) -> Color {
        if let color = label.ownTextColor { return color }
        guard let theme, !isOnOwnBackground else { return label.isSecondary ? Self.secondaryText : .black }
        return label.isSecondary ? theme.secondaryText : theme.text
    }

    /// The color of less important text without a theme.
    private static let secondaryText = Color(hex: 0x444444)

    private func drawBackground(_ frame: ContentFrame, _ rect: PixelRect, _ clip: PixelRect, _ canvas: inout ContentCanvas) {
        // Beneath an opaque border, the background ends at the middle of the border, so that it does not show through the border's soft
        // edge.
        let inset = frame.borderColor.alpha == 1 ? frame.borderWidth * pixelRatio / 2 : 0
        canvas.fill([outline(frame, rect, inset: inset)], frame.backgroundColor, clip: clip)
    }

    private func drawBorder(_ frame: ContentFrame, _ rect: PixelRect, _ clip: PixelRect, _ canvas: inout ContentCanvas) {
        guard frame.borderWidth > 0 else { return }
        // The inset is in whole pixels, like the edges.
        let inset = max(1, wholePixels(frame.borderWidth * pixelRatio))
        let isWhole = 2 * inset >= Double(min(rect.width, rect.height))
        canvas.fill(
            [outline(frame, rect, inset: 0)] + (isWhole ? [] : [outline(frame, rect, inset: inset)]), frame.borderColor, clip: clip)
    }

    private func outline(_ frame: ContentFrame, _ rect: PixelRect, inset: Double) -> [PathPoint] {
        let half = Double(min(rect.width, rect.height)) / 2
        let (radius, inset) = (min(frame.cornerRadius * pixelRatio, half), min(inset, half))
        return ContentOutline.bubble(
            Double(rect.x) + inset, Double(rect.y) + inset, Double(rect.width) - 2 * inset, Double(rect.height) - 2 * inset,
            radius: radius - inset, tailWidth: 0, tailHeight: 0)
    }

    private func draw(
        _ layout: TextLayout, _ label: LabelContent, _ color: Color, _ rect: PixelRect, clip: PixelRect, _ canvas: inout ContentCanvas
    ) {
        guard let fonts else { return }
        let insets = label.frame.insets
        let boxWidth = max(0, rect.width - pixels(insets.left) - pixels(insets.right))
        let free = Double(rect.height - pixels(insets.top) - pixels(insets.bottom)) - layout.height * pixelRatio
        let (x, y) = (rect.x + pixels(insets.left), rect.y + pixels(insets.top) + Int(wholePixels(max(0, free / 2))))
        var block = TextBlock(parts: [TextBlock.Part(layout: layout, pixelsPerPoint: pixelRatio, color: color)])
        block.alignment =
            switch label.textAlignment {
            case .natural: label.startsAtRight ? 1 : 0
            case .left: 0
            case .center: 0.5
            case .right: 1
            }
        let seen = InkBounds(x: clip.x - x, y: clip.y - y, width: clip.width, height: clip.height)
        let ink = fonts.ink(of: block, boxWidth: boxWidth, phase: 0).intersection(seen)
        guard !ink.isEmpty else { return }
        let bitmap = fonts.bitmap(of: block, boxWidth: boxWidth, phase: 0, in: ink)
        canvas.draw(bitmap, x: x + ink.x, y: y + ink.y, clip: clip)
    }
}

extension ContentFrame {
    fileprivate var hasBackground: Bool { backgroundColor.alpha > 0 }
}

extension LabelContent {
    /// Whether the label's alignment is natural, and its text begins from right to left.
    fileprivate var startsAtRight: Bool {
        textAlignment == .natural && TextDirection(ofFirstLetterIn: text) == .rightToLeft
    }
}

extension Bitmap {
    /// Adds the tint and multiplies by the opacity, in the order of the sprite shader.
    fileprivate mutating func apply(_ look: ImageLook) {
        let tint = Tint(look.tint)
        let alpha = Int((look.alpha * 255).rounded())
        guard tint != .none || alpha < 255 else { return }
        let added = [Int(tint.red), Int(tint.green), Int(tint.blue)]
        withUnsafeMutablePixels { pixels in
            for start in stride(from: 0, to: pixels.count, by: 4) {
                let opacity = Int(pixels[start + 3])
                for channel in 0..<3 {
                    let sum = min(opacity, Int(pixels[start + channel]) + (added[channel] * opacity + 127) / 255)
                    pixels[start + channel] = UInt8((sum * alpha + 127) / 255)
                }
                pixels[start + 3] = UInt8((opacity * alpha + 127) / 255)
            }
        }
    }
}

extension PixelRect {
    var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension OverlayContent {
    /// Throws unless a size is within a limit.
    /// - Parameter what: The subject of the error's sentence.
    static func check(width: Double, height: Double, limit: Double, _ path: String, _ what: String = "the content") throws(PropertyError) {
        guard width >= 0, height >= 0, width <= limit, height <= limit else {
            throw PropertyError(
                path: path,
                problem: "\(what) is \(plain(width)) × \(plain(height)) pt, but at most \(plain(limit)) × \(plain(limit)) are allowed")
        }
    }
}
