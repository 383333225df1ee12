import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

/// A random edit of a marker's texts or collision flags.
enum CaptionEdit: CaseIterable, Sendable {
    case text, noText, size, width, color, halo, weight, offset, aligns, zooms, perspective
    case subText, subSize, subColor, subZooms, hideMarkers, hideCaptions, hideSymbols, forceIcon, forceCaption, required, haloBlur

    /// - Parameter invalid: The value is invalid once in this many cases; nil for never.
    func apply(to marker: Marker, _ random: inout SplitMix64, invalid: Int? = nil) {
        let isInvalid = invalid.map { random.once(in: $0) } ?? false
        let texts = ["Hello", "서울", "two\nlines", "some words that may wrap"]
        switch self {
        case .text: marker.captionText = random.one(of: texts)
        case .noText: marker.captionText = ""
        case .size: marker.captionTextSize = isInvalid ? random.one(of: [0, -1, 10_000, .nan]) : random.one(of: [9, 12, 20.5])
        case .width: marker.captionRequestedWidth = isInvalid ? -1 : random.one(of: [0, 60])
        case .color: marker.captionColor = isInvalid ? Color(white: 2) : random.one(of: [.black, .red])
        case .halo: marker.captionHaloColor = random.one(of: [.clear, .white])
        case .weight: marker.captionFontWeight = random.one(of: FontWeight.allCases)
        case .offset: marker.captionOffset = isInvalid ? .infinity : random.one(of: [0, 5, -5])
        case .aligns: marker.captionAligns = isInvalid ? [] : (0..<random.integer(1...3)).map { _ in random.one(of: AlignType.allCases) }
        case .zooms: marker.captionMinZoom = isInvalid ? 25 : random.number(0...6)
        case .perspective: marker.captionPerspectiveEnabled.toggle()
        case .subText: marker.subCaptionText = random.one(of: texts + [""])
        case .subSize: marker.subCaptionTextSize = isInvalid ? .nan : random.one(of: [8, 12])
        case .subColor: marker.subCaptionColor = random.one(of: [.black, .blue])
        case .subZooms: marker.subCaptionMaxZoom = random.number(0...6)
        case .hideMarkers: marker.isHideCollidedMarkers.toggle()
        case .hideCaptions: marker.isHideCollidedCaptions.toggle()
        case .hideSymbols: marker.isHideCollidedSymbols.toggle()
        case .forceIcon: marker.isForceShowIcon.toggle()
        case .forceCaption: marker.isForceShowCaption.toggle()
        case .required: marker.isCaptionRequired.toggle()
        case .haloBlur: marker.captionHaloBlur = isInvalid ? 4.5 : random.one(of: [0, 1.5])
        }
    }
}
