import WaymarkGeo
import WaymarkScene

/// A point that a cluster layer shows in one picture: a cluster or a lone marker.
struct LayerPoint {
    var place: WorldPoint
    /// The height as a fraction of the world's size.
    var height: Double
    var appearance: PointAppearance
    var key: SortKey
    /// The insertion number of the point's layer.
    var insertion: UInt32
}

/// The icon and the caption of a point.
struct PointAppearance: Sendable {
    var style: IconStyle
    var caption: MeasuredCaption?
    /// Whether the point has a caption that could not be measured for lack of fonts.
    var isUnmeasured = false
}

/// The points of one picture, by number: the map's own markers by slot, followed by the points that its cluster layers show.
struct PicturePoints: Sendable {
    let own: PointColumns
    let layers: PointColumns
    /// The styles of markers and layer points, concatenated, as the style ids of ordered columns expect.
    let styles: [IconStyle]

    init(_ own: PointColumns, _ layers: PointColumns) {
        (self.own, self.layers) = (own, layers)
        styles = layers.count == 0 ? own.styles.styles : own.styles.styles + layers.styles.styles
    }

    var count: Int { own.count + layers.count }
    /// The numbers of the points of cluster layers.
    var layerNumbers: Range<Int32> { Int32(own.count)..<Int32(count) }
    var flags: IconStyle.Flags { own.styles.flags.union(layers.styles.flags) }
    var hasCaptions: Bool { !own.captions.isEmpty || !layers.captions.isEmpty }
    /// Whether there may be markers that are not drawn without their captions.
    var hasRequiredCaptions: Bool { own.captions.boxes.flags.union(layers.captions.boxes.flags).contains(.required) }
    /// An upper bound in pt on the distance from a point's place to the far edge of its icon or caption.
    var radius: Double { max(own.styles.radius, layers.styles.radius) + max(own.captions.radius, layers.captions.radius) }
    var topHeight: Double { max(own.topHeight, layers.topHeight) }

    /// Reads a value of a point from the columns that contain the point, given its index there.
    @inline(__always)
    private func located<Value>(_ number: Int32, _ value: (PointColumns, Int) -> Value) -> Value {
        let index = Int(number)
        return index < own.count ? value(own, index) : value(layers, index - own.count)
    }

    func place(_ number: Int32) -> WorldPoint { located(number) { $0.places[$1] } }
    func height(_ number: Int32) -> Double { located(number) { $0.height($1) } }
    func style(_ number: Int32) -> IconStyle { located(number) { $0.style($1) } }

    /// The reason why a point is in no picture; nil when it may be in one.
    func exclusion(_ number: Int32) -> Reason? {
        if case .excluded(let reason) = located(number, { $0.participations[$1] }) { reason } else { nil }
    }

    /// The captions that include a point's caption.
    func captions(of number: Int32) -> CaptionColumns { Int(number) < own.count ? own.captions : layers.captions }

    @inline(__always)
    func captionBoxes(of number: Int32) -> CaptionBoxes { Int(number) < own.count ? own.captions.boxes : layers.captions.boxes }

    /// The index of a point's caption in these captions; -1 for none.
    @inline(__always)
    func captionID(_ number: Int32) -> Int32 {
        let index = Int(number)
        return index < own.count ? own.captions.id(index) : layers.captions.id(index - own.count)
    }

    /// The caption of a candidate.
    @inline(__always)
    func captionBox(of candidate: PointCandidate) -> CaptionBox {
        let index = Int(candidate.caption)
        return Int(candidate.slot) < own.count ? own.captions.boxes[index] : layers.captions.boxes[index]
    }
}

extension PointColumns {
    /// Creates columns of the points of cluster layers, by index.
    init(_ points: [LayerPoint]) {
        guard !points.isEmpty else { return }
        grow(to: points.count)
        for (index, point) in points.enumerated() {
            _ = setPlace(point.place, height: point.height, slot: index)
            _ = setStyle(point.appearance.style, slot: index)
            _ = setParticipation(.present, slot: index)
            captions.set(point.appearance.caption, slot: index)
            if point.appearance.isUnmeasured { captions.setUnmeasured(slot: index) }
        }
    }
}
