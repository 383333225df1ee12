import WaymarkScene

/// What a picture may cost, for scenes of strangers.
struct JobLimits: Equatable, Sendable {
    /// The most device pixels of a picture; nil for as many as there is memory for.
    var pixels: Int?
    /// The most overlays of a map, with those in containers, the points of cluster layers and symbols; nil for any number.
    var overlays: Int?
}

extension JobLimits {
    /// Throws for a map that exceeds a limit, with its key path.
    func check(_ mapView: MapView) throws(JobError) {
        if let overlays {
            let count = mapView.thingCount
            guard count <= overlays else {
                throw JobError(
                    path: "overlays", problem: "\(count) overlays and symbols are more than the \(overlays) that a scene may have here")
            }
        }
        // Drawing reports an invalid size.
        if let pixels, let viewport = try? mapView.viewport() {
            let (width, height) = (viewport.deviceWidth, viewport.deviceHeight)
            guard width * height <= pixels else {
                let size = "\(width) × \(height) device pixels, \(width * height) in all,"
                throw JobError(path: "size", problem: "\(size) are more than the \(pixels) that a picture may have here")
            }
        }
    }
}

extension MapView {
    /// The number of everything that may be drawn.
    fileprivate var thingCount: Int {
        let points = journal.layerSlots.reduce(0) { $0 + ((journal.slots[Int($1)] as? ClusterLayer)?.count ?? 0) }
        return journal.count + points + symbols.count + viewOverlays.count
    }
}
