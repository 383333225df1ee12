extension String {
    /// The scheme and the rest of a URL of a network service; nil for other texts, which may be paths.
    package var networkURL: (scheme: Substring, rest: Substring)? {
        guard let scheme = prefixMatch(of: /(?i)(https?|ftp|s3|gs):\/\//) else { return nil }
        return (scheme.1, self[scheme.range.upperBound...])
    }
}
