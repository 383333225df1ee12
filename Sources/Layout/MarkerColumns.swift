import WaymarkFrame
import WaymarkGeo
import WaymarkScene

extension Composer {
    /// Reads what changed of a marker into the columns; gives what is wrong with its image, if anything.
    func readMarker(_ marker: Marker, slot: Int, change: Journal.Change, pixelRatio: Double) -> RangeError? {
        if change.contains(.position), let position = marker.position {
            let altitude = marker.altitude + position.altitude
            // NaN stands for a latitude that the projection does not have.
            let place = Columns.Place(
                x: WebMercator.x(lng: position.lng), y: WebMercator.y(lat: position.lat) ?? .nan,
                height: altitude == 0 ? 0 : altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1))
            columns.setPlace(place, slot: slot)
        }
        guard !change.isDisjoint(with: [.icon, .style, .visibility]) else {
            if case .failed(let reason) = catalog.content(of: marker.iconImage) {
                return RangeError(path: "iconImage", problem: reason)
            }
            return nil
        }
        let content = catalog.content(of: marker.iconImage)
        if case .failed(let reason) = content {
            columns.looks[slot] = .none
            return RangeError(path: "iconImage", problem: reason)
        }
        var look = Columns.Look.none
        look.anchorX = Float(marker.anchor.x)
        look.anchorY = Float(marker.anchor.y)
        look.alpha = Float(marker.alpha)
        if marker.angle != 0 {
            let turn = sinCos(degrees: marker.angle)
            look.sin = Float(turn.sin)
            look.cos = Float(turn.cos)
            if turn.sin != 0 || turn.cos != 1 { look.flags.insert(.rotated) }
        }
        if marker.isFlat { look.flags.insert(.flat) }
        if marker.iconPerspectiveEnabled { look.flags.insert(.perspective) }
        if marker.hasZoomRange { look.flags.insert(.zoomRange) }
        if let icon = catalog.icon(of: content, width: marker.width, height: marker.height, pixelRatio: pixelRatio) {
            look.width = Float(icon.width)
            look.height = Float(icon.height)
            look.raster = icon.raster
            if icon.isExact, look.flags.isDisjoint(with: [.rotated, .flat, .perspective]) {
                look.flags.insert(.exact)
                // Whole device pixels, whatever was asked of a built-in image.
                let bitmap = catalog.rasters[Int(icon.raster)].bitmap
                look.width = Float(Double(bitmap.width) / pixelRatio)
                look.height = Float(Double(bitmap.height) / pixelRatio)
            }
        }
        columns.setLook(look, slot: slot)
        return nil
    }
}
