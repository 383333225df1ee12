import Glibc
import Synchronization

/// The executables that can serve as a helper process, and the greeting between both sides.
enum HelperProgram {
    /// The argument that starts a program as a helper; the name of the work follows.
    static let argument = "waymark-helper"
    /// The version of the protocol. It changes with the messages between the two sides, and with the structures of any work.
    private static let protocolVersion = 1

    /// The greeting of a helper that is ready for this work. It contains the version, because the structures in requests may differ between
    /// versions.
    static func hello(for name: String) -> String { "\(argument) \(libraryVersion) \(protocolVersion) \(name)" }

    /// Whether the program of this process can serve as a helper.
    static let isSelf = Atomic<Bool>(false)

    /// The value of `WAYMARK_HELPER` that disables helpers.
    static let none = "none"

    /// The file that the user has named in `WAYMARK_HELPER`; ignored in a process with more rights than the user.
    static var named: String? { FileSystem.hasOwnRights ? Environment.value("WAYMARK_HELPER") : nil }

    /// The candidates, best first: the one named by the user; this program, which certainly has the right version; `waymark` in the folder
    /// of this program; `waymark` in PATH.
    static func choices() -> [String] {
        let named = named
        if named == none { return [] }
        let own = "/proc/self/exe"
        var choices = [named].compactMap { $0 }
        if isSelf.load(ordering: .relaxed) { choices.append(own) }
        // A program that is also named waymark but cannot be a helper would start its own work.
        let ownIdentity = try? FileStatus(own).identity
        var folders: [String] = []
        if let program = FileSystem.resolved(own), let slash = program.lastIndex(of: "/") { folders.append(String(program[..<slash])) }
        if FileSystem.hasOwnRights, let path = Environment.value("PATH") {
            folders += path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        for folder in folders {
            let path = "\(folder)/waymark"
            guard let status = try? FileStatus(path), status.form == .regular, status.identity != ownIdentity,
                FileSystem.isExecutable(path), !choices.contains(path)
            else { continue }
            choices.append(path)
        }
        return choices
    }

    /// The command that starts a program as a helper.
    static func command(_ path: String, for name: String, arguments: [String] = []) -> ChildProcess.Command {
        var environment = Environment.all
        // A helper has no helper itself; this also prevents recursion if a program does its own work instead.
        environment["WAYMARK_HELPER"] = none
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return ChildProcess.Command(
            path: path, arguments: [argument, name] + arguments, environment: environment.map { "\($0)=\($1)" }.sorted())
    }
}

/// The side of a program that serves as a helper.
package enum HelperService {
    /// If this process was started as a helper, does one of these kinds of work until its input ends, and then ends the process. Otherwise
    /// records that this program can be started as a helper. Must be called before the process has threads.
    /// - Parameter services: Additional kinds of helpers, by name: they have their own protocols, receive the arguments after the name, and
    ///   return the exit code. They may have helpers themselves, including this program.
    package static func runIfAsked(_ works: [ConfinedWork], services: [String: ([String]) -> Int32] = [:]) {
        let arguments = ProcessArguments.all
        guard arguments.count > 1, arguments[1] == HelperProgram.argument else {
            return HelperProgram.isSelf.store(true, ordering: .relaxed)
        }
        if arguments.count > 2, let service = services[arguments[2]] {
            HelperProgram.isSelf.store(true, ordering: .relaxed)
            Environment.unset("WAYMARK_HELPER")
            exit(service(Array(arguments.dropFirst(3))))
        }
        guard arguments.count == 3, let work = works.first(where: { $0.name == arguments[2] }) else { _exit(64) }
        _exit(work.serve(hello: HelperProgram.hello(for: work.name)))
    }

    /// The commands that start this machine's programs as a service, best first; empty without any, or if the user has disabled helpers.
    /// Whether a program has this version is known only when it is started.
    package static func commands(for service: String, arguments: [String]) -> [ChildProcess.Command] {
        HelperProgram.choices().map { HelperProgram.command($0, for: service, arguments: arguments) }
    }
}
