/// Draws letterforms into a box of whole pixels. Coordinates are pixels from the box's upper left; `stem` and `bar` are how thick
/// upright and level strokes are.
struct LetterPen {
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    let stem: Double
    let bar: Double

    /// How far below the line a letter may reach, for a height of 1.
    static let descent = 0.12

    func strokes(of symbol: Character) -> [LetterStroke] {
        switch symbol {
        case "0": oval(0.38)
        case "1": one
        case "2": two
        case "3": three
        case "4": four
        case "5": five
        case "6": six(turned: false)
        case "7": seven
        case "8": eight
        case "9": six(turned: true)
        case "a": a
        case "b": b
        case "c": c
        case "d": d
        case "e": [upright(0), level(0), level(middle, 0, width - whole(0.08 * width)), level(height - bar)].flatMap(\.self)
        case "f": [upright(0), level(0), level(middle, 0, width - whole(0.1 * width))].flatMap(\.self)
        case "g": g
        case "h": [upright(0), upright(width - stem), level(middle)].flatMap(\.self)
        case "i": [level(0), level(height - bar), upright((width - stem) / 2)].flatMap(\.self)
        case "j": j
        case "k": k
        case "l": [upright(0), level(height - bar)].flatMap(\.self)
        case "m": m
        case "n": n
        case "o": oval(0.44)
        case "p": upright(0) + bowl(0, height - whole(0.4 * height), width)
        case "q": q
        case "r": r
        case "s": s
        case "t": [level(0), upright((width - stem) / 2)].flatMap(\.self)
        case "u": u
        case "v": v
        case "w": w
        case "x": slant(0, 0, width - slope, height, slope) + slant(width - slope, 0, 0, height, slope)
        case "y": y
        default: z
        }
    }
}

// MARK: Strokes

extension LetterPen {
    /// A length in whole pixels.
    private func whole(_ length: Double) -> Double { (length + 0.5).rounded(.down) }

    /// Where the level stroke in the middle begins: a little above it, as the eye wants it.
    private var middle: Double { ((height - bar) / 2 - 0.01 * height + 0.49).rounded(.down) }

    /// How wide a diagonal over the whole box is along a level line.
    private var slope: Double { slope(width - stem, height) }

    /// How wide a stroke that runs so far across and down is along a level line; a little thinner than a stem, for diagonals look heavy.
    private func slope(_ across: Double, _ down: Double) -> Double {
        stem * 0.96 * (1 + across * across / (down * down)).squareRoot()
    }

    private func polygon(_ corners: (Double, Double)...) -> [LetterStroke] {
        [LetterStroke(corners.map { Point(left + $0.0, top + $0.1) })]
    }

    private func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> [LetterStroke] {
        x0 < x1 && y0 < y1 ? polygon((x0, y0), (x1, y0), (x1, y1), (x0, y1)) : []
    }

    private func upright(_ x: Double, from y0: Double = 0, to y1: Double? = nil) -> [LetterStroke] {
        box(x, y0, x + stem, y1 ?? height)
    }

    private func level(_ y: Double, _ x0: Double = 0, _ x1: Double? = nil) -> [LetterStroke] {
        box(x0, y, x1 ?? width, y + bar)
    }

    /// A stroke whose ends are cut level, `thickness` wide along a level line.
    private func slant(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ thickness: Double) -> [LetterStroke] {
        polygon((x0, y0), (x0 + thickness, y0), (x1 + thickness, y1), (x1, y1))
    }

    private enum Side {
        case left(Double), right(Double), above(Double), below(Double)
    }

    /// The ring of a stroke's thickness just inside a box, as much of it as lies on all the sides.
    private func ring(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ sides: Side..., cuts: [LetterStroke.Cut] = [])
        -> [LetterStroke]
    {
        ring(x0, y0, x1, y1, sides, cuts: cuts)
    }

    private func ring(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ sides: [Side], cuts: [LetterStroke.Cut] = [])
        -> [LetterStroke]
    {
        let radii = Point((x1 - x0) / 2, (y1 - y0) / 2)
        let sideCuts = sides.map { side -> LetterStroke.Cut in
            switch side {
            case .left(let x): .left(of: left + x)
            case .right(let x): .right(of: left + x)
            case .above(let y): .above(top + y)
            case .below(let y): .below(top + y)
            }
        }
        return [
            LetterStroke(
                center: Point(left, top) + Point(x0 + x1, y0 + y1) / 2, outer: radii, inner: radii - Point(stem, bar), cuts: sideCuts + cuts
            )
        ]
    }

    /// What of a ring in the whole box with upright sides lies on all of the sides: its arcs are `roundness · height` high.
    private func oval(_ roundness: Double, _ sides: Side...) -> [LetterStroke] {
        let arc = roundness * height
        var left = box(0, arc, stem, height - arc)
        var right = box(width - stem, arc, width, height - arc)
        for side in sides {
            switch side {
            case .left: right = []
            case .right: left = []
            case .above(let y): right = box(width - stem, arc, width, min(y, height - arc))
            case .below(let y): right = box(width - stem, max(y, arc), width, height - arc)
            }
        }
        return left + right + ring(0, 0, width, 2 * arc, sides + [.above(arc)])
            + ring(0, height - 2 * arc, width, height, sides + [.below(height - arc)])
    }

