import CWaymarkGLES

/// Lets only one context of the process run at a time if the driver requires it.
///
/// Before llvmpipe maps a texture, it checks for every context of the process whether one of its unfinished scenes uses the texture, and
/// reads their lists without a lock (`llvmpipe_flush_resource` and `lp_setup_is_resource_referenced` of Mesa 22.3). If a context meanwhile
/// finishes a scene on another thread, it frees the lists being read. In a test that overwrote freed memory, 9 of 12 runs with 4 to 16
/// threads crashed; with this lock, none did. Little is lost, because llvmpipe rasterizes one context's scenes at a time anyway.
enum ProcessDriverLock {
    /// Runs `body`, with the lock if needed. A thread that holds the lock may take it again.
    static func withLock<Result, Failure: Error>(isNeeded: Bool, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isNeeded else { return try body() }
        wm_lock_driver()
        defer { wm_unlock_driver() }
        return try body()
    }
}
