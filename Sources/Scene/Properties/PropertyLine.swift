import Foundation
import WaymarkGeo
import WaymarkImaging

/// An enumeration whose cases have names in scene files.
package protocol NamedChoice: CaseIterable, Equatable, Sendable {
    /// The name of the case.
    var choiceName: String { get }
}

extension NamedChoice where Self: RawRepresentable<String> {
    package var choiceName: String { rawValue }
}

// The entries of tables, one function for each type of value. `get` and `set` access the property.
extension PropertyLine {
    package typealias Getter<Value> = @Sendable (Kind) -> Value
    package typealias Setter<Value> = @Sendable (Kind, Value) -> Void

    /// A number; nil if it is not set.
    package static func number(
        _ name: String, _ get: @escaping Getter<Double?>, _ set: @escaping Setter<Double>, in range: ClosedRange<Double> = .finite,
        changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        make(
            name, get, { if let value = $1 { set($0, value) } }, { .number($0, in: range) }, changes, .value, summary,
            problem: { $0.flatMap { range.error(of: $0, name) } })
    }

    /// A length in pt; 0 is written as `auto`.
    package static func size(
        _ name: String, _ get: @escaping Getter<Double>, _ set: @escaping Setter<Double>, changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        let range = Marker.sizeRange
        return make(name, get, set, { .size($0, in: range) }, changes, .value, summary, problem: { range.error(of: $0, name) })
    }

    package static func integer(
        _ name: String, _ get: @escaping Getter<Int>, _ set: @escaping Setter<Int>, allowed: [Int]? = nil, changes: ChangedProperties = [],
        _ summary: String
    ) -> Self {
        make(name, get, set, { .integer($0, allowed: allowed) }, changes, .value, summary)
    }

    /// An integer; nil if it is not set.
    package static func wholeNumber(
        _ name: String, _ get: @escaping Getter<Int?>, _ set: @escaping Setter<Int>, in range: ClosedRange<Int>,
        changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        make(
            name, get, { if let value = $1 { set($0, value) } }, { .wholeNumber($0, in: range) }, changes, .value, summary,
            problem: { value in
                guard let value, !range.contains(value) else { return nil }
                return PropertyError(path: name, problem: "\(value) is outside \(range.lowerBound)…\(range.upperBound)")
            })
    }

    /// The content of a view. It is checked when it is drawn.
    package static func content(
        _ name: String, _ get: @escaping Getter<OverlayContent?>, _ set: @escaping Setter<OverlayContent?>, changes: ChangedProperties = [],
        _ summary: String
    ) -> Self {
        make(name, get, set, { .content($0) }, changes, .value, summary)
    }

    /// A boolean; nil if it is not set.
    package static func boolean(
        _ name: String, _ get: @escaping Getter<Bool?>, _ set: @escaping Setter<Bool>, changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        make(name, get, { if let value = $1 { set($0, value) } }, { .boolean($0) }, changes, .value, summary)
    }

    package static func text(
        _ name: String, _ get: @escaping Getter<String?>, _ set: @escaping Setter<String?>, form: TextForm = .free,
        changes: ChangedProperties = [], template: TemplateUse = .text, _ summary: String
    ) -> Self {
        make(name, get, set, { .text($0, form) }, changes, template, summary)
    }

    package static func color(
        _ name: String, _ get: @escaping Getter<Color?>, _ set: @escaping Setter<Color>, changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        make(
            name, get, { if let value = $1 { set($0, value) } }, { .color($0) }, changes, .value, summary,
            problem: { $0?.error(name) })
    }

    package static func image(
        _ name: String, _ get: @escaping Getter<OverlayImage?>, _ set: @escaping Setter<OverlayImage?>, changes: ChangedProperties = [],
        _ summary: String
    ) -> Self {
        make(name, get, set, { .image($0) }, changes, .name, summary)
    }

    package static func point(
        _ name: String, _ get: @escaping Getter<CGPoint>, _ set: @escaping Setter<CGPoint>, in range: ClosedRange<Double>,
        changes: ChangedProperties, _ summary: String
    ) -> Self {
        make(
            name, get, set, { .point($0, in: range) }, changes, .value, summary,
            problem: { range.error(of: $0.x, "\(name).x") ?? range.error(of: $0.y, "\(name).y") })
    }

