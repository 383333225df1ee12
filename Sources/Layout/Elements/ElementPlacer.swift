import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Places the elements of a map at the edges of the picture, so that none of them touches another one or the credits.
struct ElementPlacer {
    private let viewport: Viewport
    private let theme: ThemeDefaults
    private let scales: (Legend) throws(PropertyError) -> MapScale
    private let resources: MapResources
    /// The pictures of insets; nil inside an inset, which cannot contain others.
    private let insets: InsetPictures?
    private let isForPicking: Bool
    /// The part of the picture inside the camera's content inset, in whole device pixels.
    private let free: PixelBox
    private var placed = PlacedElements()

    /// An element with its measured panel.
    private struct Measured {
        var element: ShownElement
        var width: Double
        var height: Double
        var margins: PixelMargins
    }

    /// The elements of a map in a picture.
    /// - Parameter credits: The image of the base map's credits at the lower right; nil without any.
    /// - Parameter insets: The pictures of insets; nil inside an inset.
    static func place(
        _ mapView: MapView, _ viewport: Viewport, credits: FrameImage?, isForPicking: Bool, _ resources: MapResources,
        _ insets: InsetPictures?
    ) -> PlacedElements {
        let elements = mapView.shownElements
        insets?.keep(first: elements.count)
        resources.elements.keep(first: elements.count)
        guard !elements.isEmpty else { return PlacedElements() }
        guard !mapView.continuesBeyondEdges else {
            return PlacedElements(
                diagnostics: [
                    Diagnostic(path: "elements", message: "elements are not drawn on map tiles, because tiles must join without seams")
                ])
        }
        for map in mapView.insetMaps where map !== mapView { mapView.share(with: map) }
        var placer = ElementPlacer(mapView, viewport, isForPicking: isForPicking, resources, insets)
        if let credits, !credits.isEmpty { placer.placed.addCredits(credits, in: viewport) }
        var measured: [Measured] = []
        for (index, (element, path)) in zip(elements, mapView.shownElementPaths).enumerated() {
            if let one = placer.measured(element, index, path) { measured.append(one) }
        }
        var middles = placer.starts(measured)
        for one in measured { placer.place(one, &middles) }
        return placer.placed
    }

    private init(
        _ mapView: MapView, _ viewport: Viewport, isForPicking: Bool, _ resources: MapResources, _ insets: InsetPictures?
    ) {
        (self.viewport, self.resources, self.insets, self.isForPicking) = (viewport, resources, insets, isForPicking)
        theme = (mapView.theme ?? .light).defaults
        scales = { legend throws(PropertyError) in try mapView.scale(of: legend) }
        let (inset, ratio) = (viewport.camera.contentInset, viewport.pixelRatio)
        free = PixelBox(
            left: wholePixels(inset.left * ratio), top: wholePixels(inset.top * ratio),
            right: Double(viewport.deviceWidth) - wholePixels(inset.right * ratio),
            bottom: Double(viewport.deviceHeight) - wholePixels(inset.bottom * ratio))
    }
}

/// Margins in whole device pixels.
struct PixelMargins: Sendable {
    var top = 0.0
    var left = 0.0
    var bottom = 0.0
    var right = 0.0
}

extension PixelMargins {
    init(_ insets: EdgeInsets, pixelRatio ratio: Double) {
        (top, left) = (wholePixels(insets.top * ratio), wholePixels(insets.left * ratio))
        (bottom, right) = (wholePixels(insets.bottom * ratio), wholePixels(insets.right * ratio))
    }
}

