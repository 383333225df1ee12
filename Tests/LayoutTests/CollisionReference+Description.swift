/// The text of an inspection.
extension CollisionReference {
    /// The copy that an inspection describes: the one nearest the center, preferring visible ones.
    func described(_ marker: Int) -> Body? {
        bodies.filter { $0.marker == marker }.min { a, b in
            isSeen(a) == isSeen(b) ? abs(a.distance) < abs(b.distance) : isSeen(a)
        }
    }

    func describedSymbol(_ symbol: Int) -> SymbolBody? {
        symbols.filter { $0.symbol == symbol }.min { a, b in
            a.isShown == b.isShown ? abs(a.distance) < abs(b.distance) : a.isShown
        }
    }

    func isSeen(_ body: Body) -> Bool {
        guard body.isIconShown else { return false }
        if body.isIconInPicture, body.hasIcon || !hasText(body) { return true }
        return isCaptionSeen(body)
    }

    /// Whether it has a caption at any zoom.
    func hasText(_ body: Body) -> Bool { !markers[body.marker].captionText.isEmpty }

    func isCaptionSeen(_ body: Body) -> Bool { body.isCaptionShown && isInPicture(body.captions[body.align]) }

    func box(_ symbol: SymbolBody) -> [Double] {
        let box = Self.bounds(symbol.shapes.flatMap(\.corners))
        return [box.left, box.top, box.right - box.left, box.bottom - box.top].map { $0 / ratio }
    }

    func rect(_ corners: [Point]) -> [Double] {
        let box = Self.bounds(corners)
        return [box.left, box.top, box.right - box.left, box.bottom - box.top].map { $0 / ratio }
    }
}