    package static func direction(
        _ name: String, _ get: @escaping Getter<SIMD3<Double>>, _ set: @escaping Setter<SIMD3<Double>>, changes: ChangedProperties,
        _ summary: String
    ) -> Self {
        make(
            name, get, set, { .direction($0) }, changes, nil, summary,
            problem: { vector in
                for (axis, value) in [("x", vector.x), ("y", vector.y), ("z", vector.z)] {
                    if let error = ClosedRange<Double>.finite.error(of: value, "\(name).\(axis)") { return error }
                }
                return vector == .zero ? PropertyError(path: name, problem: "(0, 0, 0) has no direction") : nil
            })
    }

    package static func position(
        _ name: String, _ get: @escaping Getter<LatLng?>, _ set: @escaping Setter<LatLng>, latitudes: ClosedRange<Double> = -90...90,
        changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        make(
            name, get, { if let value = $1 { set($0, value) } }, { .position($0, latitudes: latitudes) }, changes, nil, summary,
            problem: { $0.flatMap { CoordinateCheck.problem($0, name) } })
    }

    package static func bounds(
        _ name: String, _ get: @escaping Getter<LatLngBounds?>, _ set: @escaping Setter<LatLngBounds?>, changes: ChangedProperties,
        _ summary: String
    ) -> Self {
        make(name, get, set, { .bounds($0) }, changes, nil, summary)
    }

    package static func choice<Choice: NamedChoice>(
        _ name: String, _ get: @escaping Getter<Choice>, _ set: @escaping Setter<Choice>, changes: ChangedProperties, _ summary: String
    ) -> Self {
        let cases = Array(Choice.allCases)
        return make(
            name, { cases.firstIndex(of: get($0)) ?? 0 }, { set($0, cases[$1]) }, { .choice($0, names: cases.map(\.choiceName)) }, changes,
            .name, summary)
    }

    /// A choice; nil if it is not set.
    package static func choice<Choice: NamedChoice>(
        _ name: String, _ get: @escaping Getter<Choice?>, _ set: @escaping Setter<Choice>, _ summary: String
    ) -> Self {
        let cases = Array(Choice.allCases)
        return make(
            name, { get($0).flatMap { cases.firstIndex(of: $0) } ?? PropertyList.unset }, { set($0, cases[$1]) },
            { .choice($0, names: cases.map(\.choiceName)) }, [], .name, summary)
    }

    package static func choices<Choice: NamedChoice>(
        _ name: String, _ get: @escaping Getter<[Choice]>, _ set: @escaping Setter<[Choice]>, changes: ChangedProperties, _ summary: String
    ) -> Self {
        let cases = Array(Choice.allCases)
        return make(
            name, { get($0).compactMap { cases.firstIndex(of: $0) } }, { object, places in set(object, places.map { cases[$0] }) },
            { .choices($0, names: cases.map(\.choiceName)) }, changes, .name, summary,
            problem: { value in
                PropertyList.problem(choices: value.count, of: cases.count).map { PropertyError(path: name, problem: $0) }
            })
    }

    package static func zoomLevels(
        _ name: String, _ get: @escaping Getter<ZoomLevels>, _ set: @escaping Setter<ZoomLevels>, changes: ChangedProperties,
        _ summary: String
    ) -> Self {
        make(name, get, set, { .zoomLevels($0) }, changes, .value, summary)
    }

    package static func pattern(
        _ name: String, _ get: @escaping Getter<[Double]>, _ set: @escaping Setter<[Double]>, changes: ChangedProperties, _ summary: String
    ) -> Self {
        make(
            name, get, set, { .pattern($0) }, changes, .value, summary,
            problem: { pattern in
                for (index, length) in pattern.enumerated() {
                    if let error = Polyline.patternRange.error(of: length, "\(name)[\(index)]") { return error }
                }
                return PropertyList.problem(pattern: pattern).map { PropertyError(path: name, problem: $0) }
            })
    }
}

// The colors of lines.
extension PropertyLine where Kind: Polyline {
    /// The color of a line, and the scale that replaces it.
    package static func lineColor(
        _ name: String, _ get: @escaping Getter<LineColor>, _ set: @escaping Setter<LineColor>, changes: ChangedProperties,
        _ summary: String
    ) -> Self {
        make(
            name, get, set, { .lineColor($0) }, changes, .value, summary,
            problem: { $0.color?.error(name) ?? $0.scale?.problem?.within(name) })
    }

    package static func gradient(
        _ name: String, _ get: @escaping Getter<[Scale<Color>.Stop]>, _ set: @escaping Setter<[Scale<Color>.Stop]>,
        changes: ChangedProperties, _ summary: String
    ) -> Self {
        make(
            name, get, set, { .gradient($0) }, changes, .value, summary,
            problem: { PropertyList.problem(gradient: $0, name) })
    }

