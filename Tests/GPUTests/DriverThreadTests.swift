import Dispatch
import Foundation
import Testing
import WaymarkGPU

/// A driver that cannot start its threads waits for them forever; here a semaphore takes its place.
@Suite(.serialized) struct DriverThreadTests {
    @Test func givesWhatTheDriverGives() throws {
        #expect(try DriverThread.run { 7 } == 7)
        let error = GPUError(.noDevice, stage: "open", "there is none")
        #expect(throws: error) { try DriverThread.run { () throws(GPUError) -> Int in throw error } }
    }

    @Test func aHangIsGivenUp() async {
        // In another process: `isAnyStuck` is about all threads of the process.
        await #expect(processExitsWith: .success) {
            let driver = DispatchSemaphore(value: 0)
            let thread = try DriverThread(seconds: 0.2) { driver.wait() }
            #expect(!DriverThread.isAnyStuck)
            for _ in 0..<2 {
                let error = #expect(throws: GPUError.self) { try thread.wait() }
                #expect(error?.reason == .notResponding)
                #expect(error?.sentence.hasPrefix("open the device: the driver has not answered within 0.2 s; ") == true)
            }
            #expect(DriverThread.isAnyStuck)
            // The driver answers after all: the process may end as usual, and the error stays.
            driver.signal()
            while DriverThread.isAnyStuck { usleep(1000) }
            #expect(throws: GPUError.self) { try thread.wait() }
            #expect(try DriverThread.run { 7 } == 7)
        }
    }

    @Test func severalWaitForOne() async throws {
        let thread = try DriverThread(seconds: 60) { usleep(50_000) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? thread.wait()) != nil } }
            for await isInTime in group { #expect(isInTime) }
        }
    }

    @Test(arguments: ["soon", "0", "-1", "nan", "1e9"])
    func theTimeIsANumberOfSeconds(text: String) async {
        await #expect(processExitsWith: .success) { [text] in
            setenv("WAYMARK_DEVICE_TIMEOUT", text, 1)
            let error = #expect(throws: GPUError.self) { try DriverThread.run { 7 } }
            #expect(error?.reason == .badSelection)
            #expect(
                error?.sentence
                    == "open the device: WAYMARK_DEVICE_TIMEOUT is \"\(text)\", but must be a number of seconds in 0.1…3600")
        }
    }
}
