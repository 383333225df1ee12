import CWaymarkCodecs
import Synchronization

/// Buffers for compressing a stripe, which are reused for later stripes. Allocating them takes half as long as compressing a 512 × 512
/// tile.
///
/// The sendability is unchecked, because only the thread that took the buffers uses them.
final class EncodingScratch: @unchecked Sendable {
    /// Row buffers, each as long as the longest length requested so far.
    private var buffers: [[UInt8]] = []
    private var output: [UInt8] = []
    private let workspace = UnsafeMutableRawPointer.allocate(byteCount: wm_deflate_workspace(), alignment: 16)

    private init() {}

    deinit { workspace.deallocate() }

    /// The idle instances, at most about 30 MB in total.
    private static let idle = Mutex<[EncodingScratch]>([])
    private static let mostIdle = 8
    /// The size of the longest buffers that are kept. Rows that exceed the size of a stripe need longer ones.
    private static let longestKept = PNGStripes.mostBytes

    static func take() -> EncodingScratch {
        idle.withLock { $0.popLast() } ?? EncodingScratch()
    }

    func giveBack() {
        buffers.removeAll { $0.count > Self.longestKept }
        if output.count > wm_deflate_bound(Self.longestKept) { output = [] }
        Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } }
    }

    /// A buffer of at least `count` bytes, uninitialized.
    func takeBuffer(_ count: Int) -> [UInt8] {
        let buffer = buffers.popLast() ?? []
        return buffer.count >= count ? buffer : [UInt8](repeating: 0, count: count)
    }

    func keepBuffer(_ buffer: consuming [UInt8]) { buffers.append(buffer) }

    /// Compresses the first `count` bytes of a buffer with deflate.
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
