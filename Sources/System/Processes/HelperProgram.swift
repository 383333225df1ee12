import Glibc
import Synchronization

/// The executables that can serve as a helper process, and what both sides say to each other first.
enum HelperProgram {
    /// The argument by which a program is asked to be a helper; the name of the work follows.
    static let argument = "waymark-helper"
    /// Changes with the messages between the two, or with the structures of any work.
    private static let protocolVersion = 1

    /// What a helper for this work says when it is ready: the version, since requests are structures that a version may change.
    static func hello(for name: String) -> String { "\(argument) \(libraryVersion) \(protocolVersion) \(name)" }

    /// Whether this process's own program serves as a helper when it is asked to.
    static let isSelf = Atomic<Bool>(false)

    /// The value of `WAYMARK_HELPER` that asks for no helper.
    static let none = "none"

    /// The file that the user has named in `WAYMARK_HELPER`, which is to be obeyed only in a process that has no more rights than the user.
    static var named: String? { FileSystem.hasOwnRights ? Environment.value("WAYMARK_HELPER") : nil }

    /// The candidates, best first: the one that the user has named; this program, which is sure to have the right version; `waymark` beside
    /// this program; `waymark` in PATH.
    static func choices() -> [String] {
        let named = named
        if named == none { return [] }
        let own = "/proc/self/exe"
        var choices = [named].compactMap { $0 }
        if isSelf.load(ordering: .relaxed) { choices.append(own) }
        // A program that is called waymark, too, but does not serve when asked, would begin its own work.
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

    /// The command that asks a program to be a helper.
    static func command(_ path: String, for name: String, arguments: [String] = []) -> ChildProcess.Command {
        var environment = Environment.all
        // A helper has none itself; that also ends the matter where a program does its own work instead.
        environment["WAYMARK_HELPER"] = none
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return ChildProcess.Command(
            path: path, arguments: [argument, name] + arguments, environment: environment.map { "\($0)=\($1)" }.sorted())
    }
}

/// What a program does to be a helper.
package enum HelperService {
    /// If this process was started as a helper, does one of these kinds of work until its input ends, and then ends the process. Otherwise
    /// notes that this program can be started as one. To be called before the process has threads.
    /// - Parameter services: What else it can do as a helper, by name: they speak protocols of their own, are given the arguments after the
    ///   name, and return the exit code. They may have helpers themselves, of which this program is one.
    package static func runIfAsked(_ works: [ConfinedWork], services: [String: ([String]) -> Int32] = [:]) {
        let arguments = CommandLine.arguments
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

    /// The commands that ask the programs of this machine to be a service, best first; empty where there is none, or where the user wants
    /// none. Whether a program is one of this version shows when it is started.
    package static func commands(for service: String, arguments: [String]) -> [ChildProcess.Command] {
        HelperProgram.choices().map { HelperProgram.command($0, for: service, arguments: arguments) }
    }
}
