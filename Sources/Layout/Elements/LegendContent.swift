import WaymarkGeo
import WaymarkScene

extension Legend {
    func content(of scale: MapScale, theme: ThemeDefaults, limit: PointSize) -> OverlayContent? { nil }
}

extension MapView {
    func scale(of legend: Legend) throws(PropertyError) -> MapScale {
        guard let first = scales.first else { throw PropertyError(path: "", problem: "the map has no scale") }
        return first
    }
}
