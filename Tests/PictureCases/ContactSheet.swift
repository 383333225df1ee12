import Waymark
import WaymarkComparison

/// Many small pictures on one large one, each with its number, over a checkerboard that makes transparency visible.
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
            Digits.write("\(index + 1)", x: spots[index].x, y: spots[index].y, into: &bitmap)
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
}
