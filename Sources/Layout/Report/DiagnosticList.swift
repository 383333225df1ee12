import WaymarkGeo
import WaymarkScene

/// The diagnostics of a picture, collected from all sources.
struct DiagnosticList {
    /// Rejected calls, and problems found while placing.
    var placing: [Diagnostic] = []
    /// Diagnostics of the map as a whole: its images, fonts and settings.
    var map: [Diagnostic] = []
    /// Problems of overlays, by slot.
    var overlays: [Int32: PropertyError] = [:]
    var symbols: [Diagnostic] = []

    /// All diagnostics; those of overlays in the order in which the overlays were added.
    func sorted(_ table: OverlayTable) -> [Diagnostic] {
        var names = OverlayNames(table)
        let slots = overlays.keys.sorted { table.insertions[Int($0)] < table.insertions[Int($1)] }
        let ofOverlays = slots.compactMap { slot in
            overlays[slot].map { Diagnostic(path: $0.path, id: names.name(of: slot), message: $0.problem) }
        }
        return placing + map + ofOverlays + symbols
    }
}
