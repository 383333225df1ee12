import Foundation
import WaymarkImaging
import WaymarkScene
import WaymarkVectorTiles

/// The appearance of all roles of a theme, as data. Within both lists, later entries lie above earlier ones.
struct ThemeTable: Sendable {
    /// The color of the ground.
    var land: Color
    /// Areas, all of which lie beneath all lines.
    var areas: [AreaStyle]
    /// Groups of lines. In each group, all outlines lie beneath all lines, so that no outline crosses a junction.
    var lines: [[LineStyle]]
    /// Labels, the most important first.
    var labels: [LabelStyle]
    /// The names of roads and rivers, the most important first, by the role of the line. They are placed when `roadLabel` has its turn in
    /// `labels`.
    var roadNames: [LabelStyle]
    var pointsOfInterest: PointOfInterestStyle
}

extension ThemeTable {
    /// All themes have the same sizes and order of names.
    init(land: Color, areas: [AreaStyle], lines: [[LineStyle]], names: LabelColors, pointsOfInterest: PointOfInterestStyle) {
        self.init(
            land: land, areas: areas, lines: lines, labels: LabelStyle.places(names), roadNames: LabelStyle.roads(names),
            pointsOfInterest: pointsOfInterest)
    }
}

/// The appearance of the areas of a role.
struct AreaStyle: Sendable {
    let role: MapRole
    var color: Color
    /// The lowest zoom of the camera at which the areas are drawn.
    var zoom = 0.0
    /// The widths of lines of the same role, which are drawn together with the areas, such as rivers; nil without lines.
    var lines: ZoomWidths?
    /// The color of a hairline around each area, from `outlineZoom` up; nil for none.
    var outline: Color?
    /// The color of the roofs of extruded buildings; nil for the color of the areas.
    var roof: Color?

    /// The lowest zoom at which outlines are drawn. At lower zooms, areas are too small to distinguish.
    static let outlineZoom = 15.5
    /// The width of outlines in pt.
    static let outlineWidth = 0.75

    static func area(
        _ role: MapRole, _ hex: UInt32, from zoom: Double = 0, lines: ZoomWidths? = nil, outline: UInt32? = nil, roof: UInt32? = nil
    ) -> Self {
        Self(
            role: role, color: Color(hex: hex), zoom: zoom, lines: lines, outline: outline.map { Color(hex: $0) },
            roof: roof.map { Color(hex: $0) })
    }
}

/// The appearance of the lines of a role. They are drawn from the first zoom of their widths up.
struct LineStyle: Sendable {
    let role: MapRole
    var color: Color
    var widths: ZoomWidths
    /// The color of the outline; nil for none.
    var outline: Color?
    /// The lengths of dashes and gaps, in line widths; empty for a solid line.
    var pattern: [Double] = []

    static func line(_ role: MapRole, _ hex: UInt32, _ widths: ZoomWidths, outline: UInt32? = nil, pattern: [Double] = []) -> Self {
        Self(role: role, color: Color(hex: hex), widths: widths, outline: outline.map { Color(hex: $0) }, pattern: pattern)
    }
}

/// Widths in pt at zooms. Between two zooms, the logarithm of the width is interpolated, because the width of a road with a constant
/// width on the ground doubles with each zoom.
struct ZoomWidths: Sendable, ExpressibleByDictionaryLiteral {
    private let stops: [(zoom: Double, width: Double)]

    /// - Parameter elements: The zooms, ascending, and the widths at these zooms, above 0.
    init(dictionaryLiteral elements: (Double, Double)...) { stops = elements.map { ($0.0, $0.1) } }

    /// The width at a zoom; nil below the first.
    func width(atZoom zoom: Double) -> Double? {
        guard let first = stops.first, let last = stops.last, zoom >= first.zoom else { return nil }
        guard let next = stops.firstIndex(where: { $0.zoom > zoom }) else { return last.width }
        let (from, to) = (stops[next - 1], stops[next])
        return from.width * pow(to.width / from.width, (zoom - from.zoom) / (to.zoom - from.zoom))
    }
}

extension ZoomWidths {
    static let motorway: Self = [5: 0.8, 8: 1.6, 11: 2.6, 13: 4.2, 15: 9, 18: 30, 24: 1600]
    static let trunk: Self = [6: 0.7, 9: 1.4, 11: 2.2, 13: 3.8, 15: 8.5, 18: 28, 24: 1400]
    static let primary: Self = [8: 0.6, 10: 1.1, 12: 2, 13: 3.2, 15: 7.5, 18: 26, 24: 1200]
    static let secondary: Self = [9: 0.5, 11: 0.9, 13: 2.4, 15: 6.2, 18: 22, 24: 1000]
    static let minor: Self = [12: 0.5, 13: 1, 14: 2, 15: 4.2, 18: 16, 24: 800]
    static let service: Self = [14: 0.6, 15: 1.5, 16: 2.8, 18: 8, 24: 400]
    static let path: Self = [14.5: 0.5, 15: 0.8, 16: 1.3, 18: 2.4, 24: 130]
    static let rail: Self = [9: 0.3, 12: 0.4, 14: 0.7, 16: 1.2, 18: 2.6, 24: 90]
    static let river: Self = [8: 0.5, 11: 0.9, 14: 1.8, 17: 6, 24: 400]
    static let runway: Self = [10: 0.8, 12: 2.2, 14: 9, 16: 34, 24: 4000]
    static let ferry: Self = [8: 0.6, 13: 0.9, 18: 1.4]
    static let country: Self = [0: 0.6, 4: 0.9, 8: 1.5, 14: 2.4]
    static let region: Self = [3: 0.4, 7: 0.8, 14: 1.4]

    /// The width of the outline on each side of a road.
    static let outline: Self = [5: 0.3, 9: 0.4, 13: 0.7, 16: 1, 19: 1.4, 24: 2]
}

extension ThemeTable {
    init(_ theme: MapTheme) {
        switch theme {
        case .light: self = .light
        case .dark: self = .dark
        case .gray: self = .gray
        }
    }

    /// The appearance of the areas of a role; nil if they are not drawn.
    func area(_ role: MapRole) -> AreaStyle? { areas.first { $0.role == role } }

    /// The table with different colors for some roles. Content with a transparent color is not drawn, and neither is its outline or halo.
    func colored(_ colors: [MapRole: Color]) -> ThemeTable {
        guard !colors.isEmpty else { return self }
        var table = self
        table.land = colors[.land] ?? land
        for index in areas.indices {
            guard let color = colors[areas[index].role] else { continue }
            (table.areas[index].color, table.areas[index].roof) = (color, nil)
        }
        for group in lines.indices {
            for index in lines[group].indices {
                table.lines[group][index].color = colors[lines[group][index].role] ?? lines[group][index].color
            }
        }
        for index in labels.indices { table.labels[index].color = colors[labels[index].role] ?? labels[index].color }
        for index in roadNames.indices {
            let role: MapRole = roadNames[index].role == .water ? .waterLabel : .roadLabel
            table.roadNames[index].color = colors[role] ?? roadNames[index].color
        }
        if let color = colors[.poiLabel] { table.pointsOfInterest.nameColor = color }
        table.areas.removeAll { $0.color.alpha == 0 }
        for group in lines.indices { table.lines[group].removeAll { $0.color.alpha == 0 } }
        table.labels.removeAll { $0.color.alpha == 0 }
        table.roadNames.removeAll { $0.color.alpha == 0 }
        return table
    }
}
