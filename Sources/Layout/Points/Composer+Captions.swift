import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Why a map could not be placed.
package enum PlacementError: Error {
    /// A number of the camera, the size or the pixel ratio is out of range.
    case range(PropertyError)
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
        let unknownFamily = style.family.flatMap { fonts.has(family: $0) ? nil : $0 }
        setCaption(CaptionBox(text, style, fonts), missing: missing, unknownFamily: unknownFamily, slot: slot)
    }

    /// Fonts that could not be read, and what no font has: one warning for each script of the whole map.
    var fontDiagnostics: [Diagnostic] {
        guard case .success(let fonts)? = openFonts else { return [] }
        var characters: [String: Set<UInt32>] = [:]
        for gap in columns.captions.missing.values.joined() { characters[gap.script, default: []].insert(gap.character) }
        for gap in symbols.captions.missing.values.joined() { characters[gap.script, default: []].insert(gap.character) }
        let gaps = characters.sorted { $0.key < $1.key }.map { script, characters in
            let first = FontGap(script: script, character: characters.min() ?? 0)
            let others = characters.count > 1 ? ", nor others of that script" : ""
            return "no font has \(first)\(others); a box is drawn in \(characters.count > 1 ? "their" : "its") place"
        }
        let families = Set(columns.captions.unknownFamilies.values).sorted().map { name in
            Diagnostic(path: "captionFont", message: "there is no font family \"\(name)\"; Noto's are drawn in its place")
        }
        return (fonts.warnings + gaps).map { Diagnostic(path: "captionText", message: $0) } + families
    }

    /// Whether anything on the map has a text.
    func needsFonts(_ mapView: MapView) -> Bool {
        mapView.symbols.contains { !$0.captionText.isEmpty }
            || mapView.journal.slots.contains { ($0 as? Marker)?.caption.map { !$0.text.isEmpty } ?? false }
    }
}
