import Dispatch
import Foundation
import Testing
import WaymarkGPU
import WaymarkTestSupport

/// Contexts used on several threads concurrently. llvmpipe reads the other contexts' lists without a lock, so a process crashed
/// occasionally.
@Suite struct ContextsOnThreadsTests {
    /// Runs in a separate process that overwrites freed memory, so data read after being freed are not a valid address.
    @Test func contextsThatUploadAndDrawAtOnceDoNotCrash() async {
        await #expect(processExitsWith: .success) {
            FreedMemory.overwrite()
            DispatchQueue.concurrentPerform(iterations: 160) { index in
                do {
                    let context = try Context.make()
                    let target = try Target(context, width: 64, height: 64)
                    let pipeline = try Pipeline(context, .quad)
                    let buffer = try Buffer(context, [Quad(x: 0, y: 0, width: 64, height: 64)])
                    for round in 0..<20 {
                        let color: Pixel = [UInt8(index), UInt8(round), 7, 255]
                        for _ in 0..<8 {
                            let texture = try Texture(context, width: 16, height: 16, layers: 1)
                            try texture.fill(Array(repeating: color, count: 256))
                            let command = DrawCommand.quads(pipeline, buffer, count: 1, texture: .init("atlas", texture), size: [64, 64])
                            try context.draw(command, into: target)
                        }
                        guard try target.rows().allSatisfy({ $0.allSatisfy { $0 == color } }) else { exit(1) }
                    }
                } catch {
                    print(error)
                    exit(2)
                }
            }
        }
    }
}
