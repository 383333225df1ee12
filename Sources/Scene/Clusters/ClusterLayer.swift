import WaymarkGeo

/// The method by which a cluster layer groups its markers.
public enum ClusterStrategy: Hashable, Sendable {
    /// A grid divides the world into cells, and the markers in a cell form a cluster. The grid is fixed to the world.
    /// `ClusterLayer.cellSize` is the size of a cell. Adding or removing a marker takes microseconds.
    case grid
    /// The markers within `radius` of a marker form a cluster with that marker. The unit of `radius` is the layer's `gridUnit`. Clustering
    /// starts at the highest zoom level. Each lower level combines the clusters and markers of the next higher level, from north to south.
    /// This is the method of Mapbox's supercluster. Whenever a marker is added, removed, moved, shown or hidden, the whole layer is
    /// clustered again.
    case hierarchical(radius: Double)
}

/// The unit of a cluster layer's cell size and radius.
public enum ClusterGridUnit: String, Sendable, CaseIterable {
    /// The unit is pt. Pictures with different pixel ratios show the same clusters.
    case points
    /// The unit is device pixels. Pictures with higher pixel ratios show more and smaller clusters.
    case devicePixels
}

/// A group of markers. Depending on the zoom, nearby markers are shown as one cluster.
///
/// Markers in the layer are not added to the map separately. A marker that is hidden, or outside its own zoom range, belongs to no cluster.
/// A visible marker that is in no cluster is drawn as an ordinary marker. At zooms outside the layer's `minZoom`…`maxZoom`, no markers are
/// clustered. While the layer is hidden, and at its `hiddenZooms`, neither its markers nor its clusters are shown. Clusters have the
/// layer's `mapLayerType`, `globalZIndex` and `zIndex`. Markers that are shown individually keep their own values, but the layer's `zIndex`
/// is compared before theirs.
public final class ClusterLayer: Overlay {
    /// The markers added to the layer, and the log of their changes.
    package let members = OverlayStore()
    /// Points that become markers when they are shown individually or requested. In the numbering of markers, these points precede
    /// `members`.
    package private(set) var source: (any ClusterSource)?
    /// For each point of `source` that has become a marker, the marker's slot in `members`. `pointsOfSlots` is the reverse.
    package private(set) var slotsOfPoints: [Int32: Int32] = [:]
    private var pointsOfSlots: [Int32: Int32] = [:]
    /// The points of `source` that were removed, as a set and in the order of their removal.
    package private(set) var removedPoints: Set<Int32> = []
    package private(set) var removals: [Int32] = []
    /// The number of times that `source` was changed.
    package private(set) var sourceCount = 0
    /// The method of clustering. Default `grid`.
    public var strategy = ClusterStrategy.grid { didSet { note(.geometry) } }
    /// The width and height of a cell of the grid, in `gridUnit`, valid in 16…1024. Default 80.
    public var cellSize = 80.0 { didSet { note(.geometry) } }
    /// The unit of `cellSize` and `radius`. Default `points`.
    public var gridUnit = ClusterGridUnit.points { didSet { note(.geometry) } }
    /// Whether overlapping clusters and lone markers are merged into one cluster. After merging, clusters rarely cover each other's
    /// numbers. If this is false, the clusters that `strategy` forms are not changed. Default true.
    ///
    /// Discs are compared as if they lay flat on the ground at the camera's zoom. The result therefore does not depend on the center, the
    /// bearing or the tilt. A lone marker counts as a disc around its position, as wide as its icon, rounded to whole pt. For points from a
    /// file, the width of the first point's icon is used for all points. Discs wider than 1,000 pt are treated as 1,000 pt wide.
    ///
    /// Two discs overlap if they share more than a quarter of the smaller disc's width. A cluster or lone marker joins the largest neighbor
    /// that it overlaps, unless that neighbor itself overlaps a larger neighbor. The largest neighbor is the one with the most markers.
    /// Among equal counts, it is the one with the lowest column and then the lowest row of the grid. Neighbors are always in adjacent
    /// cells, also across ±180°. With `ClusterStrategy.hierarchical`, all discs are compared instead. The northernmost cluster then counts
    /// as the largest among equal counts.
    ///
    /// Merging is a single step. In a chain of at least three overlapping discs, some may stay separate. A merged cluster has a new
    /// position and may be wider, so it may overlap others. A pin's head lies above the pin's position, and may cover the number of a
    /// cluster farther up. A marker with a negative `zIndex` is drawn beneath the clusters of its layer.
    public var mergesOverlapping = true { didSet { note(.geometry) } }
    /// The styles of clusters by count. Default nil: all clusters have the default style.
    public var theme: ClusterTheme? { didSet { note(.style) } }
    /// The names of properties for which clusters provide the sum, the minimum and the maximum. Clusters always provide these values for
    /// the properties in the theme's texts. A name is a key of the markers' `userInfo`, or a property of the features in a file. Default:
    /// none.
    public var properties: [String] = [] { didSet { note(.style) } }
    /// Refusals that no map has reported yet.
    private var refusals: [Diagnostic] = []

