import Glibc
import WaymarkGPU
import WaymarkSceneFiles
import WaymarkSystem

/// Supervises several workers for another program, which communicates with it as with a single worker: `waymark worker --workers`.
///
/// It sends the answer for each picture as soon as the picture is done. Everything happens on the thread that calls `run`, in the
/// supervisor's loop.
package final class WorkerRelay: @unchecked Sendable {
    // Unchecked: the queue delivers its answers on the thread of the supervisor's loop, which is the one that runs the relay.
    private let input: OpenFile
    private let output: OpenFile
    /// The number of workers; nil for the number that suits the first worker's device.
    private let count: Int?
    private let queue: WorkerSupervisor<RelayTask>.Queue
    private let options: WorkerSupervisor<RelayTask>.Options
    private lazy var supervisor = WorkerSupervisor(queue, options) { [unowned self] in hear($0) }
    private var parser = FrameParser()
    /// The pictures that are waiting or being drawn, by number.
    private var tickets: [Int: WorkerSupervisor<RelayTask>.Queue.Ticket] = [:]
    private var handedIn = 0
    /// The previous base scene, until a worker has read the present one. Until then, no message is taken from the driver.
    private var previousBase: WorkerScene?
    private var isGreeted = false
    /// Whether the driver will send no more messages.
    private var isEnding = false
    private var exitCode: CInt?

    /// The maximum number of unanswered pictures taken from the driver.
    private static let mostHandedIn = 1000

    /// Options for supervising the workers.
    package struct Options {
        /// The command that starts a worker.
        package var command: ChildProcess.Command
        /// The number of workers; nil for one per processor, or two on a GPU.
        package var count: Int?
        /// The time that a picture may take before its worker is replaced; nil for no limit.
        package var deadline: Duration?
        /// The number of times that a picture is drawn again after its worker was lost. Default 1.
        package var retries = 1

        package init(_ command: ChildProcess.Command) { self.command = command }
    }

    /// - Parameters:
    ///   - input: The stream of messages.
    ///   - output: The stream of answers; nothing else is written to it.
    package init(input: OpenFile, output: OpenFile, _ relay: Options) {
        self.input = input
        self.output = output
        count = relay.count
        queue = WorkerSupervisor<RelayTask>.Queue(retries: relay.retries)
        var options = WorkerSupervisor<RelayTask>.Options(relay.command.sharing(amongst: count))
        options.startTime = max(options.startTime, relay.deadline ?? .zero)
        // A base scene may be large, and is read once.
        options.readTime = relay.deadline.map { max(options.startTime, $0) }
        options.taskTime = relay.deadline
        self.options = options
    }

    /// Runs until the end.
    /// - Returns: The exit code, as for a single worker.
    package func run() -> CInt {
        supervisor.grow(to: count ?? min(2, ProcessorCount.current.usable))
        while true {
            takeMessages()
            if let exitCode {
                // Also releases the answers, which refer to the relay.
                queue.close()
                supervisor.kill()
                return exitCode
            }
            // The relay ends only after a worker has opened its device or failed to open it.
            if isEnding, handedIn == 0, isGreeted {
                supervisor.end()
                return 0
            }
            let ready = supervisor.turn(reading: takesMessages ? [input.number] : [])
            if exitCode == nil, ready.contains(input.number) { readInput() }
        }
    }

    /// Ends like a worker that cannot work.
    private func refuse(_ failure: Failure) {
        guard exitCode == nil else { return }
        send(WorkerReply.fatal(failure).frame)
        exitCode = exitCode ?? CInt(failure.code.rawValue)
    }

    private func send(_ bytes: [UInt8]) {
        // The driver no longer reads answers.
        do throws(SystemError) { try output.write(bytes) } catch { exitCode = EX_CANTCREAT }
    }

    private func send(_ frame: WorkerFrame) {
        // A small message is sent in one piece, because the reader wakes up at the first piece.
        if frame.payload.count < 1 << 16 { return send(frame.head + frame.payload) }
        send(frame.head)
        send(frame.payload)
    }
}

// MARK: - From the driver

