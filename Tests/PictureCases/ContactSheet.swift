import Waymark

/// Many small pictures on one large one, each with its number, over a checkerboard that shows what is transparent.
public struct ContactSheet {
    /// Where a picture lies: in which row and column, both from 1.
    public struct Place {
        public var number: Int
        public var row: Int
        public var column: Int
    }

    public private(set) var bitmap: Bitmap
    public private(set) var places: [Place] = []

    /// Lays pictures out in rows, in their order.
    /// - Parameter width: Pixels across.
    public init(_ pictures: [Bitmap], width: Int = 1320) {
        let margin = 8
        let label = 14
        var spots: [(x: Int, y: Int)] = []
        var (x, y, rowHeight, row, column) = (margin, margin, 0, 1, 0)
        for (index, picture) in pictures.enumerated() {
            if x > margin, x + picture.width + margin > width {
                (x, y, rowHeight, row, column) = (margin, y + rowHeight + margin, 0, row + 1, 0)
            }
            column += 1
            spots.append((x, y))
            places.append(Place(number: index + 1, row: row, column: column))
            x += picture.width + margin
            rowHeight = max(rowHeight, picture.height + label)
        }
        bitmap = Bitmap(width: width, height: y + rowHeight + margin, fill: Color(red: 0.2, green: 0.22, blue: 0.25))
        for (index, picture) in pictures.enumerated() {
            write(index + 1, x: spots[index].x, y: spots[index].y)
            lay(picture, x: spots[index].x, y: spots[index].y + label)
        }
    }
}

extension ContactSheet {
    private mutating func lay(_ picture: Bitmap, x left: Int, y top: Int) {
        for y in 0..<picture.height {
            for x in 0..<min(picture.width, bitmap.width - left) {
                let square = (x / 8 + y / 8) % 2 == 0 ? 255 : 222
                let pixel = picture[x, y]
                let under = square * (255 - Int(pixel.alpha))
                bitmap[left + x, top + y] = .init(
                    red: Self.over(pixel.red, under), green: Self.over(pixel.green, under), blue: Self.over(pixel.blue, under), alpha: 255)
            }
        }
    }

    private static func over(_ channel: UInt8, _ under: Int) -> UInt8 {
        UInt8(min(255, Int(channel) + (under + 127) / 255))
    }

    private mutating func write(_ number: Int, x left: Int, y top: Int) {
        let white = Bitmap.Pixel(red: 255, green: 255, blue: 255, alpha: 255)
        for (place, digit) in String(number).compactMap(\.wholeNumberValue).enumerated() {
            for (row, bits) in Self.digits[digit].enumerated() {
                for column in 0..<3 where bits >> (2 - column) & 1 == 1 {
                    // Two pixels for one.
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        bitmap[left + place * 8 + column * 2 + dx, top + row * 2 + dy] = white
                    }
                }
            }
        }
    }

    /// Five rows of three pixels each.
    private static let digits: [[Int]] = [
        [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 3, 1, 7], [5, 5, 7, 1, 1],
        [7, 4, 7, 1, 7], [7, 4, 7, 5, 7], [7, 1, 1, 2, 2], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7],
    ]
}
