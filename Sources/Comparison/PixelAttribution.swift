import Waymark
import WaymarkImaging

/// Whose pixels differ: those of overlays that have moved or changed otherwise explain themselves; the rest are given to the overlay that
/// explains most of them, then to the next.
struct PixelAttribution {
    /// By index of a pair: what is restyled.
    private(set) var changes: [(Int, OverlayChange)] = []
    /// The differing pixels where there is nothing.
    private(set) var otherPixels = 0

    /// The most parts that are named: who changes more looks at the picture.
    private static let mostNamed = 50
    /// The most tests of a pixel against a part: a second's work. Beyond it, nothing is named.
    private static let mostTests = 20_000_000

    /// A part of an overlay, and the differing pixels in it.
    private struct Candidate {
        var pair: Int
        var part: OverlayPart
        var pixels: [Int32]
    }

    /// - Parameters:
    ///   - changed: The pairs whose placement has changed.
    ///   - pixelRatio: Device pixels per pt.
    init(_ comparison: PictureComparison, _ pairs: ItemPairs, changed: Set<Int>, pixelRatio: Double) {
        guard let picture = comparison.differencePicture() else { return }
        var mask = DifferenceMask(picture)
        var tests = 0
        for index in changed {
            for item in [pairs.pairs[index].expected, pairs.pairs[index].actual] {
                for part in item?.parts ?? [] where part.isVisible {
                    let found = mask.pixels(in: part, pixelRatio: pixelRatio, tests: &tests)
                    mask.remove(found)
                }
            }
        }
        var candidates: [Candidate] = []
        for index in pairs.pairs.indices where !changed.contains(index) {
            for part in pairs.pairs[index].actual?.parts ?? [] where part.isVisible {
                guard tests < Self.mostTests else { return }
                let found = mask.pixels(in: part, pixelRatio: pixelRatio, tests: &tests)
                if !found.isEmpty { candidates.append(Candidate(pair: index, part: part.name, pixels: found)) }
            }
        }
        take(candidates, &mask, comparison)
        otherPixels = mask.count
    }

    /// Names the part with the most pixels, again and again; of equals the topmost, which is the last in the list.
    private mutating func take(_ candidates: [Candidate], _ mask: inout DifferenceMask, _ comparison: PictureComparison) {
        var candidates = candidates
        while changes.count < Self.mostNamed,
            let best = candidates.indices.max(by: { candidates[$0].pixels.count < candidates[$1].pixels.count }
            )
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
    private(set) var differs: [Bool]
    private(set) var count: Int

    /// - Parameter picture: A difference picture, in which differing pixels are red and all others gray.
    init(_ picture: Bitmap) {
        (width, height) = (picture.width, picture.height)
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

    /// The differing pixels in a part.
    func pixels(in part: PlacedItem.Part, pixelRatio: Double, tests: inout Int) -> [Int32] {
        guard count > 0, let box = part.box else { return [] }
        func clamped(_ value: Double, _ limit: Int) -> Int { Int(min(max(value, 0), Double(limit))) }
        let margin = part.margin
        let columns =
            clamped(
                (box.left - margin) * pixelRatio, width)..<max(
                clamped((box.left - margin) * pixelRatio, width), clamped(((box.right + margin) * pixelRatio).rounded(.up), width))
        let rows =
            clamped(
                (box.top - margin) * pixelRatio, height)..<max(
                clamped((box.top - margin) * pixelRatio, height), clamped(((box.bottom + margin) * pixelRatio).rounded(.up), height))
        var found: [Int32] = []
        let points = part.paths.reduce(0) { $0 + $1.count }
        for y in rows {
            for x in columns where differs[y * width + x] {
                tests += points
                if part.contains(x: (Double(x) + 0.5) / pixelRatio, y: (Double(y) + 0.5) / pixelRatio) {
                    found.append(Int32(y * width + x))
                }
            }
        }
        return found
    }
}

extension PictureComparison {
    /// The largest difference of a channel at a pixel, by its place in reading order.
    fileprivate func difference(at pixel: Int) -> Int {
        (pixel * 4..<pixel * 4 + 4).reduce(0) { max($0, abs(Int(first.pixels[$1]) - Int(second.pixels[$1]))) }
    }
}
