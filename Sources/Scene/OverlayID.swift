/// The id of an overlay: the one that its user gave, or a name that a reader made up.
///
/// Immutable, so that overlays and layouts share it. Of the millions of features that a file may have, few are ever asked for their names: that
/// of a feature is written each time, from its index and the text that all names of the file begin with.
package final class OverlayID: Sendable {
    /// The whole id, or the text before the index.
    private let start: String
    /// The index of the feature; -1 for none.
    private let index: Int32
    /// Whether a reader made it up, since the user gave none.
    package let isMadeUp: Bool

    package init(given text: String) {
        (start, index, isMadeUp) = (text, -1, false)
    }

    package init(madeUp text: String) {
        (start, index, isMadeUp) = (text, -1, true)
    }

    /// The made-up name of a feature.
    package init(prefix: String, index: Int32) {
        (start, self.index, isMadeUp) = (prefix, index, true)
    }

    package var text: String { index < 0 ? start : "\(start)\(index)" }
}