    /// Creates an empty layer.
    public init() {
        super.init(type: .clusterLayer, globalZIndex: Marker.defaultGlobalZIndex)
        members.clusterLayer = self
    }

    /// Creates a layer with the given markers, in order.
    public convenience init(_ markers: some Collection<Marker>) {
        self.init()
        add(markers)
    }

    deinit {
        members.close()
    }

    override func didEnter(_ mapView: MapView) {
        for refusal in refusals { mapView.report(refusal) }
        refusals = []
    }

    /// The valid values of `cellSize` and `radius`, in `gridUnit`.
    public static let cellSizeRange = 16.0...1024.0
}

extension ClusterLayer {
    /// The number of markers in the layer.
    public var count: Int { members.count + (source?.count ?? 0) - slotsOfPoints.count - removedPoints.count }

    /// The layer's markers, in the order in which they were added. If the layer was made from a file, reading this property creates a
    /// `Marker` for every point.
    public var markers: [Marker] { numbers.compactMap { marker(numbered: $0) } }

    /// The radius of `ClusterStrategy.hierarchical` in `gridUnit`, valid in 16…1024; nil with `ClusterStrategy.grid`.
    public var radius: Double? {
        get { if case .hierarchical(let radius) = strategy { radius } else { nil } }
        set { strategy = newValue.map { .hierarchical(radius: $0) } ?? .grid }
    }

    /// Adds a marker. A marker that is directly on a map moves into the layer.
    ///
    /// A marker is refused if it is already in this layer, in a different layer or in a container, if it has no position, or if its id is
    /// in use. In this case, a diagnostic of the next frame gives the reason.
    /// - Returns: Whether the marker was added.
    @discardableResult
    public func add(_ marker: Marker) -> Bool {
        if let problem = refusal(of: marker) { return refuse(marker, path: marker.isPlaceless ? "position" : nil, problem) }
        insert(marker)
        return true
    }

    /// Adds markers in order. If some markers have no position, a single diagnostic reports how many there are.
    /// - Returns: Whether all markers were added.
    @discardableResult
    public func add(_ markers: some Collection<Marker>) -> Bool {
        members.reserve(markers.count)
        var placeless = 0
        var areAllAdded = true
        for marker in markers {
            if marker.isPlaceless, marker.clusterLayer == nil, marker.parent == nil {
                placeless += 1
            } else if !add(marker) {
                areAllAdded = false
            }
        }
        guard placeless > 0 else { return areAllAdded }
        let what = placeless == 1 ? "a marker was not added, because it has" : "\(placeless) markers were not added, because they have"
        report(Diagnostic(path: "position", id: id ?? type.rawValue, message: "\(what) no position"))
        return false
    }

    /// Removes a marker. If the marker is not in this layer, nothing changes, and a diagnostic of the next frame reports it.
    /// - Returns: Whether the marker was removed.
    @discardableResult
    public func remove(_ marker: Marker) -> Bool {
        guard marker.store === members else { return refuse(marker, "not removed from \(label), because the marker is not there") }
        if let point = pointsOfSlots.removeValue(forKey: marker.slot) {
            slotsOfPoints[point] = nil
            removedPoints.insert(point)
            removals.append(point)
        }
        members.remove(marker)
        return true
    }

