/// A record of an overlay that was replaced by another, for restoring the original. A batch job changes a map, and then restores it.
package struct Substitution {
    fileprivate let original: Overlay
    fileprivate let substitute: Overlay?
    /// The original's container, and its index among the children, if it was in one.
    fileprivate let place: (container: Container, index: Int)?
    /// The insertion numbers of the original and its contents, in depth-first order.
    fileprivate let insertions: [UInt32]
    /// The amount by which later insertion numbers were raised to make room.
    fileprivate let shift: UInt32

    /// The id of the overlay that was replaced.
    package var originalID: String? { original.id }
    /// Whether the overlay was removed without a substitute.
    package var isRemoval: Bool { substitute == nil }
}

extension MapView {
    /// Removes an overlay from the map and puts another in its place, in the list and in its container. If `substitute` is nil, the place
    /// stays empty. The order of all other overlays stays the same. Substitutions must be undone in reverse order, before anything else is
    /// removed.
    /// - Parameters:
    ///   - original: An overlay on this map. If it is a container, its contents must have been in it when it was added to the map.
    ///   - substitute: An overlay that is on no map and in no container.
    package func substitute(_ substitute: Overlay?, for original: Overlay) -> Substitution {
        let insertions = store.insertions(of: original)
        let place = takeOut(original)
        var shift: UInt32 = 0
        if let substitute {
            var numbers = insertions
            let count = 1 + substitute.descendants.count
            if count > numbers.count, let last = numbers.last {
                shift = UInt32(count - numbers.count)
                store.shift(above: last, by: shift)
                numbers += (last + 1)...(last + shift)
            }
            if let place { place.container.fill(place.index, with: substitute) }
            store.insert(substitute, insertions: numbers)
        }
        return Substitution(
            original: original, substitute: substitute, place: place, insertions: insertions, shift: shift)
    }

    /// Undoes a substitution.
    package func putBack(_ substitution: Substitution) {
        if let substitute = substitution.substitute {
            _ = takeOut(substitute)
            if substitution.shift > 0, let last = substitution.insertions.last {
                store.shift(above: last + substitution.shift, by: 0 &- substitution.shift)
            }
        }
        if let (container, index) = substitution.place { container.fill(index, with: substitution.original) }
        store.insert(substitution.original, insertions: substitution.insertions)
    }

    /// Removes the overlay that was added to the map last, as if it had never been added.
    package func withdraw(_ overlay: Overlay) {
        guard overlay.mapView === self, overlay.parent == nil else { return }
        store.withdraw(overlay)
    }

    /// Removes an overlay from the map and leaves its place in a container empty. Returns that place, or nil without a container.
    private func takeOut(_ overlay: Overlay) -> (container: Container, index: Int)? {
        if let container = overlay.parent, let index = container.takeOut(overlay) { return (container, index) }
        store.remove(overlay)
        return nil
    }

    /// Drops the layouts of the map and its insets, with all caches, including images and captions. The next frame builds new ones.
    package func forgetLayout() {
        for map in [self] + insetMaps {
            map.layout = nil
            map.store.noteAll(.membership)
        }
    }
}

/// A record of a view overlay that was replaced, added or removed.
package struct ViewOverlaySubstitution {
    package let original: ViewOverlay?
    fileprivate let substitute: ViewOverlay?
    fileprivate let index: Int
}

extension MapView {
    /// Adds a view overlay that is on no map, and whose id is known to be unused here.
    package func adopt(_ overlay: ViewOverlay) { _ = substitute(overlay, for: nil) }

    /// Replaces a view overlay with another. If `original` is nil, the substitute is added; if `substitute` is nil, the original is
    /// removed.
    package func substitute(_ substitute: ViewOverlay?, for original: ViewOverlay?) -> ViewOverlaySubstitution {
        let list = viewOverlays
        let index = original.flatMap { one in list.firstIndex { $0 === one } } ?? list.count
        let substitution = ViewOverlaySubstitution(original: original, substitute: substitute, index: index)
        windows.replace(original, with: substitute, at: index, on: self)
        return substitution
    }

    /// Undoes a substitution.
    package func putBack(_ substitution: ViewOverlaySubstitution) {
        windows.replace(substitution.substitute, with: substitution.original, at: substitution.index, on: self)
    }
}
