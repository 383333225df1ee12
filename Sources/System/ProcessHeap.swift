import CWaymarkSystem

/// The memory of the process.
package enum ProcessHeap {
    /// Makes all threads allocate from one heap instead of each from its own, which grows by a system call for every page: a driver opened
    /// on a thread makes 2,000 of them. For a short-lived process, before it starts threads; a process that allocates much on several
    /// threads would wait for locks.
    package static func useOneHeap() { wm_use_one_heap() }

    /// Keeps freed blocks of up to 32 MiB for later allocations, instead of requesting zeroed pages from the system each time. For a
    /// process that draws many pictures of about the same size: the system's share of its time falls by a fifth. `trim` still returns
    /// these blocks.
    package static func keepBlocks() { wm_keep_blocks() }

    /// Ends the process with a message and an exit code when it crashes while most of the address space is used that the system allows
    /// (`ulimit -v`): Swift and most libraries crash where they cannot allocate. Without such a limit this does nothing.
    /// - Parameter message: At most 255 bytes, with its line break.
    package static func explainCrashes(_ message: String, code: CInt) { wm_explain_crashes(message, code) }

    /// Gives free memory back to the system, which the allocator keeps otherwise.
    package static func trim() { wm_trim_heap() }
}
