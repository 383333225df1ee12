import CWaymarkSystem
import Glibc

/// The reasons why a process cannot start as many threads as a library needs.
package enum ThreadLimits {
    /// The bytes of address space that the process may have; nil without a limit.
    package static var addressSpace: Int64? {
        let space = wm_address_space_limit()
        return space < 0 ? nil : space
    }

    /// The bytes of address space that the process may still map; nil without a limit.
    package static var addressSpaceLeft: Int64? {
        guard let addressSpace, let pages = WholeFile.text("/proc/self/statm")?.split(separator: " ").first.flatMap({ Int64($0) }) else {
            return nil
        }
        return max(0, addressSpace - pages * Int64(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// Whether the process can start a thread now.
    package static var canStartThread: Bool { wm_can_start_thread() }

    /// The limits that may be the reason, as a clause, with the commands that show them. Nil if threads can be started and no limits are
    /// set.
    package static var description: String? {
        if let addressSpace { return "the system limits address space to \(addressSpace >> 10) KiB (ulimit -v)" }
        // Almost every system limits the number, at a sufficiently high value.
        guard !canStartThread else { return nil }
        let count = wm_process_limit()
        return "the system limits processes and threads\(count < 0 ? "" : " to \(count)") (ulimit -u, or pids.max of a container)"
    }
}