    /// A closed bowl to the right of a stem at the left edge, from `y0` to `y1`.
    private func bowl(_ y0: Double, _ y1: Double, _ right: Double, roundness: Double = 1) -> [LetterStroke] {
        let radius = min((y1 - y0) / 2 * roundness, right - stem)
        let center = right - radius
        return box(0, y0, center, y0 + bar) + box(0, y1 - bar, center, y1)
            + ring(right - 2 * radius, y0, right, y1, .right(center))
    }
}

// MARK: Digits

extension LetterPen {
    private var one: [LetterStroke] {
        let x = width - stem
        let drop = 0.25 * height
        let thickness = bar * 1.3
        return upright(x) + polygon((x, 0), (width, 0), (x, thickness * 1.02), (0, drop + thickness), (0, drop))
    }

    private var two: [LetterStroke] {
        let foot = height - bar
        let middle = width / 2
        let bowl = 0.6 * height
        let center = Point(middle, bowl / 2)
        let outer = Point(middle, bowl / 2)
        let thickness = stem * 1.35
        let outerEnd = Point(thickness, foot)
        let innerEnd = Point(0, foot)
        let a = Self.tangent(from: outerEnd, center: center, radii: outer)
        let b = Self.tangent(from: innerEnd, center: center, radii: outer - Point(stem, bar))
        let origin = Point(left, top)
        let cut = LetterStroke.Cut.along(origin + a, origin + b, keeping: origin + Point(width, 0))
        return level(foot) + ring(0, 0, width, bowl, .right(middle), cuts: [cut])
            + ring(0, 0, width, bowl, .left(middle), .above(0.31 * height))
            + polygon((a.x, a.y), (outerEnd.x, outerEnd.y), (innerEnd.x, innerEnd.y), (b.x, b.y))
    }

    /// Where the line from a point to the lower left of an ellipse touches its right side.
    private static func tangent(from point: Point, center: Point, radii: Point) -> Point {
        let p = (point - center) / radii
        let square = p.x * p.x + p.y * p.y
        let root = max(0, square - 1).squareRoot()
        let a = Point(p.x - root * p.y, p.y + root * p.x) / square
        let b = Point(p.x + root * p.y, p.y - root * p.x) / square
        return center + (a.x > b.x ? a : b) * radii
    }

    private var three: [LetterStroke] {
        let inset = whole(0.04 * width)
        let x = width / 2
        let waist = middle
        return ring(inset, 0, width - inset, waist + bar, .right(x))
            + ring(inset, 0, width - inset, waist + bar, .left(x), .above(0.27 * height))
            + level(waist, 0.34 * width, x)
            + ring(0, waist, width, height, .right(x)) + ring(0, waist, width, height, .left(x), .below(0.71 * height))
    }

    private var four: [LetterStroke] {
        let x = width - stem - whole(0.12 * width)
        let y = whole(0.6 * height)
        let thickness = slope(x, y + bar)
        return upright(x) + level(y) + slant(x + stem - thickness, 0, 0, y + bar, thickness)
    }

    private var five: [LetterStroke] {
        let x = whole(0.06 * width)
        let bowl = whole(0.36 * height)
        let end = 0.57 * height
        let middle = width / 2
        return level(0, x, width - x) + upright(x, to: end) + ring(0, bowl, width, height, .right(middle))
            + ring(0, bowl, width, height, .left(middle), .right(x), .above(end))
            + ring(0, bowl, width, height, .left(middle), .below(0.72 * height))
    }

    private func six(turned: Bool) -> [LetterStroke] {
        let bowl = whole(0.37 * height)
        let center = (bowl + height) / 2
        let arc = 0.36 * height
        let x = width / 2
        let end = 0.27 * height
        if turned {
            return ring(0, 0, width, height - bowl) + upright(width - stem, from: height - center, to: height - arc)
                + ring(0, height - 2 * arc, width, height, .right(x), .below(height - arc))
                + ring(0, height - 2 * arc, width, height, .left(x), .below(height - end))
        }
        return ring(0, bowl, width, height) + upright(0, from: arc, to: center)
            + ring(0, 0, width, 2 * arc, .left(x), .above(arc)) + ring(0, 0, width, 2 * arc, .right(x), .above(end))
    }

    private var seven: [LetterStroke] {
        let foot = 0.2 * width
        let thickness = slope(width - foot - stem, height)
        return level(0) + slant(width - thickness, 0, foot, height, thickness)
    }

    private var eight: [LetterStroke] {
        let inset = whole(0.05 * width)
        return ring(inset, 0, width - inset, middle + bar) + ring(0, middle, width, height)
    }
}

// MARK: Letters

