// Functions that return the value a decoder expects, or throw an error with the key path and the value found instead.
extension JSONValue {
    package func readNumber() throws(SceneFileError) -> Double {
        guard let double else { throw unexpected("a number") }
        return double
    }

    /// A number within bounds; an infinite bound means no bound.
    package func readNumber(in range: ClosedRange<Double>) throws(SceneFileError) -> Double {
        let number = try readNumber()
        guard let problem = range.problem(of: number, text: number.plainText) else { return number }
        throw error(problem)
    }

    /// An integer within bounds; `Int.min` and `Int.max` mean no bound.
    package func readInteger(in range: ClosedRange<Int> = .min ... .max) throws(SceneFileError) -> Int {
        let lower = range.lowerBound == .min ? nil : "\(range.lowerBound)"
        let upper = range.upperBound == .max ? nil : "\(range.upperBound)"
        guard let int else {
            // An integer beyond the range of Int.
            if let double, double == double.rounded() { throw outside(lower, upper, isBelow: double < 0) }
            throw unexpected("a whole number")
        }
        if range.contains(int) { return int }
        throw outside(lower, upper, isBelow: int < range.lowerBound)
    }

    package func readBoolean() throws(SceneFileError) -> Bool {
        guard let bool else { throw unexpected("true or false") }
        return bool
    }

    package func readString() throws(SceneFileError) -> String {
        guard let string else { throw unexpected("a string") }
        return string
    }

    package func readArray() throws(SceneFileError) -> Elements {
        guard let elements else { throw unexpected("an array") }
        return elements
    }

    /// An array with a bounded number of elements.
    package func readArray(count range: ClosedRange<Int>) throws(SceneFileError) -> Elements {
        let elements = try readArray()
        if !range.contains(count) {
            let expected = range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
            throw error("expected \(expected) elements, found \(count)")
        }
        return elements
    }

    /// The members of an object whose keys are data (`images`), in file order. Throws if a key is repeated.
    package func readMembers() throws(SceneFileError) -> [(key: String, value: JSONValue)] {
        guard let members else { throw unexpected("an object") }
        let list = Array(members)
        var keys = Set<String>(minimumCapacity: list.count)
        for member in list where !keys.insert(member.key).inserted { throw repeated(member.key) }
        return list
    }

    /// Reads an object. Its known keys are the keys that `body` requests. After that, an unknown or repeated key is an error.
    /// - Parameter synonyms: Names used by other libraries, mapped to the keys here.
    package func readObject<Result>(
        synonyms: [String: String] = [:], _ body: (inout ObjectReader) throws(SceneFileError) -> Result
    ) throws(SceneFileError) -> Result {
        var reader = try ObjectReader(self)
        let result = try body(&reader)
        try reader.finish(synonyms: synonyms)
        return result
    }
}

extension JSONValue {
    /// The error for an unexpected value: `expected a number, found the string "12"`.
    package func unexpected(_ expected: String) -> SceneFileError { error("expected \(expected), found \(brief)") }

    func repeated(_ key: String) -> SceneFileError { error("the key \(key.quotedBriefly) appears twice") }

    /// A short description of the value.
    package var brief: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "the string \((string ?? "").quotedBriefly)"
        case .number: numberText
        case .boolean: bool == true ? "true" : "false"
        case .null: "null"
        }
    }

    /// A number as text: an integer with all its digits, as in templates.
    var numberText: String { int.map { "\($0)" } ?? double.map(\.plainText) ?? "" }

    /// The error for a number outside its bounds; nil means no bound, or only the limit of the type.
    private func outside(_ lower: String?, _ upper: String?, isBelow: Bool) -> SceneFileError {
        switch (lower, upper) {
        case (let lower?, let upper?): error("\(numberText) is outside \(lower)…\(upper)")
        case (let lower?, nil) where isBelow: error("\(numberText) is less than \(lower)")
        case (nil, let upper?) where !isBelow: error("\(numberText) is more than \(upper)")
        default: error("\(numberText) is outside \(lower ?? "\(Int.min)")…\(upper ?? "\(Int.max)")")
        }
    }
}
