import Synchronization

/// The expectations of this process by their files, so that no two tests share one by mistake.
enum ExpectedNames {
    private struct Claim {
        var place: String
        /// The hash of the picture recorded by this process.
        var recorded: String?
    }

    private static let claims = Mutex<[String: Claim]>([:])

    /// Records which test expects a picture.
    /// - Throws: If another test already expects it.
    static func claim(_ files: ExpectationFiles, by place: String) throws(ExpectationError) {
        let other = claims.withLock { claims in
            let key = "\(files.folder)/\(files.name)"
            if let claim = claims[key], claim.place != place { return Optional(claim.place) }
            if claims[key] == nil { claims[key] = Claim(place: place) }
            return nil
        }
        guard let other else { return }
        throw ExpectationError("\"\(files.name)\" is used by two tests, this one and \(other); give each picture its own name")
    }

    /// Records that a picture is being written.
    /// - Throws: If this process has already written a different picture under the name. This happens if a test with arguments gives all
    ///   its pictures the same name.
    static func record(_ files: ExpectationFiles, _ hash: String) throws(ExpectationError) {
        let isOther = claims.withLock { claims in
            let key = "\(files.folder)/\(files.name)"
            guard let recorded = claims[key]?.recorded else {
                claims[key]?.recorded = hash
                return false
            }
            return recorded != hash
        }
        guard isOther else { return }
        throw ExpectationError(
            "\"\(files.name)\" was already recorded in this run with another picture; give each picture of a test its own name")
    }
}
