import Foundation
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// The diagnostics of a picture, collected from all sources.
struct DiagnosticList {
    /// Diagnostics of rejected calls, and problems found while placing.
    var placing: [Diagnostic] = []
    /// Diagnostics of the map as a whole: its images, fonts and settings.
    var map: [Diagnostic] = []
    /// The problems that exclude overlays, keyed by slot.
    var overlays: [Int32: PropertyError] = [:]
    /// Warnings about overlays that are drawn nevertheless, keyed by slot.
    private var warnings: [Int32: [PropertyError]] = [:]
    /// Warnings about images that several overlays may show, and the slots of these overlays.
    private var sharedWarnings: [String: (warning: PropertyError, slots: [Int32])] = [:]
    var symbols: [Diagnostic] = []
    /// Problems that are always errors, not warnings. A message may also describe the replacement.
    var errors: Set<String> = []

    init(placing: [Diagnostic], overlays: [Int32: PropertyError]) {
        self.placing = placing
        self.overlays = overlays
    }

    /// Adds a warning about an overlay.
    mutating func warn(_ warning: PropertyError, slot: Int32) {
        warnings[slot, default: []].append(warning)
    }

    /// Adds a warning about an image that several overlays may show. It is reported once, with their number.
    mutating func warn(ofImage warning: PropertyError, slot: Int32) {
        sharedWarnings[warning.description, default: (warning, [])].slots.append(slot)
    }

    /// The warnings about overlays, keyed by slot. A shared warning belongs to the first overlay that was added.
    private func allWarnings(_ insertions: [UInt32]) -> [Int32: [PropertyError]] {
        var warnings = self.warnings
        for (_, (warning, slots)) in sharedWarnings.sorted(by: { $0.key < $1.key }) {
            guard let first = slots.min(by: { insertions[Int($0)] < insertions[Int($1)] }) else { continue }
            let others = slots.count - 1
            let count = others == 0 ? "" : "; \(others) other \(others == 1 ? "overlay has" : "overlays have") the same problem"
            warnings[first, default: []].append(PropertyError(path: warning.path, problem: warning.problem + count))
        }
        return warnings
    }

    /// Adds warnings about unreadable fonts, missing families, and characters that no font has, with one warning per script.
    mutating func reportFonts(
        _ fonts: FontLibrary, missing: [FontGap], unknownFamilies: [String], textPath: String, familyPath: String
    ) {
        var characters: [String: Set<UInt32>] = [:]
        for gap in missing { characters[gap.script, default: []].insert(gap.character) }
        let gaps = characters.sorted { $0.key < $1.key }.map { script, characters in
            let first = FontGap(script: script, character: characters.min() ?? 0)
            let others = characters.count > 1 ? " or other characters of its script" : ""
            return "no font has \(first)\(others); \(characters.count > 1 ? "boxes are" : "a box is") drawn instead"
        }
        // The fonts are reported only once, for the first text that needs them.
        let isReported = Set(map.map(\.message))
        map += (fonts.warnings.filter { !isReported.contains($0) } + gaps).map { Diagnostic(path: textPath, message: $0) }
        map += Set(unknownFamilies).sorted().map { name in
            Diagnostic(path: familyPath, message: "the font family \"\(name)\" is not installed; Noto is used instead")
        }
    }

    /// All diagnostics. Those of overlays come in the order in which the overlays were added.
    /// - Parameter insertions: Indexed by slot.
    func sorted(_ table: OverlayTable, _ insertions: [UInt32]) -> [Diagnostic] {
        let warnings = allWarnings(insertions)
        let slots = Set(overlays.keys).union(warnings.keys).sorted { insertions[Int($0)] < insertions[Int($1)] }
        let names = OverlayNames(table, insertions, of: slots).names
        let ofOverlays = slots.flatMap { slot in
            let all = (overlays[slot].map { [$0] } ?? []) + (warnings[slot] ?? [])
            return all.map { Diagnostic(path: $0.path, id: names[slot], message: $0.problem) }
        }
        let all = placing + map + ofOverlays + symbols
        return errors.isEmpty ? all : all.map { asError($0) ?? $0 }
    }
}

extension DiagnosticList {
    /// The diagnostic as an error if it is one, without the description of the replacement in its message.
    private func asError(_ diagnostic: Diagnostic) -> Diagnostic? {
        let message = diagnostic.message
        guard let end = errors.compactMap({ message.range(of: $0)?.upperBound }).max() else { return nil }
        return Diagnostic(error: diagnostic, refusal: String(message[..<end]))
    }
}
