import Foundation
import WaymarkGeo
import WaymarkScene

/// The keys of an inset in a scene file: the keys of every element, and the keys of its map, with their names in a scene.
enum InsetMapProperties {
    static let table = PropertyTable<Box<InsetElement>>(
        { InsetElementProperties.table.make() }, inheriting: InsetElementProperties.table.list,
        synonyms: [
            "markers": "overlays", "features": "overlays", "layers": "overlays", "view": "camera", "baseMap": "basemap", "tiles": "basemap",
        ],
        [
            .object(
                "size", { Box($0.value.map.size) }, { $0.value.map.size = $1.value }, SizeProperties.table,
                "The size of the inset in pt, without its border."),
            .color(
                "background", { $0.value.map.background }, { $0.value.map.background = $1 }, "The background color of the inset."),
            .part("sky", .sky, "The sky of the inset, as in a scene."),
            .part("basemap", .baseMap, "The base map of the inset, as in a scene."),
            .part(
                "camera", .camera,
                "The camera of the inset. By default, it is fitted to the overlays of the inset. An inset without overlays then shows the "
                    + "surroundings of the main map: the same center, five zoom levels lower."),
            .part("symbols", .symbols, "The symbols of the inset, as in a scene."),
            .part("overlays", .overlays, "The overlays of the inset. Their ids are independent of the ids in the scene."),
            .part("elements", .elements, "The elements of the inset, which may not contain insets."),
        ])
}

extension SceneReader {
    /// Reads an inset. Its overlays have ids of their own.
    mutating func readInset(_ value: JSONValue) throws(SceneFileError) -> InsetElement {
        guard !isInset else { throw value.error("an inset cannot contain another inset") }
        let box = InsetMapProperties.table.make()
        let map = box.value.map
        let settings = Box(SceneSettings())
        // The reader of the inset's map shares the files that this reader has loaded. Afterwards, this reader takes over the files that the
        // other one has loaded.
        var reader = SceneReader(file: file, folder: folder, options: options, images: images, models: models)
        reader.tileSources = tileSources
        reader.room = room
        reader.isInset = true
        defer {
            (images, models, tileSources, room) = (reader.images, reader.models, reader.tileSources, reader.room)
            warnings += reader.warnings
            isUnreadable = isUnreadable || reader.isUnreadable
        }
        try reader.decode(value, InsetMapProperties.table.list, into: box) { (part, member, reader) throws(SceneFileError) in
            switch part {
            case .symbols: try reader.readSymbols(member, into: map)
            case .overlays: try reader.readOverlays(member, prefix: "", into: .map(map))
            case .camera, .sky, .baseMap, .elements: try reader.readSetting(part, member, into: settings)
            default: break
            }
        }
        (map.ownSky, map.baseMap, map.camera) = (settings.value.sky, settings.value.baseMap, settings.value.camera)
        map.elements = settings.value.elements
        try reader.checkLegends(map.elements, value["elements"])
        map.scales = reader.scales
        map.showsAttribution = false
        box.value.fit = settings.value.fit
        try reader.room.check(map)
        reader.madeUpIDs.settle(map, given: reader.ids.keys, features: reader.featureSources)
        reader.settleFeatureSources()
        do throws(PropertyError) {
            _ = try Viewport(camera: map.camera, size: PointSize(width: map.size.width, height: map.size.height))
        } catch {
            let place = error.path.hasPrefix("size") ? value.member("size") : value.member("camera")
            throw (place ?? value).error(error.problem)
        }
        return box.value
    }
}
