import WaymarkFrame

/// The tiles of a block in which something may show, found from the primitives of its frame. It assumes a camera that looks straight down.
struct TileCoverage {
    private let columns: Int
    private let rows: Int
    /// The side of a tile in pixels.
    private let side: Float
    /// Whether something may show in each tile, row by row.
    private(set) var isCovered: [Bool]

    /// - Parameter side: The side of a tile in pixels.
    init(_ frame: Frame, side: Int) {
        (columns, rows) = (frame.width / side, frame.height / side)
        self.side = Float(side)
        isCovered = [Bool](repeating: false, count: columns * rows)
        for command in frame.commands {
            switch command {
            case .sprites(let range, _):
                for sprite in frame.sprites[range] { add(sprite, frame.ground) }
            case .paths(let range):
                for number in range { addPath(number, of: frame) }
            case .meshes(let range, _):
                for instance in frame.meshInstances[range] { add(instance, frame.meshes[Int(instance.mesh)], frame.ground) }
            case .tiles: isCovered = [Bool](repeating: true, count: columns * rows)
            case .sky, .beginGroup, .endGroup: break
            }
        }
    }
}

/// A point in device pixels.
private typealias PixelPoint = SIMD2<Float>

private extension TileCoverage {
    mutating func add(_ sprite: Sprite, _ ground: GroundCamera) {
        let (acrossX, downX, acrossY, downY) = (sprite.acrossX, sprite.downX, sprite.acrossY, sprite.downY)
        var low = PixelPoint(sprite.x + min(0, acrossX) + min(0, downX), sprite.y + min(0, acrossY) + min(0, downY))
        var high = low + PixelPoint(abs(acrossX) + abs(downX), abs(acrossY) + abs(downY))
        if sprite.plane == .ground { (low, high) = (ground.pixel(low, height: sprite.z), ground.pixel(high, height: sprite.z)) }
        cover(low, high)
    }

    mutating func add(_ instance: MeshInstance, _ mesh: FrameMesh, _ ground: GroundCamera) {
        var (low, high) = (PixelPoint(repeating: .infinity), PixelPoint(repeating: -.infinity))
        for vertex in mesh.vertices {
            let place = instance.origin + vertex.x * instance.axisX + vertex.y * instance.axisY + vertex.z * instance.axisZ
            let point = ground.pixel(PixelPoint(place.x, place.y), height: place.z)
            (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
        }
        cover(low, high)
    }

    /// Adds the tiles that an edge of the path crosses, and those whose center is inside the path.
    mutating func addPath(_ number: Int, of frame: Frame) {
        let path = frame.paths[number]
        var crossings = [[(x: Float, step: Int)]](repeating: [], count: rows)
        for index in path.contours {
            let points = frame.points(ofContour: index)
            guard var last = points.last else { continue }
            for point in points {
                addEdge(last, point, &crossings)
                last = point
            }
        }
        for row in 0..<rows where crossings[row].count > 1 {
            let sorted = crossings[row].sorted { $0.x < $1.x }
            let center = (Float(row) + 0.5) * side
            var winding = 0
            for (crossing, next) in zip(sorted, sorted.dropFirst()) {
                winding += crossing.step
                let isInside = path.rule == .nonzero ? winding != 0 : winding & 1 != 0
                if isInside { cover(PixelPoint(crossing.x, center), PixelPoint(next.x, center)) }
            }
        }
    }

    /// Adds the tiles that an edge crosses, and its crossings with the horizontal lines through the centers of the rows.
    mutating func addEdge(_ a: PixelPoint, _ b: PixelPoint, _ crossings: inout [[(x: Float, step: Int)]]) {
        let (top, bottom) = a.y <= b.y ? (a, b) : (b, a)
        guard bottom.y >= 0, top.y < Float(rows) * side else { return }
        guard bottom.y > top.y else { return cover(pointwiseMin(a, b), pointwiseMax(a, b)) }
        let slope = (bottom.x - top.x) / (bottom.y - top.y)
        for row in index(top.y, rows)...index(bottom.y, rows) {
            let (upper, lower) = (max(top.y, Float(row) * side), min(bottom.y, Float(row + 1) * side))
            let (x, nextX) = (top.x + (upper - top.y) * slope, top.x + (lower - top.y) * slope)
            let center = (Float(row) + 0.5) * side
            cover(PixelPoint(min(x, nextX), center), PixelPoint(max(x, nextX), center))
            if top.y <= center, center < bottom.y {
                crossings[row].append((top.x + (center - top.y) * slope, a.y <= b.y ? 1 : -1))
            }
        }
    }

    /// Adds the tiles that a rectangle in pixels overlaps.
    mutating func cover(_ low: PixelPoint, _ high: PixelPoint) {
        guard high.x >= 0, high.y >= 0, low.x < Float(columns) * side, low.y < Float(rows) * side else { return }
        for row in index(low.y, rows)...index(high.y, rows) {
            for column in index(low.x, columns)...index(high.x, columns) { isCovered[row * columns + column] = true }
        }
    }

    /// The row or column at a coordinate in pixels, or the nearest one.
    func index(_ coordinate: Float, _ count: Int) -> Int { Int(min(max(0, coordinate / side), Float(count - 1))) }
}

extension GroundCamera {
    /// The pixel of a place in pt from the view's center, for a camera that looks straight down.
    fileprivate func pixel(_ place: PixelPoint, height: Float) -> PixelPoint {
        let (center, distance) = (PixelPoint(Float(width), Float(self.height)) / 2, Float(distance))
        return (center + place * (distance / max(1, distance - height))) * Float(pixelRatio)
    }
}
