import WaymarkGeo
import WaymarkScene

/// Points of a cluster layer, whose property "n" is their index. Every seventh is hidden if asked for, and some are not fitted.
final class PointSource: ClusterSource {
    let points: ClusterPoints
    private let hasHidden: Bool
    private let unfitted: Set<Int>
    /// The properties that were read.
    private(set) var reads: [[String]] = []

    init(_ places: [LatLng], hasHidden: Bool = false, unfitted: Set<Int> = []) {
        points = ClusterPoints(lats: places.map(\.lat), lngs: places.map(\.lng), id: { "p\($0)" })
        (self.hasHidden, self.unfitted) = (hasHidden, unfitted)
    }

    var count: Int { points.lats.count }
    var hasEqualVisibilities: Bool { !hasHidden && unfitted.isEmpty }

    func makeMarker(_ index: Int) -> Marker {
        let marker = Marker(position: points.position(index))
        marker.id = points.id(index)
        marker.userInfo["n"] = index
        (marker.isHidden, marker.isFitted) = (visibility(index).isHidden, visibility(index).isFitted)
        return marker
    }

    func visibility(_ index: Int) -> PointVisibility {
        PointVisibility(isHidden: hasHidden && index % 7 == 3, isFitted: !unfitted.contains(index))
    }

    func values(of properties: [String]) -> [ClusterValues] {
        reads.append(properties)
        return properties.map { property in
            var values = ClusterValues()
            for index in 0..<count { values.append(property == "n" ? Double(index) : nil) }
            return values
        }
    }

    func nearestProperty(to name: String) -> String? { nil }
    func index(ofID id: String) -> Int? { Int(id.dropFirst()) }
}
