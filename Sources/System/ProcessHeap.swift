import CWaymarkSystem

/// The memory of the process.
package enum ProcessHeap {
    /// Lets all threads allocate from one heap instead of each from its own, which grows by a system call for every page: a driver that is
    /// opened on a thread makes 2,000 of them. For a process that is over soon, before it starts threads; one that allocates much on several
    /// threads would wait for locks.
    package static func useOneHeap() { wm_use_one_heap() }

    /// Gives free memory back to the system, which the allocator keeps otherwise.
    package static func trim() { wm_trim_heap() }
}