extension ElementPlacer {
    /// Measures an element. If the element is not drawn, lists it with the reason and returns nil.
    private mutating func measured(_ element: MapElement, _ index: Int, _ path: String) -> Measured? {
        var shown = ShownElement(index: index, path: path, type: element.type, place: element.frame.place, name: element.name(scales))
        func at(_ error: PropertyError) -> String {
            let inner = error.path.hasPrefix(".") ? String(error.path.dropFirst()) : error.path
            let outer = if case .text = element { path + ".content" } else { path }
            return inner.isEmpty ? outer : "\(outer).\(inner)"
        }
        guard element.frame.isVisible else {
            placed.leaveOut(shown, .hidden)
            return nil
        }
        if let problem = element.firstProblem() {
            placed.leaveOut(
                shown, .invalid, Diagnostic(path: "\(path).\(problem.path)", message: "\(problem.problem); the element is not drawn"))
            return nil
        }
        let (frame, ratio) = (element.frame, viewport.pixelRatio)
        let margins = PixelMargins(frame.margins, pixelRatio: ratio)
        if case .inset(let inset) = element {
            do throws(PropertyError) {
                guard let insets else { throw PropertyError(path: "", problem: "an inset cannot contain another inset") }
                let camera = try insets.camera(of: inset, in: viewport)
                if !isForPicking { shown.inset = try insets.picture(of: inset, camera, number: index, in: viewport, theme, path) }
                placed.diagnostics += shown.inset?.diagnostics ?? []
                let edge = InsetEdge(inset, viewport)
                return Measured(element: shown, width: edge.outerWidth, height: edge.outerHeight, margins: margins)
            } catch {
                placed.leaveOut(shown, .invalid, Diagnostic(path: at(error), message: "\(error.problem); the element is not drawn"))
                return nil
            }
        }
        var context = ElementContext(viewport: viewport, theme: theme.readable(on: frame.backgroundColor), scales: scales)
        let border = 2 * (frame.borderWidth ?? (element.type.hasThemePanel ? theme.hairlineWidth : 0))
        func room(_ length: Double, _ taken: Double...) -> Double {
            min(max(0, length / ratio - border - taken.reduce(0, +)), OverlayContent.sideLimit)
        }
        context.limit = PointSize(
            width: room(free.right - free.left, frame.margins.left, frame.margins.right, frame.insets.left, frame.insets.right),
            height: room(free.bottom - free.top, frame.margins.top, frame.margins.bottom, frame.insets.top, frame.insets.bottom))
        func measured(_ image: ContentImage) -> Measured {
            shown.image = image.image
            if case .image(let element) = element {
                shown.alpha = Float(element.opacity)
                shown.advice = advice(element, path)
            }
            return Measured(element: shown, width: Double(image.image.width), height: Double(image.image.height), margins: margins)
        }
        let key = element.fixed(scales).map {
            ElementImages.Key(
                element: $0, limit: context.limit, theme: theme, pixelRatio: ratio, generation: resources.views.generation)
        }
        if let key, let image = resources.elements.image(key, at: index) { return measured(image) }
        do throws(PropertyError) {
            // Insets are the only elements without content.
            guard var content = try element.content(context) else { return nil }
            if let problem = content.firstProblem("") { throw problem }
            var paneled = element.paneled(content, theme)
            var image = try resources.view(.alone(paneled), "")
            if case .legend = element {
                // A title may have several lines, and some scripts have high lines. A legend with less room has more columns.
                let height = free.bottom - free.top - margins.top - margins.bottom
                var excess: Double { (Double(image.image.height) - height) / ratio }
                while excess > 0, context.excess < context.limit.height {
                    context.excess += max(excess, LegendStyle.rowSpacing)
                    guard let next = try element.content(context), next != content else { continue }
                    (content, paneled) = (next, element.paneled(next, theme))
                    image = try resources.view(.alone(paneled), "")
                }
            }
            let prefix = paneled == content ? "" : ".stack[0]"
            func stripped(_ error: PropertyError) -> PropertyError {
                PropertyError(
                    path: error.path.hasPrefix(prefix) ? String(error.path.dropFirst(prefix.count)) : error.path, problem: error.problem)
            }
            if case .image = element, let problem = image.problems.first { throw stripped(problem) }
            placed.diagnostics += image.problems(at: "").map { Diagnostic(path: at(stripped($0)), message: $0.problem) }
            if let key, image.problems.isEmpty, image.warnings.isEmpty { resources.elements.keep(image, key, at: index) }
            return measured(image)
        } catch {
            let inner = error.path.hasPrefix(".stack[0]") ? String(error.path.dropFirst(".stack[0]".count)) : error.path
            placed.leaveOut(
                shown, .empty,
                Diagnostic(path: at(PropertyError(path: inner, problem: "")), message: "\(error.problem); the element is not drawn"))
            return nil
        }
    }

    /// The advice about an image element with one automatic side, which distorts the image.
    private func advice(_ element: ImageElement, _ path: String) -> Diagnostic? {
        guard let natural = try? resources.naturalSize(of: element.image, "", isPiece: true),
            let side = DistortingSide(width: element.width, height: element.height, of: natural)
        else { return nil }
        return Diagnostic(path: "\(path).\(side.name)", message: side.advice(otherSide: max(element.width, element.height)))
    }

