import WaymarkGeo

/// All properties of a kind of object, in the order in which they are decoded, checked and documented.
package struct PropertyTable<Kind: AnyObject>: Sendable {
    package let list: PropertyList

    /// - Parameters:
    ///   - make: Creates a new object, whose values are the defaults.
    ///   - parent: The list whose properties come first; a property of the same name in `lines` replaces the inherited one.
    ///   - synonyms: Names used by other libraries, mapped to the names here.
    ///   - copyShared: Copies the value that holds the shared properties from one object to another.
    package init(
        _ make: @escaping @Sendable () -> Kind, inheriting parent: PropertyList? = nil, exclusive: [ExclusiveKeys] = [],
        synonyms: [String: String] = [:], copyShared: (@Sendable (_ source: Kind, _ target: Kind) -> Void)? = nil,
        _ lines: [PropertyLine<Kind>]
    ) {
        let own = lines.map(\.property)
        let names = Set(own.map(\.name))
        var copy: (@Sendable (AnyObject, AnyObject) -> Void)?
        if let copyShared {
            copy = { source, target in copyShared(unsafeDowncast(source, to: Kind.self), unsafeDowncast(target, to: Kind.self)) }
        }
        list = PropertyList(
            (parent?.properties.filter { !names.contains($0.name) } ?? []) + own, exclusive: (parent?.exclusive ?? []) + exclusive,
            synonyms: synonyms.merging(parent?.synonyms ?? [:]) { own, _ in own }, make: make, copyShared: copy)
    }

    package func make() -> Kind { unsafeDowncast(list.make(), to: Kind.self) }
}

/// An entry of a table under construction. Its type parameter, the kind of object, makes the compiler check the accessors.
package struct PropertyLine<Kind: AnyObject>: Sendable {
    package var property: Property
}

/// The properties of a kind of object, without the kind as a type parameter.
package final class PropertyList: Sendable {
    package let properties: [Property]
    package let exclusive: [ExclusiveKeys]
    /// Names used by other libraries, mapped to the names here.
    package let synonyms: [String: String]
    private let keys: KeyIndex
    private let makeObject: @Sendable () -> AnyObject
    fileprivate let copyShared: (@Sendable (AnyObject, AnyObject) -> Void)?
    private let checks: [Check]
    /// The indices of the properties named by `exclusive`.
    private let exclusivePlaces: [[Int]]

    private struct Check: Sendable {
        let isShared: Bool
        let problem: @Sendable (AnyObject) -> PropertyError?
    }

    init(
        _ properties: [Property], exclusive: [ExclusiveKeys], synonyms: [String: String],
        make: @escaping @Sendable () -> AnyObject, copyShared: (@Sendable (AnyObject, AnyObject) -> Void)?
    ) {
        self.properties = properties
        self.exclusive = exclusive
        self.synonyms = synonyms
        keys = KeyIndex(properties.map(\.name))
        makeObject = make
        self.copyShared = copyShared
        exclusivePlaces = exclusive.map { keys in
            keys.names.compactMap { name in properties.firstIndex { $0.name == name } }
        }
        checks = properties.compactMap { property in
            property.problem.map { Check(isShared: property.isShared, problem: $0) }
        }
    }
}

extension PropertyList {
    /// An object with every property at its default.
    package func make() -> AnyObject { makeObject() }

    /// The index of the property with the given UTF-8 name, found with a single lookup.
    package func index(of key: Span<UInt8>) -> Int? {
        guard let index = keys.candidate(key), properties[index].name.utf8.count == key.count else { return nil }
        return KeyIndex.isEqual(properties[index].name, key) ? index : nil
    }

    /// The first group of exclusive keys with more than one present, or with none present although one is required.
    /// - Parameter isPresent: Whether the scene has the property with the given index.
    package func firstConflict(_ isPresent: (Int) -> Bool) -> (keys: ExclusiveKeys, isMissing: Bool)? {
        for (keys, places) in zip(exclusive, exclusivePlaces) {
            let count = places.count(where: isPresent)
            if count > 1 || count == 0 && keys.missing != nil { return (keys, count == 0) }
        }
        return nil
    }

    /// The properties to check.
    enum CheckScope {
        case all
        /// Only the properties that are part of a value shared among objects, or only the others.
        case shared, unshared
    }

    /// The first property whose value is invalid, with the reason; nil if all values are valid.
    func firstProblem(_ object: AnyObject, _ scope: CheckScope = .all) -> PropertyError? {
        for check in checks where scope == .all || check.isShared == (scope == .shared) {
            if let problem = check.problem(object) { return problem }
        }
        return nil
    }
}

/// The values of an object that differ from the defaults, except its name and position. They are determined once, and then applied to any
/// number of objects of the same kind.
package struct PropertyCopy {
    private let source: AnyObject
    private let properties: [Property]
    private let copyShared: (@Sendable (AnyObject, AnyObject) -> Void)?

    package init(of source: AnyObject, _ list: PropertyList) {
        self.source = source
        let fresh = list.make()
        // The properties that a template can set and that differ from their defaults.
        let settings = list.properties.filter { $0.template != nil && !$0.isEqual(source, fresh) }
        properties = settings.filter { !$0.isShared }
        copyShared = properties.count < settings.count ? list.copyShared : nil
    }

    /// Applies the values to an object that has the defaults.
    package func apply(to object: AnyObject) {
        for property in properties { property.copy(source, object) }
        copyShared?(source, object)
    }
}

/// A hash table from names to their indices, with open addressing and linear probing.
private struct KeyIndex: Sendable {
    /// The hash and the index of a name; an index of -1 marks an empty cell.
    private var cells: [(hash: UInt32, index: Int32)]
    private let mask: UInt32

    init(_ names: [String]) {
        var size = 8
        // At most half full.
        while size < 2 * names.count { size *= 2 }
        cells = Array(repeating: (0, -1), count: size)
        mask = UInt32(size - 1)
        for (index, name) in names.enumerated() {
            var name = name
            let hash = name.withUTF8 { Self.hash($0.span) }
            var cell = Int(hash & mask)
            while cells[cell].index >= 0 {
                // A look-up could not distinguish two names with the same hash.
                precondition(cells[cell].hash != hash, "two names of one hash")
                cell = (cell + 1) & Int(mask)
            }
            cells[cell] = (hash, Int32(index))
        }
    }

    /// The only index whose name may equal the key; nil if there is none.
    func candidate(_ key: Span<UInt8>) -> Int? {
        let hash = Self.hash(key)
        var cell = Int(hash & mask)
        while cells[cell].index >= 0 {
            if cells[cell].hash == hash { return Int(cells[cell].index) }
            cell = (cell + 1) & Int(mask)
        }
        return nil
    }

    static func isEqual(_ name: String, _ key: Span<UInt8>) -> Bool {
        var position = 0
        for byte in name.utf8 {
            if byte != key[position] { return false }
            position += 1
        }
        return true
    }

    /// The 32-bit FNV-1a hash (RFC 9923).
    private static func hash(_ bytes: Span<UInt8>) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return hash
    }
}
