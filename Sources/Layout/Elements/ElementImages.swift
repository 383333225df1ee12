import WaymarkGeo
import WaymarkScene

/// The images of the elements of a map that the camera does not change, from the last picture.
final class ElementImages {
    /// An element, and what its image is made from.
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

    /// Forgets elements beyond a number of them.
    func keep(first count: Int) {
        guard known.count > count else { return }
        known = known.filter { $0.key < count }
    }
}

extension MapElement {
    /// The element with what its image is made from; nil if the camera changes it, or if its legend shows no scale.
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
