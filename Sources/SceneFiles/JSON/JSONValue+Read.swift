// The value that a decoder expects, or an error with the key path and what was found instead.
extension JSONValue {
    package func readNumber() throws(SceneFileError) -> Double {
        guard let double else { throw unexpected("a number") }
        return double
    }

    /// A number within bounds; an infinite bound is none.
    package func readNumber(in range: ClosedRange<Double>) throws(SceneFileError) -> Double {
        let number = try readNumber()
        guard let problem = range.problem(of: number, text: number.plainText) else { return number }
        throw error(problem)
    }

    /// A whole number within bounds; `Int.min` and `Int.max` are none.
    package func readInteger(in range: ClosedRange<Int> = .min ... .max) throws(SceneFileError) -> Int {
        let lower = range.lowerBound == .min ? nil : "\(range.lowerBound)"
        let upper = range.upperBound == .max ? nil : "\(range.upperBound)"
        guard let int else {
            // Whole, but beyond Int.
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

    /// An array with a bounded count of elements.
    package func readArray(count range: ClosedRange<Int>) throws(SceneFileError) -> Elements {
        let elements = try readArray()
        if !range.contains(count) {
            let expected = range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
            throw error("expected \(expected) elements, found \(count)")
        }
        return elements
    }

    /// An object whose keys are data (`images`), in the order of the file. Throws when a key appears twice.
    package func readMembers() throws(SceneFileError) -> [(key: String, value: JSONValue)] {
        guard let members else { throw unexpected("an object") }
        let list = Array(members)
        var keys = Set<String>(minimumCapacity: list.count)
        for member in list where !keys.insert(member.key).inserted { throw repeated(member.key) }
        return list
    }

    /// An object with known keys: `body` asks for them, and then an unknown or repeated one throws.
    package func readObject<Result>(
        _ body: (inout ObjectReader) throws(SceneFileError) -> Result
    ) throws(SceneFileError) -> Result {
        var reader = try ObjectReader(self)
        let result = try body(&reader)
        try reader.finish()
        return result
    }
}

extension JSONValue {
    /// The error of a value that is not what was expected: `expected a number, found the string "12"`.
    package func unexpected(_ expected: String) -> SceneFileError { error("expected \(expected), found \(brief)") }

    func repeated(_ key: String) -> SceneFileError { error("key \(key.quotedBriefly) appears twice") }

    /// The value in a few words.
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

    private var numberText: String { int.map { "\($0)" } ?? double.map(\.plainText) ?? "" }

    /// The error of a number beyond one of two bounds; nil is a bound that is none, or no more than what fits a type.
    private func outside(_ lower: String?, _ upper: String?, isBelow: Bool) -> SceneFileError {
        switch (lower, upper) {
        case (let lower?, let upper?): error("\(numberText) is outside \(lower)…\(upper)")
        case (let lower?, nil) where isBelow: error("\(numberText) is less than \(lower)")
        case (nil, let upper?) where !isBelow: error("\(numberText) is more than \(upper)")
        default: error("\(numberText) is too \(isBelow ? "small" : "large")")
        }
    }
}
