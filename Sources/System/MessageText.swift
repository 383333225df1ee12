// Names and other texts of users in messages.
extension String {
    /// A file's name in a message. An empty name is written as `""`, to be visible.
    package var quotedIfEmpty: String { isEmpty ? "\"\"" : self }

    /// The message on one line, shortened to 300 Unicode scalars. Its longest words (ids, paths and `data:` URIs) are cut in the middle. If
    /// these are not the reason for its length, the message itself is cut in the middle. The file at its beginning and the range at its end
    /// remain.
    package var shortMessage: String {
        let most = 300
        let line = onOneLine
        guard line.isLonger(than: most) else { return line }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let lengths = words.map(\.unicodeScalars.count)
        // The spaces also count.
        let room = most - (words.count - 1)
        let longest = (Self.leastWord...most).last { limit in lengths.reduce(0) { $0 + min($1, limit) } <= room } ?? Self.leastWord
        return words.map { String($0).shortened(to: longest) }.joined(separator: " ").shortened(to: most)
    }

    /// The text with its control characters escaped, because text from files may contain anything. It stays on one line and cannot control
    /// a terminal.
    private var onOneLine: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.properties.generalCategory == .control {
                shown += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// The maximum length of a word that counts as part of a sentence.
    private static let leastWord = 40

    /// The text with an ellipsis in place of its middle, if it has more than `length` Unicode scalars.
    package func shortened(to length: Int) -> String {
        guard isLonger(than: length) else { return self }
        return String(unicodeScalars.prefix(length / 2)) + "…" + String(unicodeScalars.suffix((length - 1) / 2))
    }

    private func isLonger(than length: Int) -> Bool {
        // This does not count to the end, which may be far away.
        unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex).map { $0 != endIndex } ?? false
    }
}
