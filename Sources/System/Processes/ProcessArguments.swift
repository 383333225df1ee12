import CWaymarkSystem

/// The arguments of this process, from its main function, so that they are known on a machine without /proc.
package enum ProcessArguments {
    /// All arguments; the first one is the name of the program.
    package static var all: [String] {
        (0..<Int(wm_argument_count())).compactMap { wm_arguments()[$0].map { String(cString: $0) } }
    }
}
