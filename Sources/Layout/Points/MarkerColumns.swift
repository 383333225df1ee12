import WaymarkFrame
import WaymarkGeo
import WaymarkScene

extension Composer {
    /// Reads what changed of a marker into the columns; gives what is wrong with its image, if anything.
    func readMarker(_ marker: Marker, slot: Int, change: Journal.Change) -> PropertyError? {
        if change.contains(.position), let position = marker.position {
            let altitude = (groups.around(marker)?.altitude ?? 0) + marker.altitude + position.altitude
            let height = altitude == 0 ? 0 : altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
            set(Columns.Place(x: WebMercator.x(lng: position.lng), y: WebMercator.y(lat: position.lat) ?? .nan), height: height, slot: slot)
        }
        if change.contains(.caption) { readCaption(marker, slot: slot) }
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
        if marker.isHideCollidedSymbols { look.flags.insert(.hideSymbols) }
        if marker.isHideCollidedMarkers { look.flags.insert(.hideMarkers) }
        if marker.isHideCollidedCaptions { look.flags.insert(.hideCaptions) }
        if marker.isForceShowIcon { look.flags.insert(.forceIcon) }
        if marker.isForceShowCaption { look.flags.insert(.forceCaption) }
        let isPlain = look.flags.isDisjoint(with: [.rotated, .flat, .perspective])
        let icon: ImageCatalog.Icon?
        do throws(PropertyError) {
            icon = try self.icon(marker.iconImage, width: marker.width, height: marker.height, isPlain: isPlain)
        } catch {
            set(.none, slot: slot)
            return error
        }
        if let icon {
            look.show(icon, isExact: isPlain)
            if !isPlain, icon.width > 0, icon.height > 0 {
                let (levels, pixels) = levels(of: icon.raster)
                // A stretched image has the fewer pixels along its longer axis.
                look.texelsPerPoint = Float(min(Double(pixels.width) / icon.width, Double(pixels.height) / icon.height))
                look.firstLevel = levels.first
                look.levelCount = levels.count
            }
        }
        set(look, slot: slot)
        return nil
    }
}

extension Look {
    /// Shows an icon: in whole device pixels where one of its own is one of them, whatever was asked of a built-in image.
    mutating func show(_ icon: ImageCatalog.Icon, isExact: Bool = true) {
        raster = icon.raster
        let isExact = isExact && icon.isExact
        width = Float(isExact ? icon.exactWidth : icon.width)
        height = Float(isExact ? icon.exactHeight : icon.height)
        if isExact { flags.insert(.exact) }
    }
}
