import CWaymarkFreedMemory

/// The process's freed memory.
public enum FreedMemory {
    /// From now on freed memory is filled with other bytes, so that a pointer read from it is invalid.
    public static func overwrite() { wm_overwrite_freed_memory() }
}
