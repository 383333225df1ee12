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
                lines.append("  " + points.map(print).joined(separator: ", "))
            } else {
                let half = Self.printedPoints / 2
                lines.append(
                    "  " + points.prefix(half).map(print).joined(separator: ", ") + ", … of \(points.count) …, "
                        + points.suffix(half).map(print).joined(separator: ", "))
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

    private func print(_ point: PathPoint) -> String { "\(fixed(Double(point.x), 3)) \(fixed(Double(point.y), 3))" }
}

extension PathShade: CustomStringConvertible {
    public var description: String {
        func place(_ point: PathPoint) -> String { "\(fixed(Double(point.x), 3)) \(fixed(Double(point.y), 3))" }
        func channels(_ pixel: UInt32) -> String { (0..<4).map { "\(pixel >> (8 * $0) & 255)" }.joined(separator: " ") }
        return "from \(place(start)), \(channels(startColor)) to \(place(end)), \(channels(endColor)), "
            + "radius \(fixed(Double(radius), 3)), before \(fixed(Double(before), 3)), after \(fixed(Double(after), 3))"
            + (startSkew == 0 && endSkew == 0 ? "" : ", skew \(fixed(Double(startSkew), 3)) \(fixed(Double(endSkew), 3))")
    }
}

extension Sprite: CustomStringConvertible {
    public var description: String {
        let place = plane == .screen ? "at \(print(x)) \(print(y))" : "on ground at \(print(x)) \(print(y)) up \(print(z))"
        return "image \(image) \(place), across \(print(acrossX)) \(print(acrossY)), "
            + "down \(print(downX)) \(print(downY))\(alpha == 1 ? "" : ", alpha \(print(alpha))")"
            + (tint == .none ? "" : ", tint \(tint)")
            + (sampling == .linear || texelX == 0 && texelY == 0 ? "" : ", from texel \(texelX) \(texelY)")
            + (sharedEdges == .none ? "" : ", shared: \(sharedEdges)")
    }

    private func print(_ value: Float) -> String { fixed(Double(value), 3) }
}

extension Group: CustomStringConvertible {
    public var description: String {
        "alpha \(fixed(Double(alpha), 3)), bounds \(bounds.x) \(bounds.y) \(bounds.width) × \(bounds.height), "
            + "samples \(samples)\(depths.map { ", depths \(fixed($0.lowerBound, 3))…\(fixed($0.upperBound, 3))" } ?? "")"
    }
}
