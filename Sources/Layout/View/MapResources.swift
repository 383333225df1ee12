import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The resources that the overlays of a map share while they are read: images, views, fonts, and the pixel ratio for which they are
/// prepared. The images are evicted as a whole. After that, the images of all overlays are read again.
final class MapResources: BudgetedCache {
    let fonts: MapFonts
    /// The views shown as icons, view overlays and info windows.
    let views = ContentImages()
    /// The map elements that the camera does not change.
    let elements = ElementImages()
    // Unchecked, because it is read for every marker.
    @exclusivity(unchecked) private(set) var images: ImageCatalog
    /// The first problem of each image that is a view, or its first warning if it has no problem, by the image's texture key. Paths are
    /// relative to the property that holds the image.
    // Unchecked, because it is read for every marker.
    @exclusivity(unchecked) private var viewProblems: [UInt64: ImageProblem] = [:]
    private(set) var pixelRatio = 0.0
    /// The defaults of the map's theme; nil without a theme.
    // Unchecked, because it is read for every marker.
    @exclusivity(unchecked) private(set) var theme: ThemeDefaults?
    /// The settings on which the theme depends.
    private var appearance: (theme: MapTheme?, showsLand: Bool) = (nil, false)
    /// Whether the images were evicted since the last update.
    private var areImagesEvicted = false
    private(set) var keptBytes = 0
    private var lastUse: UInt64 = 0
    /// The number of the picture that first filled this cache.
    private var firstUse: UInt64 = 0

    /// The number of bytes beyond which most of the images are probably no longer used by any overlay.
    private static let mostInUse = 8 << 20

    init() {
        fonts = MapFonts()
        images = ImageCatalog(ImageFinder(folders: [], pixelRatio: 1), fonts)
    }

    var oldestUse: UInt64? { keptBytes == 0 ? nil : keptBytes > Self.mostInUse ? firstUse : lastUse }

    func evict(through picture: UInt64, bytes: Int) {
        guard let oldestUse, oldestUse <= picture, bytes > 0 else { return }
        images = ImageCatalog(images.finder, fonts)
        viewProblems = [:]
        views.removeAll()
        elements.removeAll()
        areImagesEvicted = true
        keptBytes = 0
    }

    /// Updates the byte count after use.
    func noteUse() {
        lastUse = PictureClock.now
        if keptBytes == 0 { firstUse = lastUse }
        keptBytes = images.byteCount + views.byteCount
    }

    /// Applies the map's settings. Returns the properties of all overlays that must be read again.
    func update(_ mapView: MapView, pixelRatio: Double) -> ChangedProperties {
        let finder = ImageFinder(folders: mapView.imageFolders, pixelRatio: pixelRatio)
        let isFoundElsewhere = finder != images.finder
        let hasOtherFonts = fonts.source != mapView.fontSource
        let areTextsChanged = fonts.update(language: mapView.language, source: mapView.fontSource)
        let appearance = (theme: mapView.theme, showsLand: mapView.showsLand)
        let isThemeChanged = appearance != self.appearance
        (self.appearance, theme) = (appearance, mapView.themeDefaults)
        // Icons are rasterized for the pixel ratio.
        var areIconsChanged = pixelRatio != self.pixelRatio || areImagesEvicted
        if isFoundElsewhere || areTextsChanged || isThemeChanged, views.forget() {
            images.removeIcons()
            viewProblems = [:]
            areIconsChanged = true
        }
        if isFoundElsewhere, images.find(with: finder) { areIconsChanged = true }
        if hasOtherFonts, images.removeLetters() { areIconsChanged = true }
        if pixelRatio != self.pixelRatio { images.removeIcons() }
        self.pixelRatio = pixelRatio
        areImagesEvicted = false
        if isThemeChanged { return [.icon, .style, .caption] }
        return (areIconsChanged ? ChangedProperties.icon : []).union(areTextsChanged ? .caption : [])
    }
}

extension MapResources {
    /// The icon of an image at a size in pt, where 0 on an axis means the image's own size; nil for an empty image.
    /// - Parameter path: The property that holds the image, for the error.
    /// - Throws: `PropertyError` if the image cannot be loaded.
    func icon(
        _ image: OverlayImage, _ path: String, width: Double, height: Double, _ pose: IconPose
    ) throws(PropertyError) -> ImageCatalog.Icon? {
        let key = ImageCatalog.IconKey(image: image.textureKey, width: width, height: height, pixelRatio: pixelRatio, pose: pose)
        if let known = images.icon(key) { return known }
        return try images.makeIcon(key, of: content(of: image, path, pixelRatio: pixelRatio), image, path)
    }

