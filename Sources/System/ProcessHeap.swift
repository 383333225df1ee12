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

    /// Gives free memory back to the system, which the allocator keeps otherwise.
    package static func trim() { wm_trim_heap() }
}
