import Waymark
import WaymarkGeo

/// The same map seen at several tilts and bearings. Every tilt is combined with every bearing; each tilt forms a row of pictures.
///
///     .tilts([0, 30, 60])                          three pictures
///     .tilts([0, 60]).bearings(every: 45)          sixteen
public struct CameraSweep: Hashable, Sendable {
    /// The tilts in degrees from straight down; empty to use the tilt of the map's camera.
    public private(set) var tilts: [Double] = []
    /// The bearings in degrees clockwise from north; empty to use the bearing of the map's camera.
    public private(set) var bearings: [Double] = []
    /// The requested numbers of tilts and bearings, if a list was cut because it exceeds the limit of a sweep.
    private var meantTilts = 0.0
    private var meantBearings = 0.0

    /// The maximum number of pictures in a sweep.
    public static let mostViews = 1000

    private init() {}
}

extension CameraSweep {
    /// A sweep of one picture, with the unchanged camera.
    public static let none = Self()

    /// A sweep with one picture at each of these tilts, in degrees from straight down.
    public static func tilts(_ tilts: [Double]) -> Self { Self().tilts(tilts) }

    /// A sweep with one picture at each of these bearings, in degrees clockwise from north.
    public static func bearings(_ bearings: [Double]) -> Self { Self().bearings(bearings) }

    /// A sweep with pictures at the bearings 0, `step`, 2 · `step` … degrees, below 360.
    public static func bearings(every step: Double) -> Self { Self().bearings(every: step) }

    /// A copy of this sweep with these tilts, in degrees from straight down.
    public func tilts(_ tilts: [Double]) -> Self {
        var sweep = self
        (sweep.tilts, sweep.meantTilts) = (tilts, 0)
        return sweep
    }

    /// A copy of this sweep whose tilts are 0, `step`, 2 · `step` … degrees, up to the maximum tilt of a camera.
    package func tilts(every step: Double) -> Self {
        var sweep = self
        (sweep.tilts, sweep.meantTilts) = Self.steps(step, below: Camera.tiltRange.upperBound.nextUp)
        return sweep
    }

    /// A copy of this sweep with these bearings, in degrees clockwise from north.
    public func bearings(_ bearings: [Double]) -> Self {
        var sweep = self
        (sweep.bearings, sweep.meantBearings) = (bearings, 0)
        return sweep
    }

    /// A copy of this sweep whose bearings are 0, `step`, 2 · `step` … degrees, below 360.
    public func bearings(every step: Double) -> Self {
        var sweep = self
        (sweep.bearings, sweep.meantBearings) = Self.steps(step, below: 360)
        return sweep
    }

    /// 0, `step`, 2 · `step` … below a limit, at most one more than a sweep may have; empty if the step is not positive. Also returns their
    /// full number.
    private static func steps(_ step: Double, below limit: Double) -> (values: [Double], count: Double) {
        guard step > 0 else { return ([], 0) }
        let values = Array((0...mostViews).lazy.map { Double($0) * step }.prefix { $0 < limit })
        return (values, values.count > mostViews ? (limit / step).rounded(.up) : Double(values.count))
    }
}

/// One camera of a sweep.
public struct SweepView: Hashable, Sendable {
    /// The tilt in degrees; nil to use the tilt of the map's camera.
    public var tilt: Double?
    /// The bearing in degrees clockwise from north; nil to use the bearing of the map's camera.
    public var bearing: Double?
    /// The row of this picture in the film strip.
    public var row: Int
    /// The column of this picture in the film strip.
    public var column: Int

    /// The view with the unchanged camera.
    public static let unchanged = Self(tilt: nil, bearing: nil, row: 0, column: 0)

    /// A name such as `tilt-30-bearing-045`, in which numbers have leading zeros so that names sort correctly; `view` for the unchanged
    /// camera.
    public var name: String {
        let parts = [tilt.map { "tilt-\(Self.padded($0, 2))" }, bearing.map { "bearing-\(Self.padded($0, 3))" }].compactMap(\.self)
        return parts.isEmpty ? "view" : parts.joined(separator: "-")
    }

    /// A title such as `tilt 30, bearing 45`; empty for the unchanged camera.
    public var title: String {
        [tilt.map { "tilt \(plain($0))" }, bearing.map { "bearing \(plain($0))" }].compactMap(\.self).joined(separator: ", ")
    }

    private static func padded(_ value: Double, _ digits: Int) -> String {
        let text = plain(abs(value))
        let whole = text.prefix { $0 != "." }.count
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - whole)) + text
    }
}

extension CameraSweep {
    /// All views of the sweep, row by row.
    /// - Throws: `PropertyError` if a value is out of range or given twice, or if there are more than 1,000 pictures.
    public func views() throws(PropertyError) -> [SweepView] {
        for (index, tilt) in tilts.enumerated() { try PropertyError.check(tilt, in: Camera.tiltRange, "tilts[\(index)]") }
        for (index, bearing) in bearings.enumerated() { try PropertyError.check(bearing, in: .finite, "bearings[\(index)]") }
        for (path, values) in [("tilts", tilts), ("bearings", bearings)] {
            var known: Set<Double> = []
            for (index, value) in values.enumerated() where !known.insert(value).inserted {
                throw PropertyError(path: "\(path)[\(index)]", problem: "\(plain(value)) is listed twice")
            }
        }
        let rows: [Double?] = tilts.isEmpty ? [nil] : tilts
        let columns: [Double?] = bearings.isEmpty ? [nil] : bearings
        guard rows.count * columns.count <= Self.mostViews else {
            let (rows, columns) = (max(Double(rows.count), meantTilts), max(Double(columns.count), meantBearings))
            throw PropertyError(
                path: columns > rows ? "bearings" : "tilts",
                problem: "a sweep may have at most \(Self.mostViews) pictures, not \(plain(rows)) × \(plain(columns))")
        }
        return rows.enumerated().flatMap { row, tilt in
            columns.enumerated().map { column, bearing in SweepView(tilt: tilt, bearing: bearing, row: row, column: column) }
        }
    }
}

extension SweepView {
    /// The given camera with this view's tilt and bearing.
    public func applied(to camera: Camera) -> Camera {
        var camera = camera
        if let tilt { camera.tilt = tilt }
        if let bearing { camera.bearing = bearing }
        return camera
    }
}