    package static func pointValues(
        _ name: String, _ get: @escaping Getter<[String: [Double?]]>, _ set: @escaping Setter<[String: [Double?]]>,
        problem: @escaping Getter<PropertyError?>, _ summary: String
    ) -> Self {
        make(name, get, set, { .pointValues($0) }, .style, nil, summary).checked(problem)
    }
}

// The geometry of shapes and models. The object itself validates it, once for each change.
extension PropertyLine {
    package static func line(_ name: String, _ get: @escaping Getter<[LatLng]>, _ set: @escaping Setter<[LatLng]>, _ summary: String)
        -> Self
    {
        make(name, get, set, { .line($0) }, .geometry, nil, summary)
    }

    package static func lines(
        _ name: String, _ get: @escaping Getter<[[LatLng]]>, _ set: @escaping Setter<[[LatLng]]>,
        problem: @escaping Getter<PropertyError?>, _ summary: String
    ) -> Self {
        make(name, get, set, { .lines($0) }, .geometry, nil, summary).checked(problem)
    }

    package static func rings(_ name: String, _ get: @escaping Getter<[[LatLng]]>, _ set: @escaping Setter<[[LatLng]]>, _ summary: String)
        -> Self
    {
        make(name, get, set, { .rings($0) }, .geometry, nil, summary)
    }

    package static func polygons(
        _ name: String, _ get: @escaping Getter<[[[LatLng]]]>, _ set: @escaping Setter<[[[LatLng]]]>,
        problem: @escaping Getter<PropertyError?>, _ summary: String
    ) -> Self {
        make(name, get, set, { .polygons($0) }, .geometry, nil, summary).checked(problem)
    }

    /// An object with its own properties, which are in `table`.
    package static func object<Nested: AnyObject>(
        _ name: String, _ get: @escaping Getter<Nested>, _ set: @escaping Setter<Nested>, _ table: PropertyTable<Nested>,
        changes: ChangedProperties = [], _ summary: String
    ) -> Self {
        let list = table.list
        let accessor = Accessor<AnyObject>(
            get: { get(unsafeDowncast($0, to: Kind.self)) },
            set: { set(unsafeDowncast($0, to: Kind.self), unsafeDowncast($1, to: Nested.self)) })
        return Self(
            property: Property(
                name: name, type: .object(accessor, list), changes: changes, template: nil, summary: summary,
                copy: { accessor.set($1, accessor.get($0)) },
                isEqual: { a, b in list.properties.allSatisfy { $0.isEqual(accessor.get(a), accessor.get(b)) } },
                problem: { list.firstProblem(accessor.get($0))?.within(name) }))
    }

    package static func objects<Nested: AnyObject>(
        _ name: String, _ get: @escaping Getter<[Nested]>, _ set: @escaping Setter<[Nested]>, _ table: PropertyTable<Nested>, atMost: Int,
        changes: ChangedProperties, _ summary: String
    ) -> Self {
        let list = table.list
        let accessor = Accessor<[AnyObject]>(
            get: { get(unsafeDowncast($0, to: Kind.self)) },
            set: { object, values in set(unsafeDowncast(object, to: Kind.self), values.map { unsafeDowncast($0, to: Nested.self) }) })
        return Self(
            property: Property(
                name: name, type: .objects(accessor, list, atMost: atMost), changes: changes, template: nil, summary: summary,
                copy: { accessor.set($1, accessor.get($0)) },
                isEqual: { accessor.get($0).map(ObjectIdentifier.init) == accessor.get($1).map(ObjectIdentifier.init) },
                problem: { object in
                    for (index, value) in accessor.get(object).enumerated() {
                        if let problem = list.firstProblem(value) { return problem.within("\(name)[\(index)]") }
                    }
                    return nil
                }))
    }

    /// A key that the scene reader handles itself.
    package static func part(
        _ name: String, _ part: ScenePart, changes: ChangedProperties = [], problem: Getter<PropertyError?>? = nil, _ summary: String
    ) -> Self {
        let line = Self(
            property: Property(
                name: name, type: .part(part), changes: changes, template: nil, summary: summary, copy: { _, _ in },
                isEqual: { _, _ in true }))
        return problem.map(line.checked) ?? line
    }

