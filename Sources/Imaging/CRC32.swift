import CWaymarkCodecs

/// The checksum of PNG and gzip, which detects damaged bytes.
package enum CRC32 {
    /// - Parameter start: The checksum of the preceding bytes. Default 0, for none.
    package static func of(_ bytes: [UInt8], after start: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBufferPointer { $0.isEmpty ? start : wm_crc32(start, $0.baseAddress, $0.count) }
    }
}
