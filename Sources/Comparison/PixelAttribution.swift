import Waymark
import WaymarkImaging

/// Attributes differing pixels to overlays. Overlays that have moved or changed in other ways explain their own pixels. The remaining
/// pixels are attributed to the overlay in which they have the largest share, then to the next one, and so on.
struct PixelAttribution {
    /// The restyled overlays, by index of a pair.
    private(set) var changes: [(Int, OverlayChange)] = []
    /// The differing pixels outside of all overlays.
    private(set) var otherPixels = 0

    /// The maximum number of named parts. If there are more changes, it is easier to look at the picture.
    private static let mostNamed = 50
    /// The maximum number of tests of a pixel against a part, which take about a second. Beyond it, nothing is named.
    private static let mostTests = 20_000_000

    /// The minimum share of differing pixels in a part whose style has changed as a whole. The strokes of a caption are about a fourth of
    /// its box.
    private static let restyledShare = 0.15

    /// A part of an overlay, and the differing pixels in it.
    private struct Candidate {
        var pair: Int
        var part: OverlayPart
        var pixels: [Int32]
        /// The approximate number of pixels of the part in the picture.
        var size: Double

        /// The criterion for choosing a part. A large share of differing pixels counts most. For example, a marker on an area is
        /// preferred to the area, although both contain the same differing pixels. Otherwise, the number of differing pixels counts, as
        /// with the outline of an area. All parts in which most pixels differ have equal shares, so that the pixels between the letters
        /// of a caption belong to a restyled area beneath it.
        var rank: (share: Double, count: Int) {
            let share = Double(pixels.count) / size
            return (share >= 0.5 ? 1 : share >= PixelAttribution.restyledShare ? share : 0, pixels.count)
        }
    }

    /// - Parameters:
    ///   - changed: The differences of the placement, by index of the pair.
    ///   - pixelRatio: The number of device pixels per pt.
    init(_ comparison: PictureComparison, _ pairs: ItemPairs, changed: [Int: [OverlayChange]], pixelRatio: Double) {
        guard let picture = comparison.differencePicture() else { return }
        var mask = DifferenceMask(picture, pixelRatio: pixelRatio)
        for (index, changes) in changed.sorted(by: { $0.key < $1.key }) { mask.explain(pairs.pairs[index], by: changes) }
        var candidates: [Candidate] = []
        for index in pairs.pairs.indices {
            for part in pairs.pairs[index].actual?.parts ?? [] where part.isVisible {
                guard mask.tests < Self.mostTests else { return }
                // The remaining pixels in an area that has moved may belong to the area, or to something on it.
                if changed[index] != nil, part.name != .area { continue }
                let found = mask.pixels(in: part)
                guard !found.isEmpty else { continue }
                candidates.append(Candidate(pair: index, part: part.name, pixels: found, size: mask.size(of: part)))
            }
        }
        take(candidates, &mask, comparison)
        otherPixels = mask.count
    }

    /// Repeatedly names the part with the highest rank; on ties, the last one in the list.
    private mutating func take(_ candidates: [Candidate], _ mask: inout DifferenceMask, _ comparison: PictureComparison) {
        var candidates = candidates
        while changes.count < Self.mostNamed,
            let best = candidates.indices.reversed().max(by: { candidates[$0].rank < candidates[$1].rank })
        {
            let taken = candidates.remove(at: best)
            let difference = taken.pixels.lazy.map { comparison.difference(at: Int($0)) }.max() ?? 0
            changes.append((taken.pair, .restyled(taken.part, pixels: taken.pixels.count, difference: difference)))
            mask.remove(taken.pixels)
            for index in candidates.indices { candidates[index].pixels.removeAll { !mask.differs[Int($0)] } }
            candidates.removeAll { $0.pixels.isEmpty }
        }
    }
}

