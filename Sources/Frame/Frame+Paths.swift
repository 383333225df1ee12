import WaymarkImaging
import WaymarkRaster

extension Frame {
    /// The contours of all paths.
    package var pathGeometry: PathGeometry { PathGeometry(points: pathPoints, contours: contours, parts: parts) }

    /// The points of a contour; it is closed implicitly.
    public func points(ofContour index: Int) -> ArraySlice<PathPoint> {
        pathPoints[(index == 0 ? 0 : contours[index - 1])..<contours[index]]
    }

    /// Adds a path of several parts.
    package mutating func add(parts: [[[PathPoint]]], color: Color, layering: Path.Layering = .over) {
        add(parts.flatMap(\.self), color: color, layering: layering)
        var end = paths[paths.count - 1].contours.lowerBound
        let first = self.parts.count
        for part in parts {
            end += part.count
            self.parts.append(end)
        }
        paths[paths.count - 1].parts = first..<self.parts.count
    }

    /// Adds a path.
    package mutating func add(
        _ contours: [[PathPoint]], rule: FillRule = .nonzero, color: Color, layering: Path.Layering = .over, run: Int32 = 0
    ) {
        let first = self.contours.count
        for contour in contours {
            pathPoints += contour
            self.contours.append(pathPoints.count)
        }
        paths.append(Path(contours: first..<self.contours.count, rule: rule, color: color, layering: layering, run: run))
    }
}
