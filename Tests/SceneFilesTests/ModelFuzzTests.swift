import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Damaged copies of small files: each is read or refused, and a file that is read can be drawn.
@Suite struct ModelFuzzTests {
    private func tryAll(_ name: String, _ files: [String: [UInt8]], seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = ScratchFolder()
        for (name, bytes) in files { try folder.write(bytes, name) }
        #expect(refusal(model: name, in: folder) == nil)
        for _ in 0..<60 {
            let victim = random.one(of: files.keys.sorted())
            try folder.write(Damage.damaged(files[victim] ?? [], &random), victim)
            do throws(SceneError) {
                let file = try ModelFile(contentsOf: "\(folder.path)/\(name)")
                #expect(file.mesh.firstProblem() == nil)
            } catch {
                // One line, which begins with a file. A long message shortens its name.
                #expect(!error.description.contains("\n") && error.description.hasPrefix(folder.path.prefix(20)), "\(error)")
            }
            try folder.write(files[victim] ?? [], victim)
        }
    }

    @Test(arguments: Seeds.few) func obj(seed: UInt64) throws { try tryAll("house.obj", ModelSamples.obj(), seed: seed) }

    @Test(arguments: Seeds.few) func binaryGLTF(seed: UInt64) throws { try tryAll("a.glb", ModelSamples.binaryGLTF(), seed: seed) }

    @Test(arguments: Seeds.few) func textGLTF(seed: UInt64) throws { try tryAll("a.gltf", ModelSamples.textGLTF(), seed: seed) }
}
