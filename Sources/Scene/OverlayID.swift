/// The id of an overlay: the one that its user gave, or a name that a reader generated.
///
/// Immutable, so that overlays and layouts share it. Of the millions of overlays that a file may have, few are ever asked for their names:
/// a made-up name is written each time, from an index and the text that the names of its list begin with.
package final class OverlayID: Sendable {
    /// The whole id, or the text before the index.
    private let start: String
    private let index: Int32
    private let endsInIndex: Bool
    private let isOfElement: Bool
    /// Whether a reader made it up, since the user gave none.
    package let isMadeUp: Bool

    package init(given text: String) {
        (start, index, endsInIndex, isOfElement, isMadeUp) = (text, -1, false, false, false)
    }

    /// - Parameter old: The id that it replaces: it is of the same element.
    package init(madeUp text: String, replacing old: OverlayID? = nil) {
        (start, index, endsInIndex, isOfElement) = (text, old?.index ?? -1, false, old?.isOfElement ?? false)
        isMadeUp = true
    }

    /// The made-up name of an element of a list of overlays.
    package init(start: String, element index: Int) {
        (self.start, self.index, endsInIndex, isOfElement, isMadeUp) = (start, Int32(clamping: index), true, true, true)
    }

    /// The made-up name of a feature.
    package init(start: String, feature index: Int32) {
        (self.start, self.index, endsInIndex, isOfElement, isMadeUp) = (start, index, true, false, true)
    }

    package var text: String { endsInIndex ? "\(start)\(index)" : start }

    /// The index in the file's list of overlays; nil for a given id, and for that of a feature.
    package var elementIndex: Int? { isOfElement ? Int(index) : nil }
}
