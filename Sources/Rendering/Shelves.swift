/// A shelf packer, which packs rectangles on pages of one size, in rows of similar height.
struct Shelves {
    /// The size of a page in pixels.
    let width: Int
    let height: Int
    let layers: Int
    private var rows: [Row] = []
    /// The first free row of pixels in each layer.
    private var tops: [Int]

    private struct Row {
        var layer: Int
        var y: Int
        var height: Int
        var end: Int
    }

    init(width: Int, height: Int, layers: Int) {
        self.width = width
        self.height = height
        self.layers = layers
        tops = [Int](repeating: 0, count: layers)
    }

    var byteCount: Int { width * height * layers * 4 }

    /// Reserves space for a rectangle in a new row, or in a row at most a third plus 4 pixels higher than it; nil if there is no space.
    mutating func add(width: Int, height: Int) -> ShelfPosition? {
        for index in rows.indices.reversed()
        where rows[index].height >= height && rows[index].height * 3 <= height * 4 + 12 && rows[index].end + width <= self.width {
            defer { rows[index].end += width }
            return ShelfPosition(layer: rows[index].layer, x: rows[index].end, y: rows[index].y)
        }
        for layer in tops.indices where tops[layer] + height <= self.height && width <= self.width {
            rows.append(Row(layer: layer, y: tops[layer], height: height, end: width))
            defer { tops[layer] += height }
            return ShelfPosition(layer: layer, x: 0, y: tops[layer])
        }
        return nil
    }

    /// The smallest pages with at least a given number of bytes that hold all sizes in order, and the positions.
    static func layout(_ sizes: [(width: Int, height: Int)], leastByteCount: Int) -> (Shelves, [ShelfPosition]) {
        let least = max(leastByteCount, sizes.reduce(0) { $0 + $1.width * $1.height * 4 })
        var shelves = Shelves(width: ImageAtlas.smallestPage, height: ImageAtlas.smallestPage, layers: 1)
        while true {
            if shelves.byteCount >= least {
                var filled = shelves
                let positions = sizes.compactMap { filled.add(width: $0.width, height: $0.height) }
                if positions.count == sizes.count { return (filled, positions) }
            }
            // Tries the next size: a wider page, then a higher one, then more pages.
            let (width, height, layers) = (shelves.width, shelves.height, shelves.layers)
            if width == height, width < ImageAtlas.largestPage {
                shelves = Shelves(width: 2 * width, height: height, layers: 1)
            } else if height < width {
                shelves = Shelves(width: width, height: width, layers: 1)
            } else {
                shelves = Shelves(width: width, height: height, layers: layers + 1)
            }
        }
    }
}