    /// The upper edge of the first element in the middle of the left edge, and of the right one: the elements of each are centered together.
    private func starts(_ measured: [Measured]) -> [ElementPlace: Double] {
        var starts: [ElementPlace: Double] = [:]
        for place in [ElementPlace.left, .right] {
            let column = measured.filter { $0.element.place == place }
            guard let first = column.first else { continue }
            var (height, bottom) = (first.height, first.margins.bottom)
            for next in column.dropFirst() {
                height += max(bottom, next.margins.top) + next.height
                bottom = next.margins.bottom
            }
            starts[place] = max(free.top + first.margins.top, wholePixels((free.top + free.bottom - height) / 2))
        }
        return starts
    }

    /// Places an element where it touches no earlier one, or lists it with the reason why it is not drawn.
    /// - Parameter starts: The upper edges at which elements in the middle of the left and the right edge start.
    private mutating func place(_ one: Measured, _ starts: inout [ElementPlace: Double]) {
        let (margins, shown) = (one.margins, one.element)
        let room = (
            left: free.left + margins.left, top: free.top + margins.top, right: free.right - margins.right,
            bottom: free.bottom - margins.bottom
        )
        guard one.width <= room.right - room.left, one.height <= room.bottom - room.top else {
            func points(_ pixels: Double) -> String { plain(max(0, (pixels / viewport.pixelRatio * 10).rounded(.down) / 10)) }
            let size = "\(points(one.width)) × \(points(one.height)) pt"
            let rest = "\(points(room.right - room.left)) × \(points(room.bottom - room.top)) pt"
            return placed.leaveOut(
                shown, .noRoom,
                Diagnostic(path: shown.path, message: "\(shown.type.phrase) measures \(size), but only \(rest) are free; it is not drawn"))
        }
        let left =
            switch shown.place {
            case .topLeft, .left, .bottomLeft: room.left
            case .top, .bottom: min(max(room.left, wholePixels((free.left + free.right - one.width) / 2)), room.right - one.width)
            case .topRight, .right, .bottomRight: room.right - one.width
            }
        let isFromBottom = [.bottomLeft, .bottom, .bottomRight].contains(shown.place)
        var box = PixelBox(left: left, top: room.top, right: left + one.width, bottom: room.top + one.height)
        func move(to top: Double) { (box.top, box.bottom) = (top, top + one.height) }
        if isFromBottom { move(to: room.bottom - one.height) } else if let start = starts[shown.place] { move(to: start) }
        while let next = placed.top(of: box, margins, isFromBottom: isFromBottom) { move(to: next) }
        guard box.top >= room.top, box.bottom <= room.bottom else {
            return placed.leaveOut(
                shown, .noRoom,
                Diagnostic(
                    path: shown.path, message: "there is no room for \(shown.type.phrase) at \(shown.place.rawValue); it is not drawn"))
        }
        if shown.type == .scaleBar {
            let middle = (box.top + box.bottom) / 2 / viewport.pixelRatio
            let error = ScaleBarElement.error(in: viewport, atHeight: middle)
            guard error <= ScaleBarElement.allowedError else {
                let share = error.isFinite ? "by \(Int((error * 100).rounded()))%" : "by an unlimited amount"
                return placed.leaveOut(
                    shown, .tilted,
                    Diagnostic(
                        path: shown.path,
                        message: "the scale bar is not drawn, because a tilt of \(plain(viewport.camera.tilt))° makes it wrong \(share); "
                            + "at most 10% is allowed"))
            }
        }
        placed.add(shown, box, margins)
        if starts[shown.place] != nil { starts[shown.place] = box.bottom }
    }
}

extension ThemeDefaults {
    /// The minimum opacity of a background that determines the color of a text on it.
    private static let leastAlpha = 0.5

    /// This theme, or the light or dark theme if this theme's texts are hard to read on the background.
    fileprivate func readable(on background: Color?) -> ThemeDefaults {
        guard let background, background.alpha >= Self.leastAlpha, background.isPale == text.isPale else { return self }
        return (background.isPale ? MapTheme.light : .dark).defaults
    }
}

extension Color {
    /// Whether black is easier to see on the color than white. This uses the weights of sRGB's luminance (IEC 61966-2-1) without its
    /// curve.
    fileprivate var isPale: Bool { 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 }
}