extension LetterPen {
    private var a: [LetterStroke] {
        let thickness = slope((width - stem) / 2, height)
        let x = (width - thickness) / 2
        let y = whole(0.62 * height)
        let edge = { (y: Double) in x * (1 - y / height) + thickness / 2 }
        return slant(x, 0, 0, height, thickness) + slant(x, 0, width - thickness, height, thickness)
            + polygon((edge(y), y), (width - edge(y), y), (width - edge(y + bar), y + bar), (edge(y + bar), y + bar))
    }

    private var b: [LetterStroke] {
        upright(0) + bowl(0, middle + bar, width - whole(0.06 * width)) + bowl(middle, height, width)
    }

    private var c: [LetterStroke] {
        let x = width / 2
        return oval(0.42, .left(x)) + oval(0.42, .right(x), .above(0.32 * height)) + oval(0.42, .right(x), .below(0.68 * height))
    }

    private var d: [LetterStroke] {
        upright(0) + bowl(0, height, width)
    }

    private var g: [LetterStroke] {
        let x = width / 2
        let y = whole(0.49 * height)
        return oval(0.42, .left(x)) + oval(0.42, .right(x), .above(0.31 * height)) + oval(0.42, .right(x), .below(y))
            + level(y, whole(0.5 * width), width - stem / 2)
    }

    private var j: [LetterStroke] {
        let hook = height - 0.72 * height
        let center = (hook + height) / 2
        return upright(width - stem, to: center) + ring(0, hook, width, height, .below(center))
    }

    private var k: [LetterStroke] {
        let y = 0.7 * height
        let arm = slope(width - stem, y)
        let leg = slope(width * 0.5, height * 0.6)
        return upright(0) + polygon((width - arm, 0), (width, 0), (stem, y), (stem, y - arm * y / (width - stem)))
            + slant(0.32 * width, 0.36 * height, width - leg, height, leg)
    }

    private var m: [LetterStroke] {
        let y = whole(0.7 * height)
        let thickness = slope((width - stem) / 2, y)
        return upright(0) + upright(width - stem) + slant(0, 0, (width - thickness) / 2, y, thickness)
            + slant(width - thickness, 0, (width - thickness) / 2, y, thickness)
    }

    private var n: [LetterStroke] {
        let thickness = slope(width - stem, height)
        return upright(0) + upright(width - stem) + slant(0, 0, width - thickness, height, thickness)
    }

    /// The tail reaches below the line, or it would be taken for an O where it is small.
    private var q: [LetterStroke] {
        let depth = max(1, whole(LetterPen.descent * height))
        let thickness = slope(0.3 * width, 0.4 * height)
        return oval(0.44) + slant(0.45 * width, 0.58 * height, width - thickness, height + depth, thickness)
    }

    private var r: [LetterStroke] {
        let bottom = height - whole(0.42 * height)
        let leg = slope(0.35 * width, height - bottom)
        return upright(0) + bowl(0, bottom, width - whole(0.04 * width))
            + slant(0.42 * width, bottom - bar, width - leg, height, leg)
    }

    private var s: [LetterStroke] {
        let inset = whole(0.04 * width)
        let x = width / 2
        let waist = middle
        return ring(inset, 0, width - inset, waist + bar, .left(x))
            + ring(inset, 0, width - inset, waist + bar, .right(x), .above(0.27 * height))
            + ring(0, waist, width, height, .right(x)) + ring(0, waist, width, height, .left(x), .below(0.72 * height))
    }

    private var u: [LetterStroke] {
        let bowl = height - 0.8 * height
        let center = (bowl + height) / 2
        return upright(0, to: center) + upright(width - stem, to: center) + ring(0, bowl, width, height, .below(center))
    }

    private var v: [LetterStroke] {
        let thickness = slope((width - stem) / 2, height)
        let x = (width - thickness) / 2
        return slant(0, 0, x, height, thickness) + slant(width - thickness, 0, x, height, thickness)
    }

    private var w: [LetterStroke] {
        let thickness = slope((width - stem) / 4, height) * 0.94
        let middle = (width - thickness) / 2
        let foot = middle / 2
        return slant(0, 0, foot, height, thickness) + slant(middle, 0, foot, height, thickness)
            + slant(middle, 0, width - thickness - foot, height, thickness)
            + slant(width - thickness, 0, width - thickness - foot, height, thickness)
    }

    private var y: [LetterStroke] {
        let fork = whole(0.56 * height)
        let thickness = slope((width - stem) / 2, fork)
        let x = (width - stem) / 2
        return upright(x, from: fork)
            + polygon((0, 0), (thickness, 0), (x + stem, fork), (x, fork))
            + polygon((width - thickness, 0), (width, 0), (x + stem, fork), (x, fork))
    }

    private var z: [LetterStroke] {
        let thickness = slope(width - stem, height - 2 * bar)
        return level(0) + level(height - bar) + slant(width - thickness, bar, 0, height - bar, thickness)
    }
}
