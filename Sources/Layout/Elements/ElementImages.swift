import WaymarkGeo
import WaymarkScene

/// The images, from the last picture, of those elements of a map that the camera does not change.
final class ElementImages {
    /// An element, with the data from which its image is made.
    enum Fixed: Equatable {
        case title(TitleElement)
        case legend(LegendElement, MapScale)
        case image(ImageElement)
        case text(TextElement)
    }

    /// Everything that an image depends on.
    struct Key: Equatable {
        let element: Fixed
        let limit: PointSize
        let theme: ThemeDefaults
        let pixelRatio: Double
        /// See ``ContentImages/generation``.
        let generation: Int
    }

    private var known: [Int: (key: Key, image: ContentImage)] = [:]

    /// The image of an element that has not changed.
    /// - Parameter index: The index of the element.
    func image(_ key: Key, at index: Int) -> ContentImage? {
        guard let found = known[index], found.key == key else { return nil }
        return found.image
    }

    func keep(_ image: ContentImage, _ key: Key, at index: Int) { known[index] = (key, image) }

    /// Evicts everything.
    func removeAll() { known = [:] }

    /// Forgets all elements except the first `count`.
    func keep(first count: Int) {
        guard known.count > count else { return }
        known = known.filter { $0.key < count }
    }
}

extension MapElement {
    /// The element with the data from which its image is made; nil if the camera changes it, or if its legend shows no scale.
    func fixed(_ scales: (Legend) throws(PropertyError) -> MapScale) -> ElementImages.Fixed? {
        switch self {
        case .title(let title): .title(title)
        case .legend(let element): (try? scales(element.legend)).map { .legend(element, $0) }
        case .image(let element): .image(element)
        case .text(let element): .text(element)
        case .scaleBar, .northArrow, .inset: nil
        }
    }
}
