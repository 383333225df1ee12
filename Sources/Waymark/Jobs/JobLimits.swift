import WaymarkScene

/// Limits for the pictures of untrusted scenes. The limit on overlays is an option for reading scenes instead.
package struct JobLimits: Equatable, Sendable {
    /// The maximum number of device pixels of a picture; nil for no limit except memory.
    var pixels: Int?

    package init(pixels: Int? = nil) { self.pixels = pixels }
}

extension JobLimits {
    /// Throws for a map that exceeds a limit, with its key path.
    func check(_ mapView: MapView) throws(Failure) {
        // Drawing reports an invalid size.
        if let pixels, let viewport = try? mapView.viewport() {
            let (width, height) = (viewport.deviceWidth, viewport.deviceHeight)
            guard width * height <= pixels else {
                let size = "\(width) × \(height) device pixels, \(width * height) in all,"
                throw Failure(path: "size", problem: "\(size) exceed the limit of \(pixels)")
            }
        }
    }
}
