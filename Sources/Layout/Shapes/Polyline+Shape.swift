import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Polylines, and routes, which are a kind of polyline.
extension Polyline: ShapeSource {
    var altitudePlace: LatLng? { parts.first { !$0.isEmpty }?.first }

    /// With butt caps, a line of length 0 has no area.
    var isEmpty: Bool { width == 0 && !hasLabels || capType == .butt && parts.allSatisfy { part in part.allSatisfy { $0 == part.first } } }

    func makeGeometry(altitude: Double) -> ShapeGeometry { .lines(parts, isGeodesic: isGeodesic, altitude: altitude) }

    func makeStyle() -> ShapeStyle { ShapeStyle(self) }

    func makeLabels(_ resources: MapResources) -> LineLabelContent? { LineLabelContent(self, resources) }

    func makeColors(_ geometry: ShapeGeometry) -> [LineColors.Line] {
        if let colorScale, let values = values[colorScale.property] {
            let (lines, indices) = geometry.wholeLines(parts, isGeodesic: isGeodesic)
            return LineColors.byValue(lines, at: indices, values, colorScale, without: color)
        }
        guard !gradient.isEmpty else { return [] }
        return LineColors.byLength(geometry.wholeLines(parts, isGeodesic: isGeodesic).lines, gradient)
    }
}

extension ShapeStyle {
    fileprivate init(_ line: Polyline) {
        width = line.width
        color = line.color
        cap =
            switch line.capType {
            case .butt: .butt
            case .round: .round
            case .square: .square
            }
        join =
            switch line.joinType {
            case .miter: .miter
            case .round: .round
            case .bevel: .bevel
            }
        miterLimit = line.miterLimit
        pattern = line.pattern
        isPerspectiveEnabled = line.isPerspectiveEnabled
        joinsCuts = false
        outlineGroup = line.outlineGroup
        if line.width > 0, line.outlineWidth > 0, line.outlineColor.alpha > 0 {
            casingWidth = line.outlineWidth
            casingColor = line.outlineColor
        }
        if line.width > 0 {
            arrows = LineArrows(start: line.startArrow, end: line.endArrow, size: line.arrowSize, width: line.width, casing: casingWidth)
        }
        if let route = line as? Route {
            progress = route.progress
            traveledColor = route.passedColor
        }
    }
}
