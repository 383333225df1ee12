import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTiles

/// The pictures of a map's insets. As long as an inset's picture does not change, its image keeps its key, so that its pixels are drawn
/// only once.
final class InsetPictures {
    /// The last frame of each inset, by the index of the element.
    private var known: [Int: (frame: Frame, image: FrameImage)] = [:]
    /// The time for the tiles of the picture that is being laid out.
    var deadline = TileDeadline(seconds: TileDeadline.usualSeconds)
    /// The caches of the main map. Those of the insets are in the same budget.
    private let caches: LayoutCaches

    init(_ caches: LayoutCaches) {
        self.caches = caches
    }

    /// The camera of an inset.
    /// - Parameter main: The view of the main map.
    /// - Throws: If the inset cannot be laid out with it.
    func camera(of inset: InsetElement, in main: Viewport) throws(PropertyError) -> Camera {
        let composer = Composer.of(inset.map)
        guard !composer.isPlacing else { throw Self.reentered }
        var camera = inset.map.camera
        if let fit = inset.fit {
            camera = try composer.camera(fitting: fit, on: inset.map, pixelRatio: main.pixelRatio) ?? main.camera.surroundings
        }
        _ = try Viewport(camera: camera, size: inset.map.pointSize, pixelRatio: main.pixelRatio)
        return camera
    }

    private static let reentered = PropertyError(path: "", problem: "an inset cannot show the map that contains it")

    /// Lays out an inset.
    /// - Parameters:
    ///   - camera: The camera of the inset.
    ///   - number: The index of the element.
    ///   - main: The view of the main map.
    ///   - path: The key path of the element.
    /// - Throws: `PropertyError` if the inset cannot be laid out.
    func picture(
        of inset: InsetElement, _ camera: Camera, number: Int, in main: Viewport, _ theme: ThemeDefaults, _ path: String
    ) throws(PropertyError) -> InsetPicture {
        let composer = Composer.of(inset.map)
        composer.caches.move(toBudgetOf: caches)
        let placement: Placement
        do throws(PlacementError) {
            placement = try composer.placeInset(inset.map, camera: camera, pixelRatio: main.pixelRatio, deadline)
        } catch {
            switch error {
            case .range(let error): throw error
            case .fonts(let error): throw PropertyError(path: "", problem: error.description)
            case .reentered: throw Self.reentered
            }
        }
        let view = placement.viewport
        var frame = placement.frame
        if frame.background.alpha == 0 { frame.background = inset.backgroundColor ?? theme.background }
        let edge = InsetEdge(inset, main)
        var picture = InsetPicture(
            image: image(of: frame, number: number), edge: edge, borderColor: inset.borderColor ?? theme.secondaryText,
            panelColor: inset.backgroundColor ?? theme.panel)
        let color = inset.extentColor ?? theme.accent
        switch inset.extent {
        case .inset: picture.extent = ExtentOutline(of: main, on: view, color: color, casing: theme.halo, isFilled: true)
        case .map: picture.extentOnMap = ExtentOutline(of: view, on: main, color: color, casing: theme.halo, isFilled: false)
        case .none: break
        }
        picture.diagnostics = placement.diagnostics.map { $0.within(path) }
        return picture
    }

    private func image(of frame: Frame, number: Int) -> FrameImage {
        if let last = known[number], last.frame.isSame(as: frame) { return last.image }
        let image = FrameImage(key: OverlayImage.nextTextureKey(), name: "inset", frame: frame)
        known[number] = (frame, image)
        return image
    }

    /// Forgets the pictures of elements that the map no longer has.
    func keep(first count: Int) {
        if !known.isEmpty { known = known.filter { $0.key < count } }
    }
}

extension Camera {
    /// A view of the surroundings: the same center, at a much lower zoom.
    fileprivate var surroundings: Camera { Camera(center: center, zoom: max(0, zoom - 5)) }
}
