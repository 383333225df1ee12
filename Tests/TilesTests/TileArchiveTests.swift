import Glibc
import Testing
import WaymarkTestSupport
import WaymarkTiles

@Suite struct TileArchiveTests {
    private let scratch = ScratchFolder()

    private func problem(_ path: String) -> String { sentence { _ = try TileArchive.open(path) } }

    @Test func contentCountsAndNotTheName() throws {
        let path = try scratch.write(try HandmadePMTiles([(0, TilePicture.png(1))]).bytes, "tiles.mbtiles")
        #expect(try TileArchive.open(path) is PMTilesSource)
    }

    @Test func whatIsNoArchive() throws {
        let no = "this is not a tile archive (PMTiles, MBTiles, or a folder with tiles named z/x/y.png)"
        for (name, text) in [("empty.pmtiles", ""), ("page.mbtiles", "<html>"), ("letters", "PM"), ("short", "SQLite format 3")] {
            let path = try scratch.write(text, name)
            #expect(problem(path) == "\(path): \(no)")
        }
        let old = try scratch.write([0x50, 0x4D, 2, 0, 9, 9], "old.pmtiles")
        #expect(problem(old) == "\(old): PMTiles 2 is not supported; only PMTiles 3 is")
        #expect(problem("\(scratch.path)/none") == "\(scratch.path)/none: cannot read the file: No such file or directory")
        #expect(problem("") == "\"\": cannot read the file: No such file or directory")
    }

    /// A URL is not a missing file, whatever its scheme.
    @Test(arguments: ["https://a.example/city.pmtiles", "HTTP://a.example/{z}/{x}/{y}.pbf", "s3://bucket/city.pmtiles"])
    func aURLIsNoFile(url: String) {
        #expect(
            problem(url) == "\(url): this is a URL, but only files can be read; fetch the part that you need, for example with "
                + "pmtiles extract URL city.pmtiles --bbox=WEST,SOUTH,EAST,NORTH")
    }

    @Test func pipesAndDevicesAreRefusedAtOnce() {
        let pipe = "\(scratch.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(problem(pipe) == "\(pipe): this is neither a file nor a folder")
        #expect(problem("/dev/null") == "/dev/null: this is neither a file nor a folder")
    }
}
