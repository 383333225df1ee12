import CWaymarkCodecs

/// Files compressed by gzip (RFC 1952).
package enum Gzip {
    /// The reason why bytes cannot be inflated.
    package enum Problem: Error, Equatable, Sendable {
        /// The bytes are not a gzip file, are truncated, or have a wrong checksum.
        case damaged
        /// The inflated data would exceed the caller's limit.
        case tooLarge
        case outOfMemory
    }

    /// Whether the bytes begin as a gzip file does.
    package static func isGzip(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// Inflates all members, one after the other.
    /// - Parameter limit: The maximum number of inflated bytes. Memory is reserved as bytes are inflated, so a small file cannot claim
    ///   all of it.
    package static func inflated(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        // Deflate compresses by a factor of at most 1032, so the first guess for a short file may be small.
        var room = max(1 << 12, min(limit, bytes.count * 4))
        repeat {
            var (taken, written) = (0, 0)
            var status = WM_GZIP_DAMAGED
            let member = [UInt8](unsafeUninitializedCapacity: min(room, limit - result.count)) { buffer, count in
                status = bytes.withUnsafeBufferPointer { bytes in
                    guard let base = bytes.baseAddress else { return WM_GZIP_DAMAGED }
                    // libdeflate needs a valid output address even for zero bytes.
                    var none: UInt8 = 0
                    return withUnsafeMutablePointer(to: &none) { none in
                        wm_gzip_inflate(
                            base + start, bytes.count - start, buffer.baseAddress ?? none, min(room, limit - result.count), &taken, &written
                        )
                    }
                }
                count = status == WM_GZIP_DONE ? written : 0
            }
            switch status {
            case WM_GZIP_DONE:
                if result.isEmpty { result = member } else { result += member }
                start += taken
            case WM_GZIP_NO_ROOM:
                guard room < limit - result.count else { throw .tooLarge }
                room *= 4
            case WM_GZIP_NO_MEMORY: throw .outOfMemory
            default: throw .damaged
            }
        } while start < bytes.count
        return result
    }

    /// Compresses bytes into one member. Equal bytes give equal files.
    package static func deflated(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
        let room = wm_gzip_bound(bytes.count)
        let result = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = wm_gzip_deflate(bytes, bytes.count, 9, buffer.baseAddress, room)
        }
        guard !result.isEmpty else { throw .outOfMemory }
        return result
    }
}
