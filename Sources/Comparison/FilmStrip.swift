import Waymark
import WaymarkGeo
import WaymarkImaging

/// The pictures of a sweep combined into one picture: tilts in rows, bearings in columns. If there are several rows or columns, each is
/// labeled with its angle in degrees.
public struct FilmStrip: Sendable {
    public private(set) var bitmap: Bitmap
    /// The positions of the pictures, in the order of the views.
    public let cells: [PixelRect]

    /// The maximum number of pixels of a strip.
    private static let mostPixels = 250_000_000
    private static let gap = 4
    private static let paper = Color(red: 0.2, green: 0.22, blue: 0.25)

    /// An empty strip for pictures of the same size; nil if a strip of several pictures would have more than 250 million pixels.
    /// - Parameters:
    ///   - width: The width of each picture in pixels.
    ///   - height: The height of each picture in pixels.
    public init?(_ views: [SweepView], width: Int, height: Int) {
        guard views.count > 1 else {
            bitmap = Bitmap(width: width, height: height)
            cells = [PixelRect(x: 0, y: 0, width: width, height: height)]
            return
        }
        let rows = (views.map(\.row).max() ?? 0) + 1
        let columns = (views.map(\.column).max() ?? 0) + 1
        let top = columns > 1 ? Digits.height + 2 * Self.gap : Self.gap
        let tilts = rows > 1 ? views.compactMap(\.tilt).map { Digits.width(plain($0)) } : []
        let left = tilts.max().map { $0 + 2 * Self.gap } ?? Self.gap
        let size = (width: left + columns * (width + Self.gap), height: top + rows * (height + Self.gap))
        guard size.width * size.height <= Self.mostPixels else { return nil }
        bitmap = Bitmap(width: size.width, height: size.height, fill: Self.paper)
        cells = views.map {
            PixelRect(x: left + $0.column * (width + Self.gap), y: top + $0.row * (height + Self.gap), width: width, height: height)
        }
        for (view, cell) in zip(views, cells) {
            if rows > 1, view.column == 0, let tilt = view.tilt {
                Digits.write(plain(tilt), x: Self.gap, y: cell.y + (height - Digits.height) / 2, into: &bitmap)
            }
            if columns > 1, view.row == 0, let bearing = view.bearing {
                Digits.write(
                    plain(bearing), x: cell.x + (width - Digits.width(plain(bearing))) / 2, y: Self.gap, into: &bitmap)
            }
        }
    }

    /// Copies a picture into the cell with this index. The picture must have the size given to `init`.
    public mutating func lay(_ picture: Bitmap, at index: Int) {
        let cell = cells[index]
        precondition(
            picture.width == cell.width && picture.height == cell.height, "the picture does not have the size of the strip's pictures")
        bitmap.copy(picture, toX: cell.x, y: cell.y)
    }
}

/// Draws numbers as digits of 3 × 5 dots of 2 × 2 pixels each. They look the same on every machine, regardless of its fonts.
package enum Digits {
    package static let height = 10
    private static let advance = 8

    /// Digits, the decimal point and the minus sign; five rows of three dots each.
    private static let dots: [Character: [Int]] = [
        "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 3, 1, 7], "4": [5, 5, 7, 1, 1],
        "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
        ".": [0, 0, 0, 0, 2], "-": [0, 0, 7, 0, 0],
    ]

    /// The width of a drawn number in pixels.
    package static func width(_ text: String) -> Int { max(0, text.count * advance - 2) }

    /// Draws a number in white, clipped to the bitmap.
    package static func write(_ text: String, x left: Int, y top: Int, into bitmap: inout Bitmap) {
        let white = Bitmap.Pixel(red: 255, green: 255, blue: 255, alpha: 255)
        for (place, character) in text.enumerated() {
            for (row, bits) in (dots[character] ?? []).enumerated() {
                for column in 0..<3 where bits >> (2 - column) & 1 == 1 {
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let (x, y) = (left + place * advance + column * 2 + dx, top + row * 2 + dy)
                        if x >= 0, y >= 0, x < bitmap.width, y < bitmap.height { bitmap[x, y] = white }
                    }
                }
            }
        }
    }
}