    /// A key that this kind does not have, with the reason.
    package static func refused(_ name: String, _ reason: String) -> Self {
        Self(
            property: Property(
                name: name, type: .refused(reason), changes: [], template: nil, summary: "", copy: { _, _ in }, isEqual: { _, _ in true }))
    }
}

extension PropertyLine {
    /// The same entry, required in scene files.
    package func required() -> Self { with { $0.isRequired = true } }

    /// The same entry for a property that identifies an object, so that templates do not set it and copies do not include it.
    package func fixed() -> Self { with { $0.template = nil } }

    /// The same entry for a property that is part of a value shared among objects.
    package func shared() -> Self { with { $0.isShared = true } }

    /// The same entry for a property whose default depends on the theme of the map.
    /// - Parameters:
    ///   - own: The value that was set; nil while it has its default.
    ///   - setOwn: Sets the value; nil restores the default.
    package func themed<Value: Equatable & Sendable>(_ own: @escaping Getter<Value?>, _ setOwn: @escaping Setter<Value?>) -> Self {
        with { property in
            // Unchecked: a table is only used with objects of its kind.
            property.copy = { setOwn(unsafeDowncast($1, to: Kind.self), own(unsafeDowncast($0, to: Kind.self))) }
            property.isEqual = { own(unsafeDowncast($0, to: Kind.self)) == own(unsafeDowncast($1, to: Kind.self)) }
        }
    }

    /// The same entry with its own check, whose error has the full path.
    private func checked(_ problem: @escaping Getter<PropertyError?>) -> Self {
        with { $0.problem = { problem(unsafeDowncast($0, to: Kind.self)) } }
    }

    private func with(_ edit: (inout Property) -> Void) -> Self {
        var line = self
        edit(&line.property)
        return line
    }

    /// - Parameter problem: Returns the error in a value.
    private static func make<Value: Equatable & Sendable>(
        _ name: String, _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>, _ type: (Accessor<Value>) -> PropertyType,
        _ changes: ChangedProperties, _ template: TemplateUse?, _ summary: String,
        problem: (@Sendable (Value) -> PropertyError?)? = nil
    ) -> Self {
        // The downcasts are safe: the list of a kind's table is only used with objects of that kind.
        let accessor = Accessor<Value>(
            get: { get(unsafeDowncast($0, to: Kind.self)) }, set: { set(unsafeDowncast($0, to: Kind.self), $1) })
        var property = Property(
            name: name, type: type(accessor), changes: changes, template: template, summary: summary,
            copy: { source, target in accessor.set(target, accessor.get(source)) },
            isEqual: { a, b in accessor.get(a) == accessor.get(b) })
        if let problem { property.problem = { object in problem(accessor.get(object)) } }
        return Self(property: property)
    }
}

extension PropertyList {
    /// The index that represents an unset choice.
    package static let unset = -1

    /// The error in the number of names in a list, or nil.
    package static func problem(choices count: Int, of known: Int) -> String? {
        if count == 0 { return "at least one alignment is required" }
        return count > known ? "\(count) alignments are given, but there are only \(known)" : nil
    }

    /// The error in the stops of a gradient, or nil.
    package static func problem(gradient stops: [Scale<Color>.Stop], _ path: String) -> PropertyError? {
        guard !stops.isEmpty else { return nil }
        for (index, stop) in stops.enumerated() {
            if let error = Polyline.gradientRange.error(of: stop.value, "\(path)[\(index)][0]") { return error }
        }
        return Scale<Color>.problem(stops, path)
    }

    /// The error in a pattern as a whole, or nil.
    package static func problem(pattern: [Double]) -> String? {
        guard pattern.count <= Polyline.maximumNumberOfPatternLengths else {
            return "the pattern has \(pattern.count) lengths; at most \(Polyline.maximumNumberOfPatternLengths) are allowed"
        }
        let sum = pattern.reduce(0, +)
        guard !pattern.isEmpty, !(sum >= Polyline.shortestPattern) else { return nil }
        return "the lengths add up to \(plain(sum)) pt; at least \(Polyline.shortestPattern) are required"
    }
}

extension Color {
    /// The error of a property whose color is invalid; nil if the color is valid.
    func error(_ path: @autoclosure () -> String) -> PropertyError? {
        isValid ? nil : PropertyError(path: path(), problem: "a channel is outside 0…1")
    }
}

extension PropertyError {
    /// The same error, with the path of the object that contains the property prepended.
    package func within(_ path: String) -> PropertyError { PropertyError(path: "\(path).\(self.path)", problem: problem) }
}
