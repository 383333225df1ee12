import Foundation
import WaymarkGeo
import WaymarkImaging

/// One property of a kind of object: an entry of its ``PropertyTable``.
///
/// Decoding, validation, copying, templates, the JSON Schema and the reference tables of `docs/scene.md` all read it.
package struct Property: Sendable {
    /// The name in Swift and the key in scene files.
    package let name: String
    package let type: PropertyType
    /// The change that the setter records in the map's log of changes. A test checks this.
    package let changes: ChangedProperties
    /// How a template sets the property for each feature; nil if templates cannot set it.
    package internal(set) var template: TemplateUse?
    /// Whether the property is required in scene files.
    package internal(set) var isRequired = false
    /// Whether the property's value is part of a value shared among objects, such as a ``CaptionStyle``, which is copied and checked as a
    /// whole.
    package internal(set) var isShared = false
    /// One line of documentation in Markdown, with the unit.
    package let summary: String

    /// Copies the value from the first object to the second.
    package internal(set) var copy: @Sendable (AnyObject, AnyObject) -> Void
    /// Whether two objects have the same value.
    package internal(set) var isEqual: @Sendable (AnyObject, AnyObject) -> Bool
    /// Returns the error in the value of an object; nil for a property that accepts any value.
    var problem: (@Sendable (AnyObject) -> PropertyError?)?
}

/// How a template sets a property.
package enum TemplateUse: Sendable {
    /// Any text. Names in braces that the feature lacks are removed.
    case text
    /// A name, which may look like a number.
    case name
    /// A number, a boolean, a list, or a text that can be parsed as one of these.
    case value
}

/// Gets and sets a property of an object, which is always of the table's kind.
///
/// These are closures, because key paths take six times as long to set a value (1.3 µs instead of 0.2 µs per marker, measured by setting
/// six numbers of a million markers): the compiler does not optimize a stored key path.
package struct Accessor<Value>: Sendable {
    package let get: @Sendable (AnyObject) -> Value
    package let set: @Sendable (AnyObject, Value) -> Void
}

/// The values that a property accepts, and their form in scene files.
package enum PropertyType: Sendable {
    case number(Accessor<Double?>, in: ClosedRange<Double>)
    /// A length in pt; 0 is written as `auto`.
    case size(Accessor<Double>, in: ClosedRange<Double>)
    /// Any integer, or one of the allowed integers.
    case integer(Accessor<Int>, allowed: [Int]?)
    /// An integer in a range.
    case wholeNumber(Accessor<Int?>, in: ClosedRange<Int>)
    case boolean(Accessor<Bool?>)
    case text(Accessor<String?>, TextForm)
    case color(Accessor<Color?>)
    case image(Accessor<OverlayImage?>)
    /// `[x, y]`
    case point(Accessor<CGPoint>, in: ClosedRange<Double>)
    /// `[x, y, z]`, with a length other than 0.
    case direction(Accessor<SIMD3<Double>>)
    case position(Accessor<LatLng?>, latitudes: ClosedRange<Double>)
    /// `[west, south, east, north]`
    case bounds(Accessor<LatLngBounds?>)
    /// One of the names, stored as its index; ``PropertyList/unset`` if none is set.
    case choice(Accessor<Int>, names: [String])
    /// One of the names, or a list of them.
    case choices(Accessor<[Int]>, names: [String])
    /// Integer zoom levels.
    case zoomLevels(Accessor<ZoomLevels>)
    /// The lengths of dashes and gaps in pt.
    case pattern(Accessor<[Double]>)
    /// A color, or a scale of the values of a line's points.
    case lineColor(Accessor<LineColor>)
    /// `[[share of the length, color], …]`
    case gradient(Accessor<[Scale<Color>.Stop]>)
    /// Lists of numbers, one for each point of a line, by name.
    case pointValues(Accessor<[String: [Double?]]>)
    case line(Accessor<[LatLng]>)
    case lines(Accessor<[[LatLng]]>)
    case rings(Accessor<[[LatLng]]>)
    case polygons(Accessor<[[[LatLng]]]>)
    /// The content of a view; nil without content.
    case content(Accessor<OverlayContent?>)
    /// An object with its own properties.
    case object(Accessor<AnyObject>, PropertyList)
    case objects(Accessor<[AnyObject]>, PropertyList, atMost: Int)
    /// A key of scene files to which no property corresponds, or whose property has a different form.
    case part(ScenePart)
    /// A key that similar kinds have but this kind lacks, with the reason.
    case refused(String)
}

/// The required form of a text.
package enum TextForm: Sendable {
    case free
    /// Not empty.
    case identifier
    /// A BCP 47 tag.
    case languageTag
}

/// The keys that the scene reader handles itself, because it needs more than the value.
package enum ScenePart: Sendable {
    case type, version, fit, camera
    case images, sky, baseMap, tileSource, languages, symbols, overlays
    case source
    case markerTemplate, polylineTemplate, polygonTemplate, symbolTemplate
    case floatMesh, geoMesh, modelFile
    case clusterMarkers, theme, usesAltitude
    case infoWindow, stack, svg, events, elements
}

/// Mutually exclusive keys: an object has exactly one, or at most one, of them.
package struct ExclusiveKeys: Sendable {
    package let names: [String]
    /// The message if more than one is present, reported at the value of the key `reportedAt`.
    package let problem: String
    package let reportedAt: String
    /// The message if all are missing; nil if all may be missing.
    package let missing: String?

    package init(names: [String], problem: String, reportedAt: String, missing: String?) {
        (self.names, self.problem, self.reportedAt, self.missing) = (names, problem, reportedAt, missing)
    }
}

/// A reference to a value, so that properties can be set on it as on an object.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
