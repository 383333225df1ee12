import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// An element of a picture. Lengths are in device pixels.
struct ShownElement: Sendable {
    /// The index among the map's elements.
    var index: Int
    /// The key path of the element.
    var path: String
    var type: ElementType
    var place: ElementPlace
    /// A readable name.
    var name: String
    /// The panel with its content; nil for an inset.
    var image: FrameImage?
    var alpha: Float = 1
    var inset: InsetPicture?
    /// The box in whole pixels; nil if the element is not drawn.
    var box: PixelBox?
    /// The reason why the element is not drawn.
    var reason: Inspection.ElementReason?
    /// A warning about an image that is drawn as requested, but is distorted.
    var advice: Diagnostic?
}

/// The elements of one picture.
struct PlacedElements: Sendable {
    /// All elements, in the order of the map.
    private(set) var elements: [ShownElement] = []
    /// Problems, and everything that is left out.
    var diagnostics: [Diagnostic] = []
    /// The boxes that are taken, with the margins around them: those of the elements, and of the credits.
    private var taken: [(box: PixelBox, margins: PixelMargins)] = []

    init(diagnostics: [Diagnostic] = []) {
        self.diagnostics = diagnostics
    }

    /// The boxes of the elements that are drawn.
    var boxes: [PixelBox] { elements.compactMap(\.box) }

    /// The warnings about images that are drawn as requested, but are distorted.
    var advice: [Diagnostic] { elements.filter { $0.box != nil }.compactMap(\.advice) }
}

extension PlacedElements {
    /// Keeps the credits clear, which are at the lower right.
    mutating func addCredits(_ image: FrameImage, in viewport: Viewport) {
        let (right, bottom) = (Double(viewport.deviceWidth), Double(viewport.deviceHeight))
        let box = PixelBox(left: right - Double(image.width), top: bottom - Double(image.height), right: right, bottom: bottom)
        taken.append((box, PixelMargins()))
    }

    mutating func add(_ element: ShownElement, _ box: PixelBox, _ margins: PixelMargins) {
        var element = element
        element.box = box
        insert(element)
        taken.append((box, margins))
    }

    mutating func leaveOut(_ element: ShownElement, _ reason: Inspection.ElementReason, _ diagnostic: Diagnostic? = nil) {
        var element = element
        element.reason = reason
        insert(element)
        if let diagnostic { diagnostics.append(diagnostic) }
    }

    private mutating func insert(_ element: ShownElement) {
        let place = elements.firstIndex { $0.index > element.index } ?? elements.count
        elements.insert(element, at: place)
    }

    /// The upper edge to which a box must move to pass the first taken box that it touches; nil if it touches none.
    /// - Parameters:
    ///   - margins: The margins around the box. Between two boxes, the larger of their margins is kept free.
    ///   - isFromBottom: Whether the box moves up instead of down.
    func top(of box: PixelBox, _ margins: PixelMargins, isFromBottom: Bool) -> Double? {
        for (other, theirs) in taken {
            let (above, below) = (max(theirs.bottom, margins.top), max(theirs.top, margins.bottom))
            guard box.left < other.right + max(theirs.right, margins.left), box.right > other.left - max(theirs.left, margins.right),
                box.top < other.bottom + above, box.bottom > other.top - below
            else { continue }
            return isFromBottom ? other.top - below - (box.bottom - box.top) : other.bottom + above
        }
        return nil
    }

    /// Draws the elements above the contents of a frame.
    func add(to frame: inout Frame) {
        for element in elements where element.box != nil { element.inset?.extentOnMap?.add(to: &frame) }
        for element in elements {
            guard let box = element.box else { continue }
            if let inset = element.inset {
                inset.add(to: &frame, in: box)
            } else if let image = element.image {
                frame.add(image, x: Int(box.left), y: Int(box.top), alpha: element.alpha)
            }
        }
    }
}

extension PlacedElements {
    func entries(_ viewport: Viewport) -> [Inspection.ElementEntry] {
        elements.map { element in
            Inspection.ElementEntry(
                id: ElementObject.id(element.type, index: element.index), type: element.type, place: element.place,
                isVisible: element.box != nil, reason: element.reason,
                rect: element.box.map { Inspection.Rect($0, pixelRatio: viewport.pixelRatio) })
        }
    }

    /// The hits of elements at a point of the picture.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        elements.compactMap { element in
            guard let box = element.box, pass.isHit(box) else { return nil }
            return hit(element)
        }
    }

    /// The areas of the picture in which elements can be picked.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        elements.compactMap { element in element.box.flatMap { pass.area(hit(element), [$0.corners]) } }
    }

    private func hit(_ element: ShownElement) -> PlacedHit {
        PlacedHit(
            target: .element(element.index), part: .element, isVisible: true,
            order: PickOrder(rank: .max, tier: PickOrder.aboveOverlays, within: Int64(element.index)))
    }
}

extension Placement {
    /// The type and the readable name of the element with an index; nil if there is none.
    package func element(_ index: Int) -> (type: ElementType, name: String)? {
        elements.elements.first { $0.index == index }.map { ($0.type, $0.name) }
    }
}

extension Frame {
    /// Adds an image above everything, with its upper left at a whole device pixel.
    mutating func add(_ image: FrameImage, x: Int, y: Int, alpha: Float = 1) {
        guard !image.isEmpty else { return }
        sprites.append(Sprite(x: x, y: y, width: image.width, height: image.height, alpha: alpha, image: images.count))
        images.append(image)
        join(.sprites(sprites.count - 1..<sprites.count, .nearest))
    }
}
