// The names of properties, for hints.
extension FeatureChunks {
    /// The number of features whose properties are searched for names.
    private static let mostFeaturesForNames = 1000

    /// The names that are properties of at least one feature in the file.
    /// - Parameter names: The names to look for.
    func propertyNames(among names: [String]) -> Set<String> {
        let keys = names.map { Array($0.utf8) }
        var values = [JSONNode?](repeating: nil, count: keys.count)
        var found: Set<String> = []
        try? forEach { (feature, tape) throws(SceneFileError) in
            guard let properties = tape.member("properties", of: feature.node) else { return }
            tape.members(keys, of: properties, into: &values)
            for (name, value) in zip(names, values) where value != nil { found.insert(name) }
            // Ends the reading.
            if found.count == names.count { throw SceneFileError(path: "", problem: "") }
        }
        return found
    }

    /// The names of the properties of the features at the beginning of the file, which are representative.
    var propertyNames: [String] {
        var names: [String] = []
        var known: Set<String> = []
        try? forEach { (feature, tape) throws(SceneFileError) in
            // Ends the reading.
            if feature.index == Self.mostFeaturesForNames { throw SceneFileError(path: "", problem: "") }
            guard let properties = tape.member("properties", of: feature.node), var members = tape.members(of: properties) else { return }
            while let (key, _) = members.next(in: tape) {
                if let name = tape.string(of: key), known.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }
}
