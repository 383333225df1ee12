/// What stood in the place of an overlay before another was put there: batch jobs change a map and put it back.
package struct Substitution {
    fileprivate let original: Overlay
    fileprivate let substitute: Overlay?
    /// Its place among the children of a container, when it was in one.
    fileprivate let place: (container: Container, index: Int)?
    /// Its insertion number and those of what is in it, from the outermost inward.
    fileprivate let insertions: [UInt32]
    /// By how much later ones were moved to make room.
    fileprivate let shift: UInt32
}

extension MapView {
    /// Takes an overlay off the map and puts another in its place, in the list and in its container; nil leaves the place empty.
    /// The order of everything else stays. Both must be put back, the last first, before anything else is removed.
    /// - Parameters:
    ///   - original: It is on this map, and was added when all that is in it was in it.
    ///   - substitute: It is on no map and in no container.
    package func substitute(_ substitute: Overlay?, for original: Overlay) -> Substitution {
        let insertions = journal.insertions(of: original)
        let place = takeOut(original)
        var shift: UInt32 = 0
        if let substitute {
            var numbers = insertions
            let count = journal.count(of: substitute)
            if count > numbers.count, let last = numbers.last {
                shift = UInt32(count - numbers.count)
                journal.shift(above: last, by: shift)
                numbers += (last + 1)...(last + shift)
            }
            if let place { place.container.fill(place.index, with: substitute) }
            journal.insert(substitute, insertions: numbers)
        }
        return Substitution(
            original: original, substitute: substitute, place: place, insertions: insertions, shift: shift)
    }

    /// Puts back what a substitution took away.
    package func putBack(_ substitution: Substitution) {
        if let substitute = substitution.substitute {
            _ = takeOut(substitute)
            if substitution.shift > 0, let last = substitution.insertions.last {
                journal.shift(above: last + substitution.shift, by: 0 &- substitution.shift)
            }
        }
        if let (container, index) = substitution.place { container.fill(index, with: substitution.original) }
        journal.insert(substitution.original, insertions: substitution.insertions)
    }

    /// Takes off the map what was added to it last, as if it had never been there.
    package func withdraw(_ overlay: Overlay) {
        guard overlay.mapView === self, overlay.parent == nil else { return }
        journal.withdraw(overlay)
    }

    /// Takes an overlay off the map, and leaves its place in a container empty; gives that place.
    private func takeOut(_ overlay: Overlay) -> (container: Container, index: Int)? {
        if let container = overlay.parent, let index = container.takeOut(overlay) { return (container, index) }
        journal.remove(overlay)
        return nil
    }

    /// Forgets what the layout has kept, images and captions with it. The next frame makes it anew.
    package func forgetLayout() {
        layout = nil
        journal.noteAll(.membership)
    }
}
