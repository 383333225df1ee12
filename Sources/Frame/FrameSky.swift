import WaymarkGeo
import WaymarkImaging

/// The sky of a picture, and how the ground fades into it.
public struct FrameSky: Equatable, Sendable {
    /// The color where the ground ends. Beside and below the ground, the sky has this color, too.
    public var horizon: Color
    /// The color at the picture's upper edge.
    public var zenith: Color
    /// The edges of the ground.
    package var fade: GroundFade

    package init(horizon: Color, zenith: Color, fade: GroundFade) {
        (self.horizon, self.zenith, self.fade) = (horizon, zenith, fade)
    }

    /// Whether both colors are opaque.
    package var isOpaque: Bool { horizon.premultipliedBytes.alpha == 255 && zenith.premultipliedBytes.alpha == 255 }

    /// Whether both colors are fully transparent.
    package var isClear: Bool { horizon.premultipliedBytes.alpha == 0 && zenith.premultipliedBytes.alpha == 0 }

    /// The share of `horizon` in the color at a point of the camera's picture, in device pixels from its upper left. It grows in proportion
    /// to the row, from 0 at the picture's upper edge to 1 in the row of the nearest ground.
    /// - Parameter y: The row, greater than 0.
    package func shareOfHorizon(_ x: Double, _ y: Double) -> Double { y / (y + fade.rise(x, y)) }
}

extension Frame {
    /// Adds the sky above the base map or, without one, above the paths on the ground at the bottom. Later primitives on the ground are
    /// faded when they are drawn. This is exact only for an opaque sky. A translucent sky is therefore placed higher, directly beneath the
    /// first primitive that is not on the ground. A sky of the background's color is left out if there is nothing on the ground.
    package mutating func add(_ sky: FrameSky) {
        let isBackground = sky.horizon == background && sky.zenith == background
        guard !isBackground || commands.contains(where: hasGround) else { return }
        var place = endOfGround
        if sky.isOpaque {
            // Only the base map has tiles.
            let lastTiles = commands.lastIndex { if case .tiles = $0 { true } else { false } }
            if let lastTiles { place = lastTiles + 1 } else if case .paths? = commands.first { place = min(place, 1) } else { place = 0 }
        }
        commands.insert(.sky(sky), at: place)
    }

    /// The end of the commands at the bottom that draw only primitives on the ground. A group, such as a translucent layer of the base map,
    /// is not divided.
    private var endOfGround: Int {
        var (end, depth) = (0, 0)
        for (index, command) in commands.enumerated() {
            guard isOnGround(command) else { break }
            if case .beginGroup = command { depth += 1 } else if case .endGroup = command { depth -= 1 }
            if depth == 0 { end = index + 1 }
        }
        return end
    }

    /// Whether a command draws only primitives on the ground, or begins or ends a group.
    private func isOnGround(_ command: Command) -> Bool {
        switch command {
        case .tiles: true
        case .paths(let range): paths[range].allSatisfy(\.fades)
        case .sprites(let range, let sampling): sampling == .linear && sprites[range].allSatisfy(\.fades)
        case .beginGroup, .endGroup: true
        case .meshes, .sky: false
        }
    }

    /// Whether a command draws any primitive on the ground.
    private func hasGround(_ command: Command) -> Bool {
        switch command {
        case .tiles: true
        case .paths(let range): paths[range].contains(where: \.fades)
        case .sprites(let range, let sampling): sampling == .linear && sprites[range].contains(where: \.fades)
        case .meshes, .sky, .beginGroup, .endGroup: false
        }
    }
}

extension Sprite {
    /// Whether the sprite fades into the sky where the ground does: it lies on the ground, and not above it.
    package var fades: Bool { plane == .ground && z == 0 }
}

extension FrameSky: CustomStringConvertible {
    public var description: String {
        let colors = horizon == zenith ? "\(horizon)" : "\(horizon) to \(zenith)"
        let edges = fade.edges.map { "\(fixed($0.x, 6)) \(fixed($0.y, 6)) \(fixed($0.offset, 3))" }.joined(separator: ", ")
        return "\(colors), edges \(edges)"
    }
}
