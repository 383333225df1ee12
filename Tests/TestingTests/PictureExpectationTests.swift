import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport
import WaymarkTesting

/// The effect of `expectPicture` on the files next to a test, in a separate folder.
@Suite(.serialized) struct PictureExpectationTests {
    private let folder = ScratchFolder()
    private static let identity = RendererIdentity(renderer: "llvmpipe (LLVM 15)", version: "Mesa 1", text: "FreeType 1", fonts: "ab")
    private let red = Bitmap(width: 40, height: 30, fill: .red)

    init() throws {
        PinnedRasterizer.pin
        try folder.write("", "Package.swift")
    }

    /// The picture of a test, and its messages.
    private func expect(
        _ picture: Bitmap, named name: String = "card", test: String = "MapTests.swift", place: String = "here",
        record: PictureRecording? = nil, drawnBy: RendererIdentity = identity, inspection: Inspection? = nil,
        frame: MapFrame? = nil
    ) -> (isAsExpected: Bool, words: String) {
        let words = Mutex("")
        var expectation = PictureExpectation(name: name, testFile: "\(folder.path)/\(test)", place: place) { message in
            words.withLock { $0 += message }
        }
        expectation.record = record
        let isAsExpected = expectation.check { DrawnViews(picture, inspection, frame: frame, drawnBy: drawnBy) }
        return (isAsExpected, words.withLock { $0 })
    }

