import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A box on the screen in pt.
package struct ScreenBox: Equatable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    package var width: Double { right - left }
    package var height: Double { bottom - top }
    package var middleX: Double { (left + right) / 2 }
    package var middleY: Double { (top + bottom) / 2 }
}

/// Everything visible of a map, along the shortest arc of longitudes, as `fit` needs it: where it stands and how large it
/// is on the screen of any camera.
package struct PlacedExtent {
    /// The middle of everything, as fractions of the world; x may lie outside 0…1.
    package let centerX: Double
    package let centerY: Double
    private let places: [Columns.Place]
    private let looks: [Columns.Look]

    /// nil when there is nothing.
    init?(places: [Columns.Place], looks: [Columns.Look]) {
        guard !places.isEmpty else { return nil }
        let west = Self.westEnd(places.map(\.x))
        var (places, looks) = (places, looks)
        for index in places.indices where places[index].x < west {
            places[index].x += 1
        }
        if places.count > 64 {
            let outer = Self.outermost(places, looks)
            places = outer.map { places[$0] }
            looks = outer.map { looks[$0] }
        }
        self.places = places
        self.looks = looks
        let xs = places.map(\.x)
        let ys = places.map(\.y)
        centerX = ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2
        centerY = ((ys.min() ?? 0) + (ys.max() ?? 0)) / 2
    }

    /// The box around all icons as they are drawn; nil when one of them is behind the camera or beyond the far limit.
    /// - Parameter centerX: The viewport's centre, not reduced to one copy of the world.
    package func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - centerX
        var box = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for (place, look) in zip(places, looks) {
            let icon = placer.place(place, copy: copy, look)
            guard placer.depth(of: place, copy: copy) < viewport.farDepth else { return nil }
            guard icon.reason != Reason.behindCamera.rawValue, let corners = placer.corners(of: icon) else { return nil }
            for corner in corners {
                box.left = min(box.left, corner.x)
                box.top = min(box.top, corner.y)
                box.right = max(box.right, corner.x)
                box.bottom = max(box.bottom, corner.y)
            }
        }
        return box
    }

    /// How far the place nearest the viewer is from the middle of everything, towards the viewer, as a fraction of the world.
    /// - Parameter up: The direction on the ground that is up on the screen, of any length.
    package func nearest(up: (x: Double, y: Double)) -> Double {
        let length = (up.x * up.x + up.y * up.y).squareRoot()
        return places.map { -(($0.x - centerX) * up.x + ($0.y - centerY) * up.y) / length }.max() ?? 0
    }

    /// Where the longest gap between neighbouring longitudes ends.
    private static func westEnd(_ xs: [Double]) -> Double {
        let sorted = xs.sorted()
        var (west, gap) = (sorted[0], sorted[0] + 1 - sorted[sorted.count - 1])
        for (a, b) in zip(sorted, sorted.dropFirst()) where b - a > gap {
            (west, gap) = (b, b - a)
        }
        return west
    }

    /// Of each kind of icon and height the places on the convex hull: what is inside is inside on every screen, too.
    private static func outermost(_ places: [Columns.Place], _ looks: [Columns.Look]) -> [Int] {
        struct Kind: Hashable {
            var look: [UInt32]
            var height: Double
        }
        var groups: [Kind: [Int]] = [:]
        var kinds: [Kind] = []
        for index in places.indices {
            let look = looks[index]
            let numbers = [look.width, look.height, look.anchorX, look.anchorY, look.sin, look.cos].map(\.bitPattern)
            // The height in pt depends on the zoom, so only equal heights are alike at all of them.
            let kind = Kind(look: numbers + [look.flags.rawValue], height: places[index].height)
            if groups[kind] == nil { kinds.append(kind) }
            groups[kind, default: []].append(index)
        }
        return kinds.flatMap { hull(groups[$0] ?? [], places) }
    }

    /// Andrew's monotone chain.
    private static func hull(_ indices: [Int], _ places: [Columns.Place]) -> [Int] {
        let sorted = indices.sorted { (places[$0].x, places[$0].y) < (places[$1].x, places[$1].y) }
        guard sorted.count > 3 else { return sorted }
        func half(_ points: some Sequence<Int>) -> [Int] {
            var chain: [Int] = []
            for point in points {
                while chain.count > 1, turn(places[chain[chain.count - 2]], places[chain[chain.count - 1]], places[point]) <= 0 {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        let around = half(sorted) + half(sorted.reversed())
        return around.isEmpty ? [sorted[0]] : around
    }

    private static func turn(_ a: Columns.Place, _ b: Columns.Place, _ c: Columns.Place) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}

extension Composer {
    /// Everything visible on a map; nil when there is nothing.
    package func extent(of mapView: MapView, pixelRatio: Double) -> PlacedExtent? {
        refresh(mapView, pixelRatio: pixelRatio)
        let slots = columns.exclusions.indices.filter { columns.exclusions[$0] == 0 }
        return PlacedExtent(places: slots.map { columns.places[$0] }, looks: slots.map { columns.looks[$0] })
    }
}
