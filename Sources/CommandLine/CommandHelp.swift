import ArgumentParser

extension CommandConfiguration {
    /// The configuration of a command whose help page has examples.
    /// - Parameters:
    ///   - commandName: The name of the command. Deriving it from the type's name would take a millisecond at every start.
    ///   - examples: Command lines of at most 78 characters, so that terminals of 80 columns do not wrap them.
    init(commandName: String, abstract: String, discussion: String = "", examples: [String]) {
        self.init(commandName: commandName, abstract: abstract, discussion: Self.discussion(discussion, examples))
    }

    /// A text followed by examples.
    static func discussion(_ text: String, _ examples: [String]) -> String {
        (text.isEmpty ? "" : "\(text)\n\n") + "Examples:\n" + examples.map { "  \($0)" }.joined(separator: "\n")
    }
}
