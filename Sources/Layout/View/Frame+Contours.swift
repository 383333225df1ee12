import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

extension Frame {
    /// Adds a contour in device pixels, quantized. Returns the corners of its bounding box.
    @discardableResult
    mutating func addContour(_ contour: ArraySlice<PlanePoint>) -> (low: PathPoint, high: PathPoint) {
        var low = PathPoint(repeating: .infinity)
        var high = -low
        let first = pathPoints.count
        // The array is resized first and then written, which takes half as long as appending points one by one.
        pathPoints.append(contentsOf: repeatElement(PathPoint.zero, count: contour.count))
        pathPoints.withUnsafeMutableBufferPointer { points in
            contour.withUnsafeBufferPointer { contour in
                for index in contour.indices {
                    let snapped = PathPoint(Float(quantized(contour[index].x)), Float(quantized(contour[index].y)))
                    low.replace(with: snapped, where: snapped .< low)
                    high.replace(with: snapped, where: snapped .> high)
                    points[first + index] = snapped
                }
            }
        }
        contours.append(pathPoints.count)
        return (low, high)
    }
}
