import WaymarkGeo
import WaymarkMeshes

/// Decides which positions stand behind the models of a picture. It casts the rays that picking uses, so the result is the same on every
/// device.
struct ModelOccluders {
    /// A position on the screen in pt, quantized, and its distance in pt from the camera along the optical axis.
    struct ScreenPosition {
        var x: Double
        var y: Double
        var depth: Double
    }

    private let viewport: Viewport
    private let models: ModelTable
    /// The visible models, with their screen boxes and depth ranges.
    private let seen: [(view: ModelView, box: BoxView)]

    /// The distance in pt, along the optical axis, by which a model must be nearer than a position to hide it. A marker on the roof of a
    /// model, or on a model that lies on the ground, stands in front of it.
    static let clearance = 0.25
    /// The number of tests of triangles above which the triangles of a mesh are visited once for all positions together.
    private static let manyTests = 20_000

    init(_ viewport: Viewport, _ models: ModelTable, _ seen: [(view: ModelView, box: BoxView)]) {
        (self.viewport, self.models, self.seen) = (viewport, models, seen)
    }

    var isEmpty: Bool { seen.isEmpty }

    /// Whether each position is behind a model.
    func hidden(_ positions: [ScreenPosition]) -> [Bool] {
        var isHidden = [Bool](repeating: false, count: positions.count)
        for (view, bounds) in seen {
            let near = positions.indices.filter { !isHidden[$0] && bounds.mayHide(positions[$0]) }
            if near.count > 1, near.count * view.mesh.triangles.count > Self.manyTests {
                mark(near, of: positions, behind: view, &isHidden)
            } else {
                for index in near {
                    let ray = viewport.projection.ray(through: SIMD2(positions[index].x, positions[index].y))
                    isHidden[index] = view.hits(by: ray, viewport, models).contains { isBefore(positions[index], $0) }
                }
            }
        }
        return isHidden
    }

    private func isBefore(_ position: ScreenPosition, _ hit: RayHit) -> Bool { quantized(position.depth - hit.distance) > Self.clearance }

    /// Marks the positions that a model hides, with the same rays. A triangle is tested only with the positions in its box on the screen.
    private func mark(_ near: [Int], of positions: [ScreenPosition], behind view: ModelView, _ isHidden: inout [Bool]) {
        let grid = PositionGrid(near.enumerated().map { (index: $0.offset, x: positions[$0.element].x, y: positions[$0.element].y) })
        let projection = viewport.projection
        let rays = near.map { projection.ray(through: SIMD2(positions[$0].x, positions[$0].y)) }
        let corners = view.mesh.positions.map { vertex -> SIMD3<Double> in
            let place = projection.cameraSpace(view.place(vertex))
            guard place.z >= projection.near else { return SIMD3(.nan, .nan, place.z) }
            let point = projection.screenPoint(place)
            return SIMD3(point.x, point.y, place.z)
        }
        for (number, triangle) in view.mesh.triangles.enumerated() {
            let (a, b, c) = (corners[Int(triangle.x)], corners[Int(triangle.y)], corners[Int(triangle.z)])
            // A triangle that is nearer than the near limit is not drawn. The margin allows for rounding.
            guard max(a.z, b.z, c.z) > projection.near - 0.01 else { continue }
            let nearest = min(a.z, b.z, c.z)
            // For a triangle that extends behind the near limit, all positions are tested.
            var box = ScreenBox(left: -.infinity, top: -.infinity, right: .infinity, bottom: .infinity)
            if nearest >= projection.near {
                // The box has a margin for rounding.
                box = ScreenBox(
                    left: min(a.x, b.x, c.x) - 0.01, top: min(a.y, b.y, c.y) - 0.01, right: max(a.x, b.x, c.x) + 0.01,
                    bottom: max(a.y, b.y, c.y) + 0.01)
            }
            grid.forEach(in: box) { one in
                let index = near[one]
                let position = positions[index]
                guard !isHidden[index], nearest < position.depth else { return }
                if let hit = view.hit(number, by: rays[one], viewport, models), isBefore(position, hit) { isHidden[index] = true }
            }
        }
    }
}

extension BoxView {
    /// Whether something in the box may be in front of a position.
    @inline(__always)
    func mayHide(_ position: ModelOccluders.ScreenPosition) -> Bool {
        nearest < position.depth && position.x >= box.left - 1 && position.x <= box.right + 1 && position.y >= box.top - 1
            && position.y <= box.bottom + 1
    }
}

/// Finds the positions in a box on the screen.
private struct PositionGrid {
    /// The positions of each cell, row by row.
    private var cells: [[(index: Int, x: Double, y: Double)]]
    private let left: Double
    private let top: Double
    private let width: Double
    private let height: Double
    private let side: Int

    /// - Parameter positions: The positions, at least one.
    init(_ positions: [(index: Int, x: Double, y: Double)]) {
        let (xs, ys) = (positions.map(\.x), positions.map(\.y))
        (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        // The grid has a few cells for each position.
        side = min(64, max(1, Int(Double(4 * positions.count).squareRoot())))
        width = max((xs.max() ?? 0) - left, 1e-6) / Double(side)
        height = max((ys.max() ?? 0) - top, 1e-6) / Double(side)
        cells = Array(repeating: [], count: side * side)
        for position in positions { cells[row(position.y) * side + column(position.x)].append(position) }
    }

    private func column(_ x: Double) -> Int { Int(min(max((x - left) / width, 0), Double(side - 1))) }
    private func row(_ y: Double) -> Int { Int(min(max((y - top) / height, 0), Double(side - 1))) }

    /// Calls `body` with the index of each position in a box.
    func forEach(in box: ScreenBox, _ body: (Int) -> Void) {
        guard box.right >= left, box.bottom >= top, box.left <= left + width * Double(side), box.top <= top + height * Double(side) else {
            return
        }
        for y in row(box.top)...row(box.bottom) {
            for x in column(box.left)...column(box.right) {
                for position in cells[y * side + x]
                where position.x >= box.left && position.x <= box.right && position.y >= box.top && position.y <= box.bottom {
                    body(position.index)
                }
            }
        }
    }
}
