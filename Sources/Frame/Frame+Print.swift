import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

extension Frame: CustomStringConvertible {
    /// The frame as text, with one primitive per line. Lengths have three decimal places. Picture tests store this text as `frame.txt`.
    public var description: String {
        var lines = ["frame \(width) × \(height) px, background \(background)"]
        lines.append(
            "ground \(fixed(ground.width, 3)) × \(fixed(ground.height, 3)) pt @\(fixed(ground.pixelRatio, 3)), "
                + "bearing \(fixed(ground.bearing, 9)), tilt \(fixed(ground.tilt, 9)), "
                + "optical offset \(fixed(ground.opticalOffsetX, 3)) \(fixed(ground.opticalOffsetY, 3))"
                + (ground.originX == 0 && ground.originY == 0 ? "" : ", from \(fixed(ground.originX, 0)) \(fixed(ground.originY, 0)) px"))
        for (index, image) in images.enumerated() {
            let reduction = image.reduction == .none ? "" : ", reduced as \(image.reduction)"
            lines.append("image \(index): \(image.name), \(image.width) × \(image.height) px\(reduction)")
            if let nested = image.nestedFrame { lines += nested.description.split(separator: "\n").map { "  \($0)" } }
        }
        for (index, mesh) in meshes.enumerated() {
            lines.append("mesh \(index): \(mesh)")
        }
        for (index, lighting) in lightings.enumerated() {
            lines.append("lighting \(index): \(lighting)")
        }
        for (index, set) in tileSets.enumerated() {
            lines.append("tile set \(index): \(set.name)")
        }
        var indent = ""
        for command in commands {
            switch command {
            case .sprites(let range, let sampling):
                lines.append("\(indent)\(range.count) sprite\(range.count == 1 ? "" : "s"), \(sampling)")
                lines += sprites[range].map { "\(indent)  \($0)" }
            case .paths(let range):
                lines.append("\(indent)\(range.count) path\(range.count == 1 ? "" : "s")")
                for path in paths[range] { lines += describe(path).map { indent + "  " + $0 } }
            case .meshes(let range, let blending):
                lines.append("\(indent)\(range.count) mesh instance\(range.count == 1 ? "" : "s"), \(blending)")
                lines += meshInstances[range].map { "\(indent)  \($0)" }
            case .tiles(let range, let drawing):
                lines.append("\(indent)\(range.count) tile\(range.count == 1 ? "" : "s"), \(drawing)")
                lines += tiles[range].map { "\(indent)  \($0)" }
            case .sky(let sky):
                lines.append("\(indent)sky \(sky)")
            case .beginGroup(let group):
                lines.append("\(indent)group \(group)")
                indent += "  "
            case .endGroup:
                indent.removeLast(min(2, indent.count))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for the path, and one line for each of a readable number of contours. Only the points at both ends of a long contour are
    /// listed.
    private func describe(_ path: Path) -> [String] {
        let rule = path.rule == .nonzero ? "nonzero" : "even-odd"
        let count = path.contours.count
        let parts = path.parts.count > 1 ? " in \(path.parts.count) parts" : ""
        let layering =
            (path.layering == .over ? "" : ", \(path.layering)") + (path.run == 0 ? "" : ", run \(path.run)")
            + (path.fades ? ", fades" : "")
        var lines = ["\(path.color), \(rule)\(layering), \(count) contour\(count == 1 ? "" : "s")\(parts)"]
        lines += shades[path.shades].prefix(Self.printedShades).map { "  shade \($0)" }
        if path.shades.count > Self.printedShades { lines.append("  … \(path.shades.count - Self.printedShades) shades") }
        for index in path.contours.prefix(Self.printedContours) {
            let points = points(ofContour: index)
            if points.count <= Self.printedPoints {
                lines.append("  " + points.map { fixed($0) }.joined(separator: ", "))
            } else {
                let half = Self.printedPoints / 2
                lines.append(
                    "  " + points.prefix(half).map { fixed($0) }.joined(separator: ", ") + ", … of \(points.count) …, "
                        + points.suffix(half).map { fixed($0) }.joined(separator: ", "))
            }
        }
        if count > Self.printedContours {
            let rest = path.contours.dropFirst(Self.printedContours)
            lines.append("  … \(rest.count) contours of \(rest.reduce(0) { $0 + points(ofContour: $1).count }) points")
        }
        return lines
    }

    private static let printedContours = 6
    private static let printedPoints = 16
    private static let printedShades = 6
}

/// A number with three decimal places.
func fixed(_ value: Float) -> String { fixed(Double(value), 3) }

/// The components of a vector, with three decimal places.
func fixed(_ vector: some SIMD<Float>) -> String { vector.indices.map { fixed(vector[$0]) }.joined(separator: " ") }

extension PathShade: CustomStringConvertible {
    public var description: String {
        func channels(_ pixel: UInt32) -> String { (0..<4).map { "\(pixel >> (8 * $0) & 255)" }.joined(separator: " ") }
        return "from \(fixed(start)), \(channels(startColor)) to \(fixed(end)), \(channels(endColor)), "
            + "radius \(fixed(radius)), before \(fixed(before)), after \(fixed(after))"
            + (startSkew == 0 && endSkew == 0 ? "" : ", skew \(fixed(startSkew)) \(fixed(endSkew))")
    }
}

extension Sprite: CustomStringConvertible {
    public var description: String {
        let place = plane == .screen ? "at \(fixed(x)) \(fixed(y))" : "on ground at \(fixed(x)) \(fixed(y)) up \(fixed(z))"
        return "image \(image) \(place), across \(fixed(acrossX)) \(fixed(acrossY)), "
            + "down \(fixed(downX)) \(fixed(downY))\(alpha == 1 ? "" : ", alpha \(fixed(alpha))")"
            + (tint == .none ? "" : ", tint \(tint)")
            + (sampling == .linear || texelX == 0 && texelY == 0 ? "" : ", from texel \(texelX) \(texelY)")
            + (sharedEdges == .none ? "" : ", shared: \(sharedEdges)")
    }
}

extension Group: CustomStringConvertible {
    public var description: String {
        "alpha \(fixed(alpha)), bounds \(bounds.x) \(bounds.y) \(bounds.width) × \(bounds.height), "
            + "samples \(samples)\(depths.map { ", depths \(fixed($0.lowerBound, 3))…\(fixed($0.upperBound, 3))" } ?? "")"
    }
}
