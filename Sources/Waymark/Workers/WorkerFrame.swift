import WaymarkSceneFiles

/// A message of the worker protocol on the wire: the length of the header in four bytes (big-endian), the header, which is a JSON object,
/// and a payload whose length is the header's `bytes`.
package struct WorkerFrame {
    /// The JSON object.
    package let header: JSONDocument
    /// The bytes before the payload: the length and the header.
    let head: [UInt8]
    package var payload: [UInt8] = []

    /// The maximum number of bytes of a header, and of a payload.
    package static let headerLimit = 64 << 20
    package static let payloadLimit = 1 << 30

    /// The bytes of a frame.
    /// - Parameter header: A JSON object, with `bytes` if there is a payload.
    package static func bytes(header: [UInt8], payload: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + header.count + payload.count)
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: header.count >> $0) }
        bytes += header
        bytes += payload
        return bytes
    }

    /// The message's type; empty without a type.
    package var type: String { header.root["type"]?.string ?? "" }
}

/// A violation of the protocol.
package struct FrameError: Error, Equatable, CustomStringConvertible {
    /// One sentence without a period.
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
