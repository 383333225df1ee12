import CWaymarkSystem

/// The memory of the process.
package enum ProcessHeap {
    /// Makes all threads allocate from one heap. A thread's own heap grows by a system call for every page, and a driver opened on a thread
    /// makes 2,000 such calls. This is for a short-lived process, before it starts threads. In a process that allocates much on several
    /// threads, they would wait for locks.
    package static func useOneHeap() { wm_use_one_heap() }

    /// Keeps freed blocks of up to 32 MiB for later allocations, instead of requesting zeroed pages from the system each time. For a
    /// process that draws many pictures of about the same size: the system's share of its time falls by a fifth. `trim` still returns
    /// these blocks.
    package static func keepBlocks() { wm_keep_blocks() }

    /// Makes a crash end the process with a message and an exit code, if most of the address space allowed by the system (`ulimit -v`) is
    /// in use: Swift and most libraries crash when they cannot allocate. Without such a limit, this does nothing.
    /// - Parameter message: At most 255 bytes, including its line break.
    package static func explainCrashes(_ message: String, code: CInt) { wm_explain_crashes(message, code) }

    /// Returns to the system the free memory that the allocator would otherwise keep.
    package static func trim() { wm_trim_heap() }
}
