import WaymarkScene

extension [Diagnostic] {
    /// As the program prints them.
    public var words: [String] { map { "\($0.severity.rawValue): \($0)" } }
}
