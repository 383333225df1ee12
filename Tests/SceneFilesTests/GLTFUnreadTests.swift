import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Contents of glTF files that are not drawn: each kind is one warning.
@Suite struct GLTFUnreadTests {
    private func warnings(_ change: (inout TriangleGLTF) throws -> Void) throws -> [String] {
        var triangle = TriangleGLTF()
        try change(&triangle)
        return try triangle.read().warnings.map { $0.description.components(separatedBy: "model.gltf: ").last ?? "" }
    }

    @Test func partsOfTheFile() throws {
        let found = try warnings { triangle in
            triangle.root += #", "animations": [{}, {}], "skins": [{}], "cameras": [{}, {}]"#
            triangle.meshes = """
                [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "targets": [{}]}, {"attributes": {}},
                {"attributes": {"POSITION": 0}, "targets": [{}]}, {"attributes": {"POSITION": 0}, "mode": 1},
                {"attributes": {"POSITION": 0}, "mode": 0}]}]
                """
        }
        #expect(
            found == [
                "animations: animations are not shown; the model is at rest",
                "skins: skins are not applied; the model is drawn without them",
                "cameras: cameras are not read; the scene has its own",
                "meshes[0].primitives[0].targets: morph targets are not applied; the model is drawn without them",
                "meshes[0].primitives[1].attributes: the triangles have no positions and are not drawn",
                "meshes[0].primitives[3]: points and lines are not drawn",
            ])
        #expect(try warnings { $0.root += #", "animations": [], "cameras": []"# } == [])
    }

    @Test func extensionsThatAreUsedAndNotRequired() throws {
        let found = try warnings {
            $0.root += #", "extensionsUsed": ["KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_clearcoat"]"#
        }
        #expect(
            found == [
                "extensionsUsed[1]: the extension \"KHR_lights_punctual\" is not supported",
                "extensionsUsed[2]: the extension \"KHR_materials_clearcoat\" is not supported",
            ])
        // A required one is an error.
        var triangle = TriangleGLTF()
        triangle.root += #", "extensionsUsed": ["KHR_lights_punctual"], "extensionsRequired": ["KHR_lights_punctual"]"#
        #expect(try triangle.refusal() == "extensionsRequired[0]: the extension \"KHR_lights_punctual\" is not supported")
    }

    @Test func partsOfMaterials() throws {
        let shiny = """
            {"normalTexture": {"index": 0}, "occlusionTexture": {"index": 0}, "emissiveTexture": {"index": 0}, "emissiveFactor": [1, 1, 1],
            "pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 0.5}}
            """
        let found = try warnings { triangle in
            let glowing = #"{"emissiveFactor": [0, 0.5, 0]}"#
            triangle.root += #", "materials": [\#(shiny), \#(shiny), \#(glowing), {"emissiveFactor": [0, 0, 0]}]"#
            let primitives = (0..<4).map { #"{"attributes": {"POSITION": 0}, "indices": 1, "material": \#($0)}"# }
            triangle.meshes = #"[{"primitives": [\#(primitives.joined(separator: ", "))]}]"#
        }
        #expect(
            found == [
                "materials[0].normalTexture: normal maps are not read; vertex normals are used instead",
                "materials[0].occlusionTexture: occlusion textures are not read",
                "materials[0].pbrMetallicRoughness.metallicRoughnessTexture: metallic-roughness textures are not read; surfaces are matte",
                "materials[0].emissiveTexture: emission is not read; surfaces do not glow",
            ])
    }

    /// A texture whose set of coordinates the primitive does not have.
    @Test func missingTextureCoordinates() throws {
        var triangle = TriangleGLTF()
        triangle.root += """
            , "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}],
            "textures": [{"source": 0}], "images": [{"uri": "a.png"}]
            """
        triangle.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}]"#
        let file = try model(gltf: triangle.text, more: ["a.png": png(.red)])
        #expect(
            file.warnings.map(\.message)
                == ["TEXCOORD_1 is missing, so the texture's upper left pixel is drawn everywhere"])
    }
}
