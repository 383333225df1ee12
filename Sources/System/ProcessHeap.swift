import CWaymarkSystem

/// The memory of the process.
package enum ProcessHeap {
    /// Lets all threads allocate from one heap instead of each from its own, which grows by a system call for every page: a driver that is
    /// opened on a thread makes 2,000 of them. For a process that is over soon, before it starts threads; one that allocates much on several
    /// threads would wait for locks.
    package static func useOneHeap() { wm_use_one_heap() }

    /// Keeps blocks of up to 32 MiB that are freed for what is allocated next, instead of asking the system for zeroed pages each time. For a
    /// process that draws many pictures of about the same size: a fifth less of its time is the system's. `trim` still gives them back.
    package static func keepBlocks() { wm_keep_blocks() }

    /// Ends the process with a message and an exit code when it crashes while most of the address space is used that the system allows
    /// (`ulimit -v`): Swift and most libraries crash where they cannot allocate. Without such a limit this does nothing.
    /// - Parameter message: At most 255 bytes, with its line break.
    package static func explainCrashes(_ message: String, code: CInt) { wm_explain_crashes(message, code) }

    /// Gives free memory back to the system, which the allocator keeps otherwise.
    package static func trim() { wm_trim_heap() }
}
