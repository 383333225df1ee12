import Testing
import Waymark
import WaymarkBatch

@Suite struct ProgressTests {
    private func progress(_ jobs: Int, done: Int, skipped: Int = 0, failed: Int = 0, rate: Double? = nil) -> BatchProgress {
        var progress = BatchProgress()
        progress.jobs = jobs
        progress.done = done
        progress.skipped = skipped
        progress.failed = failed
        progress.rate = rate
        return progress
    }

    @Test func words() {
        #expect(progress(2000, done: 0).text == "0 of 2000 done")
        #expect(
            progress(2000, done: 1200, skipped: 34, failed: 3, rate: 85.25).text == "1234 of 2000 done, 85.3 a second, 9 s left; 3 failed")
        #expect(progress(10, done: 9, failed: 1, rate: 2).text == "9 of 10 done, 2.0 a second, 0 s left; 1 failed")
    }

    @Test func bars() {
        #expect(progress(4, done: 1).bar(columns: 120) == "[##########------------------------------] 1 of 4 done")
        #expect(progress(4, done: 3, failed: 1).bar(columns: 70) == "[##########] 3 of 4 done; 1 failed")
        #expect(progress(3, done: 1, skipped: 1).bar(columns: 80) == "[############------] 2 of 3 done")
        #expect(progress(0, done: 0).bar(columns: 60) == "[##########] 0 of 0 done")
        for columns in 0...200 {
            let bar = progress(1_000_000, done: 123_456, failed: 7, rate: 12.3).bar(columns: columns)
            #expect(bar.count < max(1, columns))
        }
    }

    @Test(
        arguments: [
            (0.0, "0 s"), (0.2, "1 s"), (59.5, "1 min 0 s"), (725, "12 min 5 s"), (11_220, "3 h 7 min"), (385_300, "4 d 11 h"),
            (1e12, "years"),
        ])
    func durations(seconds: Double, words: String) {
        #expect(BatchProgress.duration(seconds) == words)
    }
}
