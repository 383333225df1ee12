import WaymarkGeo
import WaymarkScene

/// What a picture could not do as asked, gathered from wherever it is found.
struct DiagnosticList {
    /// Calls that were refused, and what placing found.
    var placing: [Diagnostic] = []
    /// Of the map as a whole: its images, fonts and settings.
    var map: [Diagnostic] = []
    /// Of overlays, by slot.
    var overlays: [Int32: PropertyError] = [:]
    var symbols: [Diagnostic] = []

    /// All of them; those of overlays in the order in which they were added.
    func sorted(_ table: OverlayTable) -> [Diagnostic] {
        var names = OverlayNames(table)
        let slots = overlays.keys.sorted { table.insertions[Int($0)] < table.insertions[Int($1)] }
        let ofOverlays = slots.compactMap { slot in
            overlays[slot].map { Diagnostic(path: $0.path, id: names.name(of: slot), message: $0.problem) }
        }
        return placing + map + ofOverlays + symbols
    }
}
