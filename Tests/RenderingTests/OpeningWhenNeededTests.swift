import Synchronization
import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Renderers that open a software rasterizer for the first frame that needs it.
@Suite(.serialized) struct OpeningWhenNeededTests {
    init() { PinnedRasterizer.pin }

    /// A red area with an image above it.
    private func frame(_ sampling: Sampling) -> Frame {
        var frame = Frame(width: 30, height: 20, background: .white)
        frame.add([[PathPoint(2, 3), PathPoint(25, 4), PathPoint(9, 17)]], color: .red)
        frame.images = [FrameImage(key: 8_000_001, name: "blue", bitmap: Bitmap(width: 5, height: 5, fill: .blue))]
        frame.sprites = [Sprite(x: 6, y: 5, width: 5, height: 5, image: 0)]
        frame.commands = [.paths(0..<1), .sprites(0..<1, sampling)]
        return frame
    }

    /// The device is opened once, by the first frame that needs it. If it cannot be opened, the next such frame tries again.
    @Test func onlyFramesThatNeedTheDeviceOpenIt() throws {
        let opened = Mutex(0)
        var attempts: Int { opened.withLock(\.self) }
        let renderer = FrameRenderer(budget: CacheBudget()) { () throws(GPUError) in
            let isFirst = opened.withLock { count in
                count += 1
                return count == 1
            }
            guard !isFirst else { throw GPUError(.contextFailed, stage: "test", "not yet") }
            return try Context.make(.software)
        }
        let eager = try FrameRenderer(Context.make(.software))
        let inMemory = try renderer.render(frame(.nearest))
        #expect(attempts == 0 && inMemory[8, 8] == Bitmap.Pixel(red: 0, green: 0, blue: 255, alpha: 255))
        #expect(inMemory == (try eager.render(frame(.nearest))))
        renderer.purge()
        #expect(attempts == 0)

        #expect(throws: GPUError.self) { try renderer.render(frame(.linear)) }
        #expect(attempts == 1)
        let onDevice = try renderer.render(frame(.linear))
        #expect(attempts == 2 && renderer.drawCount > 0)
        #expect(onDevice == (try eager.render(frame(.linear))))
        #expect(try renderer.render(frame(.nearest)) == inMemory)
        _ = try renderer.render(frame(.linear))
        #expect(attempts == 2)
    }

    /// Pictures with longer sides than every software rasterizer draws in one piece ask the device for its limit.
    @Test func largePicturesAskForTheLimit() throws {
        let opened = Mutex(0)
        var attempts: Int { opened.withLock(\.self) }
        let renderer = FrameRenderer(budget: CacheBudget()) { () throws(GPUError) in
            opened.withLock { $0 += 1 }
            return try Context.make(.software)
        }
        #expect(try renderer.isDrawnInBands(width: 8192, height: 4096) == false && attempts == 0)
        #expect(try renderer.isDrawnInBands(width: 8192, height: 4097) == true && attempts == 0)
        let isDrawnInBands = try renderer.isDrawnInBands(width: 8193, height: 1)
        let longest = Target.longestSide(try renderer.context)
        #expect(attempts == 1 && longest >= 8192 && isDrawnInBands == (longest < 8193))
    }
}
