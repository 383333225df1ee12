/// A library that does a part of the work, as `waymark doctor` reports it.
package struct LibraryFacts: Equatable, Sendable, Encodable {
    /// Such as "librsvg".
    package let name: String
    /// nil when the library does not tell it or cannot be used.
    package let version: String?
    /// What it is used for, such as "SVG images".
    package let purpose: String
    /// Why it cannot be used, what is lost, and what to install; nil when it can.
    package let problem: String?

    /// A library that can be used.
    package init(_ name: String, version: String, purpose: String) {
        self.name = name
        self.version = version.isEmpty ? nil : version
        self.purpose = purpose
        problem = nil
    }

    /// A library that cannot be used.
    /// - Parameters:
    ///   - error: Why, in the dynamic linker's words.
    ///   - loss: What fails without it, as a clause: "SVG images are not drawn".
    ///   - packages: What to install on which systems.
    package init(_ name: String, purpose: String, error: String, loss: String, packages: String) {
        self.name = name
        version = nil
        self.purpose = purpose
        problem = "\(name) cannot be loaded (\(error)), so \(loss): install \(packages)"
    }
}