    /// The own size of an image in pt; nil when it is empty or cannot be loaded.
    /// - Parameters:
    ///   - path: The property that holds the image, for the error.
    ///   - isPiece: Whether it is shown as a piece of content.
    func naturalSize(
        of image: OverlayImage, _ path: String, isPiece: Bool = false
    ) throws(PropertyError) -> (width: Double, height: Double)? {
        images.naturalSize(of: try content(of: image, path, pixelRatio: pixelRatio, isPiece: isPiece))
    }

    /// An image as a piece of content at a size in pt; see `icon`. It is not cached as an icon, because contents are cached as a whole.
    func piece(
        _ image: OverlayImage, _ path: String, width: Double, height: Double, pixelRatio: Double
    ) throws(PropertyError) -> ImageCatalog.Icon? {
        let content = try content(of: image, path, pixelRatio: pixelRatio, isPiece: true)
        return try images.icon(of: content, path, width: width, height: height, pixelRatio: pixelRatio, .upright)
    }

    /// An image as a texture at its full resolution, regardless of its scale and the pixel ratio; see `ImageCatalog.texture`.
    func texture(_ image: OverlayImage, _ path: String) throws(PropertyError) -> (raster: Int32, isOpaque: Bool)? {
        let content = try content(of: image, path, pixelRatio: 1)
        return try images.texture(content, path)
    }

    /// A ground image as a texture with reduced copies; nil for an empty image.
    /// - Throws: `PropertyError` if the image cannot be loaded.
    func groundImage(_ image: OverlayImage, _ path: String) throws(PropertyError) -> Int32? {
        let content = try content(of: image, path, pixelRatio: 1)
        return try images.groundImage(content, path)
    }

    /// A measured view, whose pixels are rendered when a frame first shows them.
    /// - Parameter path: The property that holds the view, for the error.
    /// - Throws: `PropertyError` if the view cannot be drawn, or is empty or too large.
    func view(_ form: ContentForm, _ path: String) throws(PropertyError) -> ContentImage {
        try views.image(form, path, pixelRatio: pixelRatio, self)
    }

    private func content(
        of image: OverlayImage, _ path: String, pixelRatio: Double, isPiece: Bool = false
    ) throws(PropertyError) -> ImageCatalog.Content {
        guard case .content(let view) = image.source else { return images.content(of: image, isPiece: isPiece) }
        let measured = try views.image(.alone(view), path, pixelRatio: pixelRatio, self)
        let problem =
            measured.problems.first.map { ImageProblem($0, instead: ContentImage.withoutProblem, isOfView: true) }
            ?? measured.warnings.first.map { ImageProblem($0, instead: nil, isOfView: true) }
        if problem != nil || !viewProblems.isEmpty { viewProblems[image.textureKey] = problem }
        return images.content(showing: measured)
    }

    /// The first part that cannot be drawn, or else the first warning, of an image that is a view and was requested as an icon or a
    /// texture. The rest of the view is drawn.
    /// - Parameter path: The property that holds the image.
    func problem(ofView image: OverlayImage, _ path: @autoclosure () -> String) -> ImageProblem? {
        guard !viewProblems.isEmpty else { return nil }
        return viewProblems[image.textureKey]?.within(path())
    }
}

/// The fonts of a map, opened when the first text needs them, or the reason why they could not be opened.
final class MapFonts {
    private(set) var language = ""
    private(set) var source: FontSource?
    private var opened: Result<FontLibrary, FontError>?

    /// Applies the settings. Returns whether texts must be measured again.
    fileprivate func update(language: String, source: FontSource) -> Bool {
        guard language != self.language || source != self.source else { return false }
        (self.language, self.source, opened) = (language, source, nil)
        return true
    }

    /// Opens the fonts if necessary; nil when that fails.
    func open() -> FontLibrary? {
        guard let source else { return nil }
        let result = opened ?? Result { () throws(FontError) in try FontLibrary.of(source) }
        opened = result
        return try? result.get()
    }

    /// The fonts if they have been opened.
    var known: FontLibrary? { try? opened?.get() }

    /// The reason why the fonts could not be opened.
    var error: FontError? {
        guard case .failure(let error)? = opened else { return nil }
        return error
    }
}
