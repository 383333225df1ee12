import CWaymarkSystem

/// The memory of the process.
package enum ProcessHeap {
    /// Makes all threads allocate from one heap. A separate heap per thread grows by a system call for every page, and a driver opened on a
    /// thread makes 2,000 such calls. Call this in a short-lived process, before it starts threads. In a process that allocates much on
    /// several threads, the threads would wait for locks.
    package static func useOneHeap() { wm_use_one_heap() }

    /// Keeps freed blocks of up to 32 MiB for later allocations, instead of requesting zeroed pages from the system each time. In a
    /// process that draws many pictures of about the same size, this reduces the system's share of the time by a fifth. `trim` still
    /// returns these blocks.
    package static func keepBlocks() { wm_keep_blocks() }

    /// Makes a crash end the process with a message and an exit code, if most of the address space allowed by the system (`ulimit -v`) is
    /// in use, because Swift and most libraries crash when they cannot allocate. Without such a limit, this does nothing.
    /// - Parameter message: At most 255 bytes, including its line break.
    package static func explainCrashes(_ message: String, code: CInt) { wm_explain_crashes(message, code) }

    /// Returns free memory to the system, which the allocator would otherwise keep.
    package static func trim() { wm_trim_heap() }
}
