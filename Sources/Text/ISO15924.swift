/// Script tags: four letters in 32 bits, as in HarfBuzz.
enum ISO15924 {
    static let common = tag("Zyyy")
    static let inherited = tag("Zinh")
    static let unknown = tag("Zzzz")
    static let latin = tag("Latn")

    static func tag(_ letters: String) -> UInt32 {
        letters.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether it is an actual script, as opposed to common or inherited characters shared by many scripts.
    static func isReal(_ script: UInt32) -> Bool {
        script != common && script != inherited && script != unknown
    }
}
