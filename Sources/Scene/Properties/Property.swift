import Foundation
import WaymarkGeo
import WaymarkImaging

/// One property of a kind of object: a line of its ``PropertyTable``.
///
/// Decoding, validation, copying, templates, the JSON Schema and the reference tables of `docs/scene.md` all read it.
package struct Property: Sendable {
    /// The name in Swift and the key in scene files.
    package let name: String
    package let type: PropertyType
    /// What setting it notes in the journal of its map. The setter does the noting; a test compares the two.
    package let changes: Journal.Change
    /// How a template sets it for each feature; nil where it cannot.
    package internal(set) var template: TemplateUse?
    /// Whether scene files must have it.
    package internal(set) var isRequired = false
    /// Whether its value is stored in one that objects share, which is copied and checked as a whole: a ``CaptionStyle``.
    package internal(set) var isShared = false
    /// One line of documentation in Markdown, with the unit.
    package let summary: String

    /// Copies the value from the first object to the second.
    let copy: @Sendable (AnyObject, AnyObject) -> Void
    /// Whether two objects have the same value.
    let isEqual: @Sendable (AnyObject, AnyObject) -> Bool
    /// What is wrong with the value of an object; nil for a property that takes any value.
    var problem: (@Sendable (AnyObject) -> PropertyError?)?
}

/// How a template sets a property.
package enum TemplateUse: Sendable {
    /// Any text; what is missing in a feature is empty in it.
    case text
    /// A name, which may look like a number.
    case name
    /// A number, a boolean, a list, or a text that reads as one.
    case value
}

/// How the value of a property is read from an object and written to it. The object is always one of the kind whose table it is in.
///
/// Closures, since key paths take six times as long to set a value (1.3 µs instead of 0.2 µs for six numbers of a million markers):
/// the compiler does not optimize a key path that is stored.
package struct Accessor<Value>: Sendable {
    package let get: @Sendable (AnyObject) -> Value
    package let set: @Sendable (AnyObject, Value) -> Void
}

/// What values a property takes, and how they are written in scene files.
package enum PropertyType: Sendable {
    case number(Accessor<Double?>, in: ClosedRange<Double>)
    /// A length in pt, or `auto` for 0.
    case size(Accessor<Double>, in: ClosedRange<Double>)
    /// Any integer, or one of a few.
    case integer(Accessor<Int>, allowed: [Int]?)
    case boolean(Accessor<Bool?>)
    case text(Accessor<String?>, TextForm)
    case color(Accessor<Color?>)
    case image(Accessor<OverlayImage?>)
    /// `[x, y]`
    case point(Accessor<CGPoint>, in: ClosedRange<Double>)
    /// `[x, y, z]`, not of length 0.
    case direction(Accessor<Vector3D>)
    case position(Accessor<LatLng?>, latitudes: ClosedRange<Double>)
    /// One of some names, by its place among them.
    case choice(Accessor<Int>, names: [String])
    /// One of some names or a list of them.
    case choices(Accessor<[Int]>, names: [String])
    /// Whole zoom levels.
    case zoomLevels(Accessor<ZoomLevels>)
    /// The lengths of dashes and gaps in pt.
    case pattern(Accessor<[Double]>)
    case line(Accessor<[LatLng]>)
    case lines(Accessor<[[LatLng]]>)
    case rings(Accessor<[[LatLng]]>)
    case polygons(Accessor<[[[LatLng]]]>)
    /// An object with properties of its own.
    case object(Accessor<AnyObject>, PropertyList)
    case objects(Accessor<[AnyObject]>, PropertyList, atMost: Int)
    /// Something that scene files have and objects do not, or not in that form.
    case part(ScenePart)
    /// A key that others of its like have and this kind has not, with the reason.
    case refused(String)
}

/// What a text must look like.
package enum TextForm: Sendable {
    case free
    /// Not empty.
    case identifier
    /// A BCP 47 tag.
    case languageTag
}

/// What the reader of scene files reads by itself, since it takes more than the value.
package enum ScenePart: Sendable {
    case type, version, fit, camera
    case images, symbols, overlays
    case source
    case markerTemplate, polylineTemplate, polygonTemplate, symbolTemplate
    case floatMesh, geoMesh, modelFile
}

/// Keys of which a scene file has exactly one, or at most one.
package struct ExclusiveKeys: Sendable {
    package let names: [String]
    /// What is wrong when there are two; said of the value of `reportedAt`.
    package let problem: String
    package let reportedAt: String
    /// What is wrong when there is none; nil when that is fine.
    package let missing: String?
}

/// A value that properties can be set on as on an object.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}

extension ClosedRange<Double> {
    /// Any finite number.
    package static var finite: Self { -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude }
    /// A number of 0 or more.
    package static var notNegative: Self { 0...Double.infinity }

    /// A number above 0.
    package static func positive(through limit: Double) -> Self { 0.nextUp...limit }

    /// Whether this is one of ``positive(through:)``.
    package var isPositive: Bool { lowerBound == 0.nextUp }

    /// What is wrong with a number, in the same words wherever it comes from; nil when it is in the range.
    /// - Parameter text: The number as messages print it.
    package func problem(of value: Double, text: @autoclosure () -> String) -> String? {
        if contains(value) { return nil }
        let (text, upper) = (text(), plain(upperBound))
        if self == .finite { return "\(text) is not a finite number" }
        if isPositive { return "\(text) is not above 0 and at most \(upper)" }
        if lowerBound == -.infinity { return "\(text) is more than \(upper)" }
        if upperBound == .infinity { return "\(text) is less than \(plain(lowerBound))" }
        return "\(text) is outside \(plain(lowerBound))…\(upper)"
    }
}
