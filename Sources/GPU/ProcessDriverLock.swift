import CWaymarkGLES

/// Lets one context of the process run at a time where the driver needs that.
///
/// Before llvmpipe maps a texture, it asks every context of the process whether one of its unfinished scenes uses the texture, and reads their
/// lists without a lock (`llvmpipe_flush_resource` and `lp_setup_is_resource_referenced` of Mesa 22.3). A context that finishes a scene on another
/// thread meanwhile frees what is read: of 12 runs with 4 to 16 threads in which freed memory was overwritten, 9 crashed, and with this lock
/// none. Little is lost, because llvmpipe rasterizes one context's scenes at a time anyway.
enum ProcessDriverLock {
    /// Runs `body`; with the lock when it is needed. A thread that has the lock may take it again.
    static func withLock<Result, Failure: Error>(isNeeded: Bool, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isNeeded else { return try body() }
        wm_lock_driver()
        defer { wm_unlock_driver() }
        return try body()
    }
}
