import WaymarkGeo
import WaymarkTiles

extension WorldBox {
    /// Creates the box of bounds in degrees. Its west lies on the first copy of the world, 0…1, and its east may be greater than 1.
    package init(_ bounds: TileBounds) {
        func y(_ latitude: Double) -> Double {
            abs(latitude) >= WebMercator.maxLatitude ? (latitude > 0 ? 0 : 1) : WebMercator.uncheckedY(lat: latitude)
        }
        self.init(west: 0, north: y(bounds.north), east: 1, south: y(bounds.south))
        guard bounds.east - bounds.west < 360 else { return }
        west = WebMercator.x(lng: bounds.west)
        let width = (bounds.east - bounds.west) / 360
        east = west + (width < 0 ? width + 1 : width)
    }

    /// The box with a margin on all sides.
    package func extended(by margin: Double) -> WorldBox {
        WorldBox(west: west - margin, north: north - margin, east: east + margin, south: south + margin)
    }

    /// The bounds in degrees, rounded to seven decimal places, as PMTiles stores them. If bounds cross ±180°, their west is greater than
    /// their east.
    package var bounds: TileBounds {
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        func latitude(_ y: Double) -> Double {
            y <= 0 ? TileBounds.world.north : y >= 1 ? TileBounds.world.south : rounded(WebMercator.latitude(fromY: y))
        }
        var bounds = TileBounds.world
        (bounds.north, bounds.south) = (latitude(north), latitude(south))
        guard east - west < 1 else { return bounds }
        let (first, last) = (WebMercator.wrap(west), WebMercator.wrap(west) + east - west)
        bounds.west = rounded(WebMercator.longitude(fromX: first))
        bounds.east = rounded(WebMercator.longitude(fromX: last > 1 ? last - 1 : last))
        return bounds
    }
}

extension Extent {
    /// The box around everything as a camera straight above the center draws it. If something is behind that camera or beyond its far
    /// limit, the box around the positions.
    /// - Parameter size: The size of the picture in pt.
    package mutating func worldBox(zoom: Double, size: PointSize, pixelRatio: Double) throws(PropertyError) -> WorldBox {
        let center = LatLng(lat: WebMercator.latitude(fromY: min(max(centerY, 0), 1)), lng: WebMercator.longitude(fromX: centerX))
        let viewport = try Viewport(camera: Camera(center: center, zoom: zoom), size: size, pixelRatio: pixelRatio)
        let copy = viewport.centerX + (centerX - viewport.centerX).rounded()
        while extend(in: viewport, centerX: copy) {}
        guard let box = box(in: viewport, centerX: copy) else { return positions }
        func x(_ point: Double) -> Double { copy + (point - size.width / 2) / viewport.worldSize }
        func y(_ point: Double) -> Double { viewport.centerY + (point - size.height / 2) / viewport.worldSize }
        return WorldBox(west: x(box.left), north: y(box.top), east: x(box.right), south: y(box.bottom))
    }
}