    /// Removes several markers.
    /// - Returns: Whether all markers were in the layer.
    @discardableResult
    public func remove(_ markers: some Sequence<Marker>) -> Bool {
        markers.reduce(true) { remove($1) && $0 }
    }

    /// Removes all markers. If this closes an info window, the map's delegate and observers are notified after all markers have been
    /// removed.
    public func removeAll() { replaceSource(with: nil, removing: members.slots.compactMap(\.self)) }
}

extension ClusterLayer {
    private func insert(_ marker: Marker) {
        marker.mapView?.remove(marker)
        members.insert(marker)
    }

    private func refusal(of marker: Marker) -> String? {
        if let layer = marker.clusterLayer {
            return layer === self
                ? "not added to \(label), because the marker is already there"
                : "not added to \(label), because the marker is in \(layer.label); remove it from there first"
        }
        if let parent = marker.parent {
            return "not added to \(label), because the marker is in \(parent.label); remove it from there first"
        }
        if marker.isPlaceless { return "not added to \(label), because the marker has no position" }
        if let id = marker.givenID, isTaken(id, by: marker) {
            return "not added to \(label), because another overlay has this id"
        }
        return nil
    }

    /// Whether another marker of the layer, or an overlay on its map, has the given id.
    private func isTaken(_ id: String, by marker: Marker) -> Bool {
        if let other = overlay(withID: id), other !== marker, !other.hasMadeUpID { return true }
        guard let map = store?.mapView, let other = map.store.holder(ofID: id) else { return false }
        return other !== marker && !other.hasMadeUpID
    }

    private func refuse(_ marker: Marker, path: String? = nil, _ message: String) -> Bool {
        report(Diagnostic(path: path, id: marker.id ?? marker.type.rawValue, message: message))
        return false
    }

    private func report(_ diagnostic: Diagnostic) {
        if let mapView { mapView.report(diagnostic) } else { refusals.append(diagnostic) }
    }
}

// Markers have numbers: points of the source have their indices, and added markers follow, by slot.
extension ClusterLayer {
    /// Replaces the points that become markers on request. Markers made from the previous points leave the layer.
    package func setSource(_ source: (any ClusterSource)?) {
        replaceSource(with: source, removing: pointsOfSlots.keys.sorted().compactMap { members.slots[Int($0)] })
    }

    private func replaceSource(with source: (any ClusterSource)?, removing markers: [Overlay]) {
        (slotsOfPoints, pointsOfSlots, removedPoints, removals) = ([:], [:], [], [])
        self.source = source
        sourceCount += 1
        // The numbers of added markers have changed.
        members.noteAll(.membership)
        members.remove(markers)
    }

    package var pointCount: Int { source?.count ?? 0 }

    /// The number of the marker in a slot of `members`.
    package func number(ofSlot slot: Int32) -> Int32 { pointsOfSlots[slot] ?? Int32(pointCount) + slot }

    /// The slot of a marker, given its number; nil for a point that has not been made a marker.
    package func slot(ofNumber number: Int32) -> Int32? {
        number < pointCount ? slotsOfPoints[number] : number - Int32(pointCount)
    }

    /// The numbers of all markers, in the order in which they were added.
    package var numbers: [Int32] {
        let points = (0..<Int32(pointCount)).filter { !removedPoints.contains($0) }
        let slots = members.slots.indices.filter { members.slots[$0] != nil && pointsOfSlots[Int32($0)] == nil }
        return points + slots.sorted { members.insertions[$0] < members.insertions[$1] }.map { number(ofSlot: Int32($0)) }
    }

    /// The marker with a number; nil if it has been removed. A marker for a point is created on the first request.
    package func marker(numbered number: Int32) -> Marker? {
        if let slot = slot(ofNumber: number) {
            return members.slots.indices.contains(Int(slot)) ? members.slots[Int(slot)] as? Marker : nil
        }
        guard let source, number < source.count, !removedPoints.contains(number) else { return nil }
        let marker = source.makeMarker(Int(number))
        members.insert(marker)
        slotsOfPoints[number] = marker.slot
        pointsOfSlots[marker.slot] = number
        return marker
    }