    private var files: [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).filter {
            $0.contains(".") && !$0.hasPrefix(".build")
        }
        .filter { $0 != "Package.swift" }.sorted()
    }

    private func changed(_ picture: Bitmap, by amount: UInt8) -> Bitmap {
        var picture = picture
        for y in 0..<picture.height { for x in 0..<picture.width { picture[x, y].green = amount } }
        return picture
    }

    @Test func aMissingExpectationIsRecordedAndFails() throws {
        let first = expect(red)
        #expect(
            !first.isAsExpected
                && first.words.contains(
                    "the expected picture was missing and has been recorded as \(folder.path)/Pictures/MapTests/card.llvmpipe.png")
        )
        #expect(files == ["Pictures/MapTests/card.llvmpipe.json", "Pictures/MapTests/card.llvmpipe.png"])
        let second = expect(red)
        #expect(second.isAsExpected && second.words.isEmpty)
        let third = expect(changed(red, by: 1))
        #expect(!third.isAsExpected && third.words.contains("1200 of 1200 pixels differ, by up to 1"))
        #expect(third.words.contains("Report: \(folder.path)/.build/waymark-pictures/MapTests/card.html"))
        let page = "\(folder.path)/.build/waymark-pictures/MapTests/card.html"
        #expect(FileManager.default.fileExists(atPath: page))
        // When the test passes again, the files of the failure are removed.
        #expect(expect(red).isAsExpected)
        #expect(!FileManager.default.fileExists(atPath: page))
    }

    @Test func neverWritesNothing() {
        let result = expect(red, record: .never)
        #expect(!result.isAsExpected && result.words.hasPrefix("the expected picture \(folder.path)/Pictures/"))
        #expect(files.isEmpty)
    }

    @Test func whatIsAskedForInTheSourceFails() {
        _ = expect(red)
        let blue = Bitmap(width: 40, height: 30, fill: .blue)
        let result = expect(blue, place: "here", record: .all)
        // This run has recorded another picture.
        #expect(!result.isAsExpected && result.words.contains("was already recorded in this run with another picture"))
        #expect(expect(red).isAsExpected)
        let again = expect(red, record: .all)
        #expect(!again.isAsExpected && again.words.contains("remove \"record: .all\" from the test"))
    }

    @Test func recordingSaysWhatItReplaces() throws {
        _ = expect(red)
        var printed: [String] = []
        var runs = 1
        func record(_ picture: Bitmap, named name: String = "card") {
            var words = ""
            // Under another path, as in another run: a process records one picture of a name.
            let file = "\(folder.path)/\(String(repeating: "./", count: runs))MapTests.swift"
            runs += 1
            var expectation = PictureExpectation(name: name, testFile: file, place: "here") { words += $0 }
            expectation.note = { line in printed.append(line) }
            expectation.record = .all
            _ = expectation.check { DrawnViews(picture, nil, drawnBy: Self.identity) }
            #expect(words.contains("remove \"record: .all\" from the test"), "\(words)")
        }
        record(changed(red, by: 7))
        #expect(
            printed == [
                "\"card\" replaces \(folder.path)/./Pictures/MapTests/card.llvmpipe.png: 1200 of 1200 pixels differ, by up to 7 at (0, 0); "
                    + "in the worst window of 16 × 16 pixels, at (0, 0), 100.0% differ"
            ])
        // The same picture again, and a new one.
        record(changed(red, by: 7))
        record(red, named: "new")
        #expect(printed.dropFirst() == ["\"new\" is recorded as \(folder.path)/./././Pictures/MapTests/new.llvmpipe.png"])
    }

    /// A test file with the name of its folder: the path contains the name once.
    @Test func noFolderNameIsDoubled() throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/Tests/MapTests", withIntermediateDirectories: true)
        let words = expect(red, test: "Tests/MapTests/MapTests.swift").words
        #expect(words.contains("recorded as \(folder.path)/Tests/MapTests/Pictures/card.llvmpipe.png"), "\(words)")
        #expect(
            expect(changed(red, by: 9), test: "Tests/MapTests/MapTests.swift").words.contains("/.build/waymark-pictures/MapTests/card.html")
        )
        let other = expect(red, test: "Tests/MapTests/ShopTests.swift").words
        #expect(other.contains("recorded as \(folder.path)/Tests/MapTests/Pictures/ShopTests/card.llvmpipe.png"), "\(other)")
    }

    @Test func ignoredContentIsNotCompared() throws {
        _ = expect(red)
        var other = red
        other[5, 6].green = 90
        func check(_ ignored: [IgnoredContent]) -> String {
            var words = ""
            var expectation = PictureExpectation(name: "card", testFile: "\(folder.path)/MapTests.swift", place: "here") { words += $0 }
            expectation.ignored = ignored
            _ = expectation.check { DrawnViews(other, nil, drawnBy: Self.identity) }
            return words
        }
        #expect(check([.rectangle(PixelRect(x: 5, y: 6, width: 1, height: 1))]).isEmpty)
        #expect(check([.rectangle(PixelRect(x: 6, y: 6, width: 1, height: 1))]).contains("1 of 1200 pixels differs"))
        #expect(check([.type("markr")]).contains("\"card\": ignoring: \"markr\" is not a type; the types are marker"))
    }

    @Test func twoTestsOfOneName() {
        _ = expect(red, place: "MapTests/a")
        let other = expect(red, place: "MapTests/b")
        #expect(!other.isAsExpected)
        #expect(other.words == "\"card\" is used by two tests, this one and MapTests/a; give each picture its own name")
        // In another file it is another picture.
        #expect(expect(red, test: "OtherTests.swift", place: "MapTests/b").words.contains("has been recorded"))
    }

    @Test func anotherSize() {
        _ = expect(red)
        let result = expect(Bitmap(width: 40, height: 31, fill: .red))
        #expect(!result.isAsExpected && result.words.contains("the sizes differ: 40 × 30 and 40 × 31"))
    }

    @Test func aTruncatedExpectation() throws {
        _ = expect(red)
        let path = "Pictures/MapTests/card.llvmpipe.png"
        let bytes = try folder.read(path)
        try folder.write(Array(bytes.dropLast(bytes.count / 2)), path)
        let result = expect(red)
        #expect(
            !result.isAsExpected && result.words.contains("\(path): ")
                && result.words.contains("record the picture again with WAYMARK_RECORD=1"))
        try folder.write(bytes, path)
        #expect(expect(red).isAsExpected)
    }

    @Test func aRecordThatIsMissingOrAnothers() throws {
        _ = expect(red)
        let path = "Pictures/MapTests/card.llvmpipe.json"
        let record = try folder.read(path)
        for (text, words) in [("{}", "is not the record of an expected picture"), ("[", "is not the record of an expected picture")] {
            try folder.write(text, path)
            #expect(expect(red).words.contains(words))
        }
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
        #expect(expect(red).words.contains("card.llvmpipe.json: cannot read the file: No such file"))
        try folder.write(record, path)
        try changed(red, by: 9).write(to: "\(folder.path)/Pictures/MapTests/card.llvmpipe.png")
        #expect(expect(red).words.contains("does not belong to"))
    }

    @Test func anotherRenderer() {
        _ = expect(red)
        let zink = RendererIdentity(renderer: "zink Vulkan 1.3(llvmpipe (LLVM 15))", version: "Mesa 2", text: "FreeType 1", fonts: "ab")
        // Its rounding is not a difference, and a real difference names both renderers.
        #expect(expect(changed(red, by: 3), drawnBy: zink).isAsExpected)
        let result = expect(changed(red, by: 8), drawnBy: zink)
        #expect(
            !result.isAsExpected && result.words.contains("drawn by llvmpipe (LLVM 15), Mesa 1; this machine uses zink Vulkan 1.3"))
        // The same family in another version.
        let newer = RendererIdentity(renderer: "llvmpipe (LLVM 19)", version: "Mesa 3", text: "FreeType 1", fonts: "ab")
        #expect(expect(changed(red, by: 3), drawnBy: newer).isAsExpected)
        #expect(!expect(changed(red, by: 3)).isAsExpected)
        #expect(files.count == 2, "no other file is recorded")
    }

    @Test func aFolderThatCannotBeWritten() throws {
        try folder.write("a file", "Pictures")
        let result = expect(red)
        #expect(!result.isAsExpected && result.words.hasPrefix("the expectation cannot be recorded: \(folder.path)/Pictures/MapTests: "))
        #expect(files.isEmpty)
    }

    /// Runs `body` as a user other than root, if this process runs as root, because root may write everywhere.
    private func withoutPrivileges<Value>(_ body: () throws -> Value) throws -> Value {
        guard geteuid() == 0 else { return try body() }
        // setfsuid is not in the module of the C library. It holds for the files that this thread opens, so no other test notices.
        typealias Function = @convention(c) (uid_t) -> Int32
        let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: Function.self)
        _ = setUser(54321)
        defer { _ = setUser(0) }
        return try body()
    }

    @Test func aReadOnlyFolder() throws {
        #expect(chmod(folder.path, 0o555) == 0)
        defer { chmod(folder.path, 0o755) }
        let result = try withoutPrivileges { expect(red) }
        #expect(
            !result.isAsExpected
                && result.words == "the expectation cannot be recorded: \(folder.path)/Pictures/MapTests: Permission denied",
            "\(result.words)")
        #expect(folder.names == ["Package.swift"])
    }

    /// Recorded pictures there are compared, and cannot be replaced.
    @Test func aReadOnlyFolderOfExpectations() throws {
        _ = expect(red)
        let pictures = "\(folder.path)/Pictures/MapTests"
        for path in [pictures, folder.path] { #expect(chmod(path, 0o555) == 0) }
        defer { for path in [pictures, folder.path] { chmod(path, 0o755) } }
        let before = try files.map(folder.read)
        try withoutPrivileges {
            #expect(expect(red).isAsExpected)
            let other = expect(changed(red, by: 9))
            #expect(!other.isAsExpected && other.words.contains("1200 of 1200 pixels differ"))
            // The page is written to the temporary folder, where others may write.
            #expect(other.words.contains("eport") && !other.words.contains("Report: \(folder.path)"), "\(other.words)")
            // The same picture, drawn by another version, is also recorded.
            let newer = RendererIdentity(renderer: "llvmpipe (LLVM 19)", version: "Mesa 3", text: "FreeType 1", fonts: "ab")
            let recorded = expect(red, record: .all, drawnBy: newer)
            #expect(!recorded.isAsExpected)
            #expect(
                recorded.words.hasPrefix("the expectation cannot be recorded: \(pictures)/card.llvmpipe.")
                    && recorded.words.contains("Permission denied"), "\(recorded.words)")
            #expect(expect(red).isAsExpected)
        }
        #expect(try files.map(folder.read) == before)
    }

    /// A folder has the name of one of its files, so that file cannot be written.
    @Test(arguments: ["png", "json", "txt"], [false, true]) func nothingIsRecordedByHalf(_ ending: String, _ hasFrame: Bool) throws {
        let taken = "card.llvmpipe.\(ending)"
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/Pictures/MapTests/\(taken)", withIntermediateDirectories: true)
        let frame = hasFrame ? try MapView(size: CGSize(width: 40, height: 30)).makeFrame() : nil
        let result = expect(red, record: .all, frame: frame)
        #expect(!result.isAsExpected && result.words.hasPrefix("the expectation cannot be recorded: "), "\(result.words)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/Pictures/MapTests") == [taken])
    }

    @Test(arguments: ["", ".hidden", "a/b", "../up", "line\nbreak", " blank", String(repeating: "x", count: 101)])
    func namesThatAreNone(_ name: String) {
        let result = expect(red, named: name)
        #expect(!result.isAsExpected && result.words.contains("is not a valid picture name"))
        #expect(files.isEmpty)
    }

    /// Cancelled before its picture is drawn, or while it is drawn; without an expectation, and with another one.
    @Test(arguments: [false, true], [false, true]) func aCancelledTestRecordsNothing(_ isDrawing: Bool, _ isRecorded: Bool) async {
        if isRecorded { _ = expect(red) }
        let before = files
        let path = folder.path
        let words = await Task {
            if !isDrawing { withUnsafeCurrentTask { $0?.cancel() } }
            let words = Mutex("")
            let expectation = PictureExpectation(name: "card", testFile: "\(path)/MapTests.swift", place: "here") { message in
                words.withLock { $0 += message }
            }
            _ = expectation.check {
                if isDrawing { withUnsafeCurrentTask { $0?.cancel() } }
                return DrawnViews(Bitmap(width: 4, height: 4), nil, drawnBy: Self.identity)
            }
            return words.withLock { $0 }
        }.value
        #expect(words == "\"card\": the test was canceled, so nothing was compared or recorded")
        #expect(files == before && before.isEmpty != isRecorded)
    }
}
