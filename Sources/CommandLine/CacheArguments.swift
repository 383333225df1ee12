import ArgumentParser
import Waymark

/// The limit of the memory kept between pictures.
struct CacheArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of bytes that each process caches between pictures; 0 for no cache. Default: "
                + "\(Renderer.defaultCacheBytes).",
            valueName: "BYTES"))
    var cacheBytes: String?

    /// The number of bytes; nil if the option is not given.
    func checked() throws(Failure) -> Int? {
        guard let cacheBytes else { return nil }
        guard let bytes = Int(cacheBytes), bytes >= 0 else {
            throw Failure(
                .usage, "--cache-bytes: \(cacheBytes.quotedBriefly) is not a whole number of bytes, 0 or more, such as \(256 << 20)")
        }
        return bytes
    }
}
