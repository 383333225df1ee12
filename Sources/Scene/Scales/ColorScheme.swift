import WaymarkImaging

/// A named list of colors for scales: a scheme of ColorBrewer, or one of matplotlib's colormaps viridis, plasma, inferno, magma and
/// cividis.
///
/// This product includes color specifications and designs developed by Cynthia Brewer (http://colorbrewer.org/).
public struct ColorScheme: Equatable, Sendable {
    /// The name, with a leading `-` if the colors are in reverse order.
    public let name: String
    private let isReversed: Bool
    private let source: Source

    /// Creates the scheme with one of the ``names``; a leading `-` reverses its colors. Returns nil for any other name.
    public init?(named name: String) {
        isReversed = name.hasPrefix("-")
        guard let source = Self.sources[isReversed ? String(name.dropFirst()) : name] else { return nil }
        self.name = name
        self.source = source
    }

    /// The names of all schemes: ColorBrewer's sequential, diverging and qualitative schemes, then matplotlib's colormaps.
    public static let names = [
        ColorSchemeTable.sequential, ColorSchemeTable.diverging, ColorSchemeTable.qualitative, ColorSchemeTable.maps,
    ].flatMap { parts(of: $0).map(\.name) }

    /// The maximum number of colors; nil if there is no limit. Only qualitative schemes have a limit.
    public var limit: Int? { source.isQualitative ? source.smooth.count : nil }

    /// The colors for the given number of classes.
    ///
    /// For a sequential scheme, ColorBrewer defines separate colors for each number of classes from 3 to 9; for a diverging scheme, from 3
    /// to 11. For other numbers of classes, the colors are sampled from matplotlib's colormap of the same name, as in matplotlib. The
    /// colors of matplotlib's own colormaps are always sampled. A qualitative scheme returns its first colors.
    /// - Returns: Nil if the number is below 1 or above ``limit``.
    public func colors(_ count: Int) -> [Color]? {
        guard count >= 1, count <= limit ?? .max else { return nil }
        let colors: [Color]
        if source.isQualitative {
            colors = Array(source.smooth.prefix(count))
        } else if let own = source.sizes[count] {
            colors = own
        } else {
            // matplotlib's Colormap.__call__: a share of 1 gives the last color.
            colors = (0..<count).map { index in
                let share = count > 1 ? Double(index) / Double(count - 1) : 0
                return source.map(min(Int(share * 256), 255))
            }
        }
        return isReversed ? colors.reversed() : colors
    }

    /// The colors of a smooth scale, from the lowest value to the highest: all colors of a colormap or, for ColorBrewer, the scheme's
    /// colors for the largest number of classes.
    public var smooth: [Color] { isReversed ? source.smooth.reversed() : source.smooth }
}

extension ColorScheme {
    /// The colors of a scheme that is not reversed.
    private struct Source: Equatable, Sendable {
        /// The colors for each number of classes for which the scheme defines them.
        var sizes: [Int: [Color]] = [:]
        var smooth: [Color] = []
        var isQualitative = false

        /// A color of the 256-color map that matplotlib makes from the scheme (LinearSegmentedColormap.from_list).
        func map(_ index: Int) -> Color {
            guard smooth.count < 256 else { return smooth[index] }
            let place = Double(index) / 255 * Double(smooth.count - 1)
            let below = min(Int(place), smooth.count - 2)
            return .mixed(smooth[below], smooth[below + 1], place - Double(below))
        }
    }

    private static let sources: [String: Source] = {
        var sources: [String: Source] = [:]
        for (table, sizes) in [(ColorSchemeTable.sequential, 3...9), (ColorSchemeTable.diverging, 3...11)] {
            for (name, colors) in parts(of: table) {
                var source = Source()
                var rest = colors[...]
                for size in sizes {
                    source.sizes[size] = Array(rest.prefix(size))
                    rest = rest.dropFirst(size)
                }
                source.smooth = source.sizes[sizes.upperBound] ?? []
                sources[name] = source
            }
        }
        for (name, colors) in parts(of: ColorSchemeTable.qualitative) { sources[name] = Source(smooth: colors, isQualitative: true) }
        for (name, colors) in parts(of: ColorSchemeTable.maps) { sources[name] = Source(smooth: colors) }
        return sources
    }()

    /// The names and colors in a part of the table. Names contain a letter beyond F, which distinguishes them from hexadecimal digits.
    private static func parts(of table: String) -> [(name: String, colors: [Color])] {
        var parts: [(name: String, colors: [Color])] = []
        for line in table.split(separator: "\n") {
            var bytes = Array(line.utf8)[...]
            guard bytes.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }), !parts.isEmpty else {
                parts.append((String(line), []))
                continue
            }
            while bytes.count >= 6 {
                let value = Int(String(decoding: bytes.prefix(6), as: UTF8.self), radix: 16) ?? 0
                func channel(_ shift: Int) -> Double { Double(value >> shift & 255) / 255 }
                parts[parts.count - 1].colors.append(Color(red: channel(16), green: channel(8), blue: channel(0)))
                bytes = bytes.dropFirst(6)
            }
        }
        return parts
    }
}