    /// The marker with an id, either given or generated; nil if there is none.
    package func overlay(withID id: String) -> Marker? {
        if let marker = members.overlay(withID: id) as? Marker { return marker }
        return source?.index(ofID: id).flatMap { marker(numbered: Int32($0)) }
    }
}

extension Marker {
    /// The cluster layer that contains this marker; nil if none does.
    public var clusterLayer: ClusterLayer? { store?.clusterLayer }
}

/// The points of a cluster layer that were read from a file, and become markers when they are shown individually or requested.
package protocol ClusterSource: AnyObject {
    var count: Int { get }
    /// The data that pictures keep about the points.
    var points: ClusterPoints { get }
    /// Creates the marker for a point, with its position, its id (given or generated) and all other properties.
    func makeMarker(_ index: Int) -> Marker
    /// Whether and at which zooms a point is shown. The result is the same for all points if `hasEqualVisibilities` is true.
    func visibility(_ index: Int) -> PointVisibility
    var hasEqualVisibilities: Bool { get }
    /// The values of the given properties by point, in millionths; a missing value is `ClusterValues.none`. This may take as long as
    /// reading the file.
    func values(of properties: [String]) -> [ClusterValues]
    /// The name of the points' property that an unknown name probably refers to; nil if no name is similar.
    func nearestProperty(to name: String) -> String?
    func index(ofID id: String) -> Int?
}

/// Whether and at which zooms a point of a source is shown.
package struct PointVisibility: Sendable {
    package var isHidden: Bool
    /// The zooms at which the point's marker is shown; nil for all zooms.
    package var zooms: ZoomVisibility?
    /// Whether a camera that is fitted to all overlays shows the point.
    package var isFitted: Bool

    package init(isHidden: Bool = false, zooms: ZoomVisibility? = nil, isFitted: Bool = true) {
        (self.isHidden, self.zooms, self.isFitted) = (isHidden, zooms, isFitted)
    }

    /// The visibility of a marker.
    package init(_ marker: Marker) {
        self.init(isHidden: marker.isHidden, zooms: marker.zoomVisibility, isFitted: marker.isFitted)
    }
}

/// The points of a source as a value.
package struct ClusterPoints: Sendable {
    package var lats: [Double]
    package var lngs: [Double]
    /// The altitudes in meters; empty if all are 0.
    package var altitudes: [Double]
    /// The ids of points, given or generated.
    package var id: @Sendable (Int) -> String

    package init(lats: [Double], lngs: [Double], altitudes: [Double] = [], id: @escaping @Sendable (Int) -> String) {
        self.lats = lats
        self.lngs = lngs
        self.altitudes = altitudes
        self.id = id
    }

    package func position(_ index: Int) -> LatLng {
        LatLng(lat: lats[index], lng: lngs[index], altitude: altitudes.isEmpty ? 0 : altitudes[index])
    }
}

/// The values of one property, as integers in millionths.
package struct ClusterValues: Sendable {
    package var millionths: [Int64] = []
    /// The number of values that are not numbers, or that are too large.
    package var invalid = 0

    package static let none = Int64.min
    /// Whether none of the values is a number.
    package var isEmpty: Bool { millionths.allSatisfy { $0 == Self.none } }
    /// Values must be below this limit, so that they fit in 64 bits as millionths.
    private static let limit = 9.223372e12

    package init() {}

    /// Adds a value; nil for a missing value.
    package mutating func append(_ value: Double?) {
        guard let value else { return millionths.append(Self.none) }
        guard value.magnitude < Self.limit else { return appendInvalid() }
        // Computed separately, because the product of a large integer would be rounded.
        let whole = value.rounded(.towardZero)
        millionths.append(Int64(whole) * 1_000_000 + Int64(((value - whole) * 1e6).rounded()))
    }

    package mutating func appendInvalid() {
        invalid += 1
        millionths.append(Self.none)
    }
}
