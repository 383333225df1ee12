/// The features of a layer, in columns. No object exists per feature.
///
/// The parts of feature `f` have the indices `partStarts[f]..<partStarts[f + 1]`: the lines of lines, the rings of polygons, or one part that
/// holds all points. The points of part `p` have the indices `pointStarts[p]..<pointStarts[p + 1]`, and point `i` is at
/// `coordinates[2 * i]`, `coordinates[2 * i + 1]`.
///
/// The last point of a ring is joined to its first. Rings may cross themselves or each other, as they do in the tile. Lines of one point and
/// rings that enclose no area are left out.
package struct FeatureColumns: Sendable {
    /// The kind of each feature.
    package internal(set) var kinds: [VectorGeometry] = []
    /// The number that identifies each feature within its layer; 0 if it has none.
    package internal(set) var ids: [UInt64] = []
    /// The first part of each feature, followed by the number of all parts.
    package internal(set) var partStarts: [Int32] = [0]
    /// The first point of each part, followed by the number of all points.
    package internal(set) var pointStarts: [Int32] = [0]
    /// Whether each part is a hole in the exterior ring before it.
    ///
    /// A ring is an exterior ring if it turns like the first ring of its feature. In version 2, these turn clockwise on the map; in version 1,
    /// the direction is open, and only the rings of one feature can be compared.
    package internal(set) var areHoles: [Bool] = []
    /// The x and y coordinates of all points, alternating: to the right and down from the tile's upper left corner, in the units of the
    /// layer's extent, at most 2²⁹ in magnitude. Coordinates outside 0…extent lie in the margin around the tile.
    package internal(set) var coordinates: [Int32] = []
    /// The first attribute of each feature, followed by the number of all attributes.
    package internal(set) var attributeStarts: [Int32] = [0]
    /// The indices of the key and of the value of each attribute, alternating. Both exist in the layer.
    package internal(set) var attributes: [UInt32] = []
}

/// The kind of a feature's geometry.
package enum VectorGeometry: UInt8, Sendable {
    /// The tile states no kind, or one that the format does not know. Such a feature has no parts.
    case unknown, points, lines, polygons
}

extension FeatureColumns {
    package var count: Int { kinds.count }

    /// The indices of the parts of a feature.
    package func parts(of feature: Int) -> Range<Int> { Int(partStarts[feature])..<Int(partStarts[feature + 1]) }

    /// The indices of the points of a part.
    package func points(of part: Int) -> Range<Int> { Int(pointStarts[part])..<Int(pointStarts[part + 1]) }

    /// The indices of the attributes of a feature.
    package func attributes(of feature: Int) -> Range<Int> { Int(attributeStarts[feature])..<Int(attributeStarts[feature + 1]) }

    /// The index of the value that a feature has for a key; nil if it has none. If the feature has several, the first counts.
    package func value(of feature: Int, key: Int) -> Int? {
        for attribute in attributes(of: feature) where Int(attributes[2 * attribute]) == key {
            return Int(attributes[2 * attribute + 1])
        }
        return nil
    }
}
