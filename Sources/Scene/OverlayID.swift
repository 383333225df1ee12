/// The id of an overlay: either given by the user, or a name that a reader made up.
///
/// It is immutable, so that overlays and layouts can share it. A file may have millions of overlays, and the names of few are ever needed.
/// Made-up names are therefore not stored, but composed on each request from an index and the text with which all names of the list begin.
package final class OverlayID: Sendable {
    /// The whole id, or the text before the index.
    private let start: String
    private let index: Int32
    private let endsInIndex: Bool
    private let isOfElement: Bool
    /// Whether a reader made it up, because the user gave none.
    package let isMadeUp: Bool

    package init(given text: String) {
        (start, index, endsInIndex, isOfElement, isMadeUp) = (text, -1, false, false, false)
    }

    /// - Parameter old: The id that it replaces, which belongs to the same element.
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

    /// The index in the file's list of overlays; nil for the id of a feature, and for an id that the user gave.
    package var elementIndex: Int? { isOfElement ? Int(index) : nil }
}
