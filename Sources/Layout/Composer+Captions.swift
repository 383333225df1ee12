import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Why a map could not be placed.
package enum PlacementError: Error {
    /// A number of the camera, the size or the pixel ratio is out of range.
    case range(RangeError)
    /// There are texts, and no fonts for them.
    case fonts(FontError)
}

extension Composer {
    /// Measures what a marker says anew.
    func readCaption(_ marker: Marker, slot: Int) {
        guard let text = CaptionText(marker, language: marker.mapView?.language ?? ""), let style = marker.caption?.style.values,
            let fonts = marker.mapView.flatMap(fonts)
        else { return setCaption(nil, slot: slot) }
        let missing = [text.main, text.sub].compactMap { $0 }.flatMap { fonts.layout($0.request).missing }
        setCaption(CaptionBox(text, style, fonts), missing: missing, slot: slot)
    }

    /// What no font has, and fonts that could not be read: one warning each.
    var fontDiagnostics: [Diagnostic] {
        guard case .success(let fonts)? = openFonts else { return [] }
        let gaps = Set(columns.captions.missing.values.joined()).union(symbols.captions.missing.values.joined())
        return (fonts.warnings + gaps.sorted().map { "no font has \($0); a box is drawn in its place" })
            .map { Diagnostic(path: "captionText", message: $0) }
    }

    /// Whether anything on the map has a text.
    func needsFonts(_ mapView: MapView) -> Bool {
        mapView.symbols.contains { !$0.captionText.isEmpty }
            || mapView.journal.slots.contains { ($0 as? Marker)?.caption.map { !$0.text.isEmpty } ?? false }
    }
}