extension WorkerRelay {
    private var takesMessages: Bool { !isEnding && previousBase == nil && handedIn < Self.mostHandedIn }

    private func readInput() {
        do throws(SystemError) {
            if try parser.read(from: input) != 0 { return }
            isEnding = true
            if !parser.isBetweenFrames { refuse(Failure(.badContent, "the input ends within a frame")) }
        } catch {
            refuse(Failure(.badContent, "cannot read the input: \(error)"))
        }
    }

    private func takeMessages() {
        do throws(FrameError) {
            while takesMessages, let frame = try parser.next() { try take(frame) }
        } catch {
            refuse(Failure(.badContent, error.description))
        }
    }

    private func take(_ frame: WorkerFrame) throws(FrameError) {
        switch try WorkerRequest(frame) {
        case .scene:
            previousBase = supervisor.base
            supervisor.base = WorkerScene(number: supervisor.base.number + 1) { [pieces = [frame.head, frame.payload]] in pieces }
        case .picture(let order):
            let (number, id) = (order.number, BatchJob.id(of: order.job))
            let task = RelayTask(order: order, pieces: [frame.head, frame.payload], scene: supervisor.base)
            handedIn += 1
            tickets[number] = queue.submit(task, affinity: task.scene.number) { [self] in answered(number, id: id, $0) }
        case .cancel(let number):
            if let ticket = tickets[number] { queue.takeBack(ticket) }
        case .end: isEnding = true
        }
    }
}

// MARK: - To the driver

extension WorkerRelay {
    private func answered(_ number: Int, id: String?, _ result: Result<RelayTask.Answer, any Error>) {
        handedIn -= 1
        tickets[number] = nil
        switch result {
        case .success(let answer): send(answer.frame)
        case .failure(let failure as Failure): send(WorkerReply.failed(.init(number: number, id: id, failure: failure)).frame)
        case .failure(let loss as WorkerLoss):
            let code: Failure.Code = loss.isLate ? .incomplete : .software
            var failed = WorkerReply.Failed(
                number: number, id: id, failure: loss.refusal ?? Failure(code, "the worker \(loss.fate)\(loss.detail)"))
            failed.isWorkerLost = true
            send(WorkerReply.failed(failed).frame)
        case .failure(is CancellationError): send(WorkerReply.cancelled(number: number).frame)
        // The relay is ending, and the driver knows the reason.
        case .failure: break
        }
    }

    private func hear(_ event: WorkerEvent) {
        switch event {
        case .opened(let renderer):
            guard !isGreeted else { break }
            isGreeted = true
            let count = count ?? ContextInfo.workers(on: renderer)
            supervisor.grow(to: count)
            send(WorkerReply.hello(WorkerReply.Hello(renderer: renderer, workers: count)).frame)
        case .read(let scene, _, let frame), .refused(let scene, _, let frame):
            guard let previousBase, scene.number == supervisor.base.number else { break }
            if case .refused = event { supervisor.base = previousBase }
            self.previousBase = nil
            send(frame)
        case .output(_, let line): StandardStreams.writeError(line + "\n")
        case .restarted(let worker, let reason): send(WorkerReply.restarted(worker: worker, message: reason).frame)
        case .failed(let failure, _):
            StandardStreams.writeError("error: \(failure.message)\n")
            refuse(failure)
        case .lost, .retired: break
        }
    }
}

/// A picture for another program. Its messages are passed on unchanged.
struct RelayTask: WorkerTask, @unchecked Sendable {
    // Unchecked: used only on the thread of the relay.
    let order: PictureOrder
    let pieces: [[UInt8]]
    let scene: WorkerScene

    struct Answer: @unchecked Sendable {
        // Unchecked, for the same reason.
        let frame: WorkerFrame
    }

    var number: Int { order.number }

    func message() -> [[UInt8]] { pieces }

    func answer(_ frame: WorkerFrame, sceneWarnings: [String]) throws -> Answer {
        guard ["done", "failed", "inspected", "picked"].contains(frame.type) else {
            throw FrameError("it sent an unexpected message of type \(frame.type.quotedBriefly)")
        }
        return Answer(frame: frame)
    }

    func removeLeftover() { order.removeLeftover() }
}
