import WaymarkSystem
import WaymarkTiles

/// The reason why a vector tile cannot be read, or why a set of vector tiles cannot be used, with a one-sentence description.
package struct VectorTileError: Error, Equatable, Sendable {
    /// The kinds of failure.
    package enum Reason: Equatable, Sendable {
        /// The bytes are not a vector tile, or are damaged; the clause describes the damage.
        case damaged(String)
        /// The content exceeds a limit; the clause names the limit.
        case tooLarge(String)
        /// The version of the layer is not supported.
        case unsupportedVersion(UInt64)
        /// The layers belong to none of the known schemas.
        case unknownSchema(layers: [String])
        /// The archive contains pictures instead of vector tiles.
        case pictures
        /// The archive cannot be read.
        case archive(TileError)
    }

    package var reason: Reason
    /// The archive's path as given by the caller; nil until it is known.
    package var path: String?
    /// The address of the tile; nil if it is not known, or if no single tile is affected.
    package var address: TileAddress?
    /// The name of the layer; nil if no single layer is affected.
    package var layer: String?
    /// The number of the feature in its layer, counted from 0; nil if no single feature is affected.
    package var feature: Int?

    package init(
        _ reason: Reason, path: String? = nil, address: TileAddress? = nil, layer: String? = nil, feature: Int? = nil
    ) {
        self.reason = reason
        self.path = path
        self.address = address
        self.layer = layer
        self.feature = feature
    }
}

extension VectorTileError: CustomStringConvertible {
    /// One sentence in lower case, without a final period. It is preceded by the path, the tile, the layer and the feature, if known.
    /// Example: `land.pmtiles: tile 14/9327/11641: layer "water": feature 3: the geometry ends within a command`.
    package var description: String {
        if case .archive(let error) = reason { return "\(error)" }
        let place = [
            path?.quotedIfEmpty, address.map { "tile \($0)" }, layer.map { "layer \"\($0.shortened(to: 60))\"" },
            feature.map { "feature \($0)" },
        ]
        return (place.compactMap(\.self) + [sentence]).joined(separator: ": ").shortMessage
    }

    private var sentence: String {
        switch reason {
        case .damaged(let problem), .tooLarge(let problem): problem
        case .unsupportedVersion(let version): "version \(version) of the format MVT is not supported; only versions 1 and 2 are"
        case .unknownSchema(let layers): Self.unknownSchema(layers)
        case .pictures: "the archive contains pictures instead of vector tiles"
        case .archive(let error): "\(error)"
        }
    }

    /// Lists as many layers as fit into a message.
    private static func unknownSchema(_ layers: [String]) -> String {
        guard !layers.isEmpty else { return "the vector tiles have no layers" }
        var room = 180
        let names = layers.map { $0.shortened(to: 40).quotedIfEmpty }.prefix { name in
            room -= name.unicodeScalars.count + 2
            return room > 0
        }
        let more = names.count < layers.count ? " and \(layers.count - names.count) more" : ""
        let schemas = MapSchema.all.map(\.name).joined(separator: ", ")
        return "the layers of the vector tiles belong to no known schema (\(schemas)): \(names.joined(separator: ", "))\(more)"
    }
}

extension VectorTileError {
    /// - Parameter subject: The message with the problem: "the tile", "the layer", "the feature".
    init(_ problem: ProtobufProblem, subject: String, feature: Int? = nil) {
        let reason: Reason =
            switch problem {
            case .truncated: .damaged("\(subject) ends within a field")
            case .longNumber: .damaged("\(subject) contains a number with more than 64 bits")
            case .invalidField: .damaged("\(subject) contains an invalid field")
            case .tooMany(let what, let limit): .tooLarge("\(subject) has more than \(limit) \(what)")
            case .version(let version): .unsupportedVersion(version)
            case .other(let clause): .damaged(clause)
            }
        self.init(reason, feature: feature)
    }

    /// This error with the layer, unless it already has one.
    func inLayer(_ layer: String) -> VectorTileError {
        var error = self
        error.layer = error.layer ?? layer
        return error
    }

    /// This error with the path of the archive, unless it already has one, and with the tile.
    package func at(_ path: String?, _ address: TileAddress? = nil) -> VectorTileError {
        var error = self
        error.path = error.path ?? path
        error.address = error.address ?? address
        return error
    }
}
