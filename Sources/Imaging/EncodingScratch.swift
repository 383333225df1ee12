import CWaymarkCodecs
import Synchronization

/// The memory that compressing a stripe needs, kept for the next: getting it from the system afresh takes half as long as a card of 512 × 512.
///
/// Unchecked, since it is used by one thread at a time: the one that took it.
final class EncodingScratch: @unchecked Sendable {
    /// For rows; at least as long as they were ever asked to be.
    private var buffers: [[UInt8]] = []
    private var output: [UInt8] = []
    private let workspace = UnsafeMutableRawPointer.allocate(byteCount: wm_deflate_workspace(), alignment: 16)

    private init() {}

    deinit { workspace.deallocate() }

    /// Those that nobody uses. Together at most some 30 MB.
    private static let idle = Mutex<[EncodingScratch]>([])
    private static let mostIdle = 8
    /// A longer buffer, for rows of which one is larger than a stripe should be, is not kept.
    private static let longestKept = PNGStripes.mostBytes

    static func take() -> EncodingScratch {
        idle.withLock { $0.popLast() } ?? EncodingScratch()
    }

    func giveBack() {
        buffers.removeAll { $0.count > Self.longestKept }
        if output.count > wm_deflate_bound(Self.longestKept) { output = [] }
        Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } }
    }

    /// At least so many bytes of whatever values.
    func takeBuffer(_ count: Int) -> [UInt8] {
        let buffer = buffers.popLast() ?? []
        return buffer.count >= count ? buffer : [UInt8](repeating: 0, count: count)
    }

    func keepBuffer(_ buffer: consuming [UInt8]) { buffers.append(buffer) }

    /// The first bytes of a buffer in deflate's format.
    func deflate(_ bytes: [UInt8], count: Int, pixel: Int, row: Int, isDense: Bool, isLast: Bool) -> [UInt8] {
        let bound = wm_deflate_bound(count)
        if output.count < bound { output = [UInt8](repeating: 0, count: bound) }
        return bytes.withUnsafeBufferPointer { bytes in
            let written = output.withUnsafeMutableBufferPointer { output in
                wm_deflate(bytes.baseAddress, count, pixel, row, isDense, isLast, workspace, output.baseAddress)
            }
            return Array(output[..<written])
        }
    }
}
