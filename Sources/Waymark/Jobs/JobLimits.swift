import WaymarkScene

/// What a picture may cost, for scenes of strangers; how many overlays a scene may have is among the options of reading it.
struct JobLimits: Equatable, Sendable {
    /// The most device pixels of a picture; nil for as many as there is memory for.
    var pixels: Int?
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
