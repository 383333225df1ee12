import ArgumentParser
import CWaymarkServerHeap
import Foundation
import Waymark

@main enum Main {
    static func main() async {
        // Comes first: the pool starts this program as its workers, too.
        WaymarkHelper.runIfAsked()
        wms_give_memory_back()
        // Writing to a client that has gone must fail instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            let command = try ServerProgram.parse(Array(WaymarkHelper.arguments.dropFirst()))
            try await command.run()
        } catch let failure as Failure {
            end("\(failure)", failure.code)
        } catch  where ServerProgram.exitCode(for: error) == .validationFailure {
            end("\(ServerProgram.message(for: error)) (see waymark-server --help)", .usage)
        } catch {
            ServerProgram.exit(withError: error)
        }
    }

    private static func end(_ sentence: String, _ code: Failure.Code) -> Never {
        FileHandle.standardError.write(Data("error: \(sentence)\n".utf8))
        exit(code.rawValue)
    }
}