/// The pixels of a picture that differ and are not explained yet.
private struct DifferenceMask {
    let width: Int
    let height: Int
    let pixelRatio: Double
    private(set) var differs: [Bool]
    private(set) var count: Int
    /// The number of tests of a pixel against a point of a part.
    private(set) var tests = 0

    /// - Parameter picture: A difference picture, in which differing pixels are red and all others gray.
    init(_ picture: Bitmap, pixelRatio: Double) {
        (width, height) = (picture.width, picture.height)
        self.pixelRatio = pixelRatio
        let pixels = picture.pixels
        differs = (0..<width * height).map { pixels[$0 * 4] != pixels[$0 * 4 + 1] }
        count = differs.count { $0 }
    }

    mutating func remove(_ pixels: [Int32]) {
        for pixel in pixels where differs[Int(pixel)] {
            differs[Int(pixel)] = false
            count -= 1
        }
    }

    /// Removes the pixels explained by an overlay whose placement differs: all pixels of its old and new parts. An area that has moved or
    /// changed its shape is an exception: the region that it covers both before and after looks the same.
    mutating func explain(_ pair: ItemPairs.Pair, by changes: [OverlayChange]) {
        let isOfForm = changes.allSatisfy {
            switch $0 {
            case .moved, .resized, .turned: true
            default: false
            }
        }
        let (old, new) = (pair.expected?.parts.filter(\.isVisible) ?? [], pair.actual?.parts.filter(\.isVisible) ?? [])
        for (parts, others) in [(old, new), (new, old)] {
            for part in parts {
                let other = isOfForm && part.name == .area ? others.first { $0.name == .area } : nil
                remove(pixels(in: part, outside: other))
            }
        }
    }

    /// The differing pixels in a part.
    /// - Parameter other: Excludes pixels that are inside this part as well, except at the border of either.
    mutating func pixels(in part: PlacedItem.Part, outside other: PlacedItem.Part? = nil) -> [Int32] {
        guard count > 0, let (columns, rows) = area(of: part) else { return [] }
        var found: [Int32] = []
        let points = (part.paths + (other?.paths ?? [])).reduce(0) { $0 + $1.count }
        for y in rows {
            for x in columns where differs[y * width + x] {
                tests += points
                let (pointX, pointY) = ((Double(x) + 0.5) / pixelRatio, (Double(y) + 0.5) / pixelRatio)
                let position = part.position(x: pointX, y: pointY)
                if position == .outside { continue }
                if let other, position == .inside, other.position(x: pointX, y: pointY) == .inside { continue }
                found.append(Int32(y * width + x))
            }
        }
        return found
    }

    /// The approximate number of pixels of a part in the picture; at least 1.
    func size(of part: PlacedItem.Part) -> Double {
        guard let (columns, rows) = area(of: part), let box = part.box else { return 1 }
        let seen = Double(columns.count * rows.count)
        let whole = (box.size.width + 2 * part.margin) * (box.size.height + 2 * part.margin) * pixelRatio * pixelRatio
        return max(1, min(seen, part.size * pixelRatio * pixelRatio * seen / max(whole, 1)))
    }

    /// The pixels around a part.
    private func area(of part: PlacedItem.Part) -> (columns: Range<Int>, rows: Range<Int>)? {
        guard let box = part.box else { return nil }
        func range(_ from: Double, _ to: Double, _ limit: Int) -> Range<Int> {
            PixelMask.range((from - part.margin) * pixelRatio, ((to + part.margin) * pixelRatio).rounded(.up), limit: limit)
        }
        return (range(box.left, box.right, width), range(box.top, box.bottom, height))
    }
}

extension PictureComparison {
    /// The largest difference of a channel at a pixel, by its index in reading order.
    fileprivate func difference(at pixel: Int) -> Int {
        (pixel * 4..<pixel * 4 + 4).reduce(0) { max($0, abs(Int(first.pixels[$1]) - Int(second.pixels[$1]))) }
    }
}
