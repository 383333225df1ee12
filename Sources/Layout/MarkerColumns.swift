import WaymarkFrame
import WaymarkGeo
import WaymarkScene

extension Composer {
    /// Reads what changed of a marker into the columns; gives what is wrong with its image, if anything.
    func readMarker(_ marker: Marker, slot: Int, change: Journal.Change) -> RangeError? {
        if change.contains(.position), let position = marker.position {
            let altitude = (groups.around(marker)?.altitude ?? 0) + marker.altitude + position.altitude
            let height = altitude == 0 ? 0 : altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
            set(Columns.Place(x: WebMercator.x(lng: position.lng), y: WebMercator.y(lat: position.lat) ?? .nan), height: height, slot: slot)
        }
        guard !change.isDisjoint(with: [.icon, .style, .visibility]) else { return nil }
        var look = Look.none
        look.anchorX = Float(marker.anchor.x)
        look.anchorY = Float(marker.anchor.y)
        look.alpha = Float(marker.alpha)
        look.offsetX = Float(marker.anchorOffset.x)
        look.offsetY = Float(marker.anchorOffset.y)
        look.tint = Tint(marker.iconTintColor)
        if marker.angle != 0 {
            let turn = sinCos(degrees: marker.angle)
            look.sin = Float(turn.sin)
            look.cos = Float(turn.cos)
            if turn.sin != 0 || turn.cos != 1 { look.flags.insert(.rotated) }
        }
        if marker.isFlat { look.flags.insert(.flat) }
        if marker.iconPerspectiveEnabled { look.flags.insert(.perspective) }
        if columns.zoomVisibilities[Int32(slot)] != nil { look.flags.insert(.zoomRange) }
        let isPlain = look.flags.isDisjoint(with: [.rotated, .flat, .perspective])
        let icon: ImageCatalog.Icon?
        do throws(RangeError) {
            icon = try self.icon(marker.iconImage, width: marker.width, height: marker.height, isPlain: isPlain)
        } catch {
            set(.none, slot: slot)
            return error
        }
        if let icon {
            look.width = Float(icon.width)
            look.height = Float(icon.height)
            look.raster = icon.raster
            if !isPlain, icon.width > 0, icon.height > 0 {
                let (levels, pixels) = levels(of: icon.raster)
                // A stretched image has the fewer pixels along its longer axis.
                look.texelsPerPoint = Float(min(Double(pixels.width) / icon.width, Double(pixels.height) / icon.height))
                look.firstLevel = levels.first
                look.levelCount = levels.count
            } else if icon.isExact {
                look.flags.insert(.exact)
                // Whole device pixels, whatever was asked of a built-in image.
                look.width = Float(icon.exactWidth)
                look.height = Float(icon.exactHeight)
            }
        }
        set(look, slot: slot)
        return nil
    }
}
