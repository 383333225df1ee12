/// A library that Waymark uses, as reported by `waymark doctor`.
package struct LibraryFacts: Equatable, Sendable, Encodable {
    /// The name of the library, such as "librsvg".
    package let name: String
    /// The version; nil if the library does not report it or cannot be used.
    package let version: String?
    /// The purpose of the library, such as "SVG images".
    package let purpose: String
    /// The reason why the library cannot be used, the effect, and what to install; nil if it can be used.
    package let problem: String?
    /// The Debian package to install; nil if the library can be used.
    package let missingPackage: String?

    /// A library that can be used.
    package init(_ name: String, version: String, purpose: String) {
        self.name = name
        self.version = version.isEmpty ? nil : version
        self.purpose = purpose
        (problem, missingPackage) = (nil, nil)
    }

    /// A library that cannot be used.
    /// - Parameters:
    ///   - error: The reason, in the dynamic linker's words.
    ///   - loss: The effect of the library's absence, as a clause, such as "SVG images are not drawn".
    ///   - packages: The packages to install on each system, with Debian's first.
    package init(_ name: String, purpose: String, error: String, loss: String, packages: String) {
        self.name = name
        version = nil
        self.purpose = purpose
        problem = "\(name) cannot be loaded (\(error)), so \(loss): install \(packages)"
        missingPackage = packages.split(separator: " ").first.map(String.init)
    }
}
