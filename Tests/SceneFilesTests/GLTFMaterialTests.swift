import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct GLTFMaterialTests {
    /// A model of triangles with these materials.
    private func file(_ materials: [String], more root: String = "", images: [String: [UInt8]] = [:]) throws -> ModelFile {
        var triangle = TriangleGLTF()
        triangle.root += #", "materials": [\#(materials.joined(separator: ", "))]"# + root
        // The positions are texture coordinates, too: (0, 0), (0, 1), (0, 0) and (1, 0), (0, 0), (1, 0).
        triangle.accessors =
            triangle.accessors.dropLast() + """
                , {"bufferView": 2, "componentType": 5126, "type": "VEC2", "count": 3},
                {"bufferView": 2, "byteOffset": 12, "componentType": 5126, "type": "VEC2", "count": 3}]
                """
        triangle.views = triangle.views.dropLast() + #", {"buffer": 0, "byteLength": 36}]"#
        let primitives = materials.indices.map {
            #"{"attributes": {"POSITION": 0, "TEXCOORD_0": 2, "TEXCOORD_1": 3}, "indices": 1, "material": \#($0)}"#
        }
        triangle.meshes = #"[{"primitives": [\#(primitives.joined(separator: ", "))]}]"#
        return try model(gltf: triangle.text, more: images)
    }

    private func material(factor: String? = nil, texture: String? = nil, more: String = "") -> String {
        let parts = [factor.map { #""baseColorFactor": \#($0)"# }, texture.map { #""baseColorTexture": \#($0)"# }].compactMap(\.self)
        return #"{"pbrMetallicRoughness": {\#(parts.joined(separator: ", "))}\#(more)}"#
    }

    /// Factors are linear; the sRGB standard's own example values of their codes.
    @Test func factorsBecomeCodedColours() throws {
        let surfaces = try file([
            material(factor: "[1, 0, 0.2140411, 0.5]"), material(factor: "[0.002, 0, 0, 0.5]", more: #", "alphaMode": "BLEND""#), "{}",
            material(factor: "[1, 0, 0.2140411, 0.25]"),
        ]).mesh.surfaces
        #expect(surfaces.map(\.triangles) == [0..<2, 2..<3, 3..<4])
        #expect(surfaces[0].diffuse.red == 1 && surfaces[0].diffuse.green == 0 && abs(surfaces[0].diffuse.blue - 0.5) < 1e-6)
        // An opaque material's alpha plays no part.
        #expect(surfaces[0].diffuse.alpha == 1 && surfaces[1].diffuse.alpha == 0.5)
        #expect(abs(surfaces[1].diffuse.red - 0.02584) < 1e-6 && surfaces[2].diffuse == .white)
    }

    /// Back faces are culled unless the material is double-sided; triangles with different sidedness are separate surfaces.
    @Test func sidesAreTheMaterials() throws {
        let surfaces = try file([
            material(more: #", "doubleSided": true"#), "{}", material(more: #", "doubleSided": false"#),
            material(factor: "[1, 0, 0, 1]", more: #", "doubleSided": true"#),
        ]).mesh.surfaces
        #expect(surfaces.map(\.isDoubleSided) == [true, false, true])
        #expect(surfaces.map(\.triangles) == [0..<1, 1..<3, 3..<4] && surfaces.map(\.diffuse) == [.white, .white, .red])
        #expect(try file([material(more: #", "doubleSided": true"#)]).mesh.surfaces.isEmpty)
    }

    /// Only the base color (KHR_materials_unlit), in separate surfaces.
    @Test func unlitMaterials() throws {
        let unlit = #", "extensions": {"KHR_materials_unlit": {}}"#
        let surfaces = try file([material(factor: "[1, 0, 0, 1]", more: unlit), material(factor: "[1, 0, 0, 1]")]).mesh.surfaces
        #expect(surfaces.map(\.isLit) == [false, true] && surfaces.map(\.diffuse) == [.red, .red])
    }

    /// A node that mirrors turns the winding back, so that a front stays a front: glTF 2.0, 3.7.2.1.
    @Test func mirrorsTurnTheWinding() throws {
        for (scale, isMirrored) in [("[1, 1, 1]", false), ("[-1, 1, 1]", true), ("[-1, -1, 1]", false), ("[-1, -1, -1]", true)] {
            var triangle = TriangleGLTF()
            triangle.nodes = #"[{"mesh": 0, "scale": \#(scale)}]"#
            let mesh = try triangle.read().mesh
            // The file's (0, 0, 1) is the scene's (0, -1, 0).
            let normal = faceNormal(mesh, 0)
            #expect(normal.x == 0 && normal.z == 0 && (normal.y < 0) == !scale.hasSuffix("-1]"), "\(scale)")
            #expect((mesh.triangles == [[0, 2, 1]]) == isMirrored, "\(scale)")
            #expect(mesh.surfaces.map(\.isDoubleSided) == [false])
        }
    }

    @Test func texturesOfAllSources() throws {
        let red = try png(.red)
        let uri = "data:image/png;base64,\(Data(try png(.green)).base64EncodedString())"
        let images = #", "images": [{"uri": "my%20red.png"}, {"uri": "\#(uri)"}, {"uri": "gone.png"}], "#
        let root = images + #""textures": [{"source": 0}, {"source": 1}, {"extensions": {"EXT_texture_webp": {"source": 0}}}, {}]"#
        let read = try file(
            [
                material(texture: #"{"index": 0}"#), material(factor: "[1, 1, 1, 1]", texture: #"{"index": 1, "texCoord": 1}"#),
                material(texture: #"{"index": 2}"#), material(texture: #"{"index": 3}"#),
            ], more: root, images: ["my red.png": red])
        let surfaces = read.mesh.surfaces
        #expect(surfaces.map(\.triangles) == [0..<2, 2..<3, 3..<4])
        func pixel(_ image: OverlayImage?) throws -> [UInt8]? {
            guard let image, case .raster = try image.decoded() else { return nil }
            return Array(image.bitmap.pixels.prefix(4))
        }
        #expect(try pixel(surfaces[0].texture) == [255, 0, 0, 255] && pixel(surfaces[1].texture) == [0, 255, 0, 255])
        #expect(surfaces[2].texture == nil)
        #expect(read.warnings.map(\.message) == ["the texture has no image in a known format; the texture is left out"])
        // The second takes the other set of coordinates.
        let mesh = read.mesh
        #expect(mesh.textureCoordinates.prefix(3) == [[0, 0], [0, 1], [0, 0]])
        let corners = mesh.triangles[surfaces[1].triangles.lowerBound]
        #expect((0..<3).map { mesh.textureCoordinates[Int(corners[$0])] } == [[1, 0], [0, 0], [1, 0]])
    }

    /// Scaled, then turned from (1, 0) towards (0, -1), then moved.
    @Test func texturesAreMoved() throws {
        let root = #", "images": [{"uri": "a.png"}], "textures": [{"source": 0}], "extensionsRequired": ["KHR_texture_transform"]"#
        func coordinates(_ transform: String) throws -> [SIMD2<Float>] {
            let texture = #"{"index": 0, "extensions": {"KHR_texture_transform": {\#(transform)}}}"#
            return try file([material(texture: texture)], more: root, images: ["a.png": png(.red)]).mesh.textureCoordinates
        }
        func isNear(_ found: [SIMD2<Float>], _ expected: [SIMD2<Float>]) -> Bool {
            found.count == expected.count && zip(found, expected).allSatisfy { abs($0.x - $1.x) < 1e-6 && abs($0.y - $1.y) < 1e-6 }
        }
        // Of (0, 0), (0, 1), (0, 0); with the other set of (1, 0), (0, 0), (1, 0).
        #expect(try isNear(coordinates(#""offset": [0.5, 0.25]"#), [[0.5, 0.25], [0.5, 1.25], [0.5, 0.25]]))
        #expect(try isNear(coordinates(#""scale": [3, 2], "texCoord": 1"#), [[3, 0], [0, 0], [3, 0]]))
        #expect(try isNear(coordinates(#""rotation": 1.5707963267948966, "texCoord": 1"#), [[0, -1], [0, 0], [0, -1]]))
        #expect(
            try isNear(coordinates(#""rotation": 1.5707963267948966, "scale": [1, 2], "offset": [0, 1]"#), [[0, 1], [2, 1], [0, 1]]))
    }

    @Test func imagesInTheBinaryChunk() throws {
        let image = try png(.blue)
        let vertices = littleEndian([0, 0, 0, 1, 0, 0, 0, 1, 0] as [Float])
        let json = """
            {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0}], "images": [{"bufferView": 1, "mimeType": "image/png"}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": \(image.count)}],
            "buffers": [{"byteLength": \(36 + image.count)}]}
            """
        let folder = ScratchFolder()
        let mesh = try ModelFile(contentsOf: folder.write(glb(json, vertices + image), "model.glb")).mesh
        guard let texture = mesh.surfaces.first?.texture, case .raster = try texture.decoded() else { throw Refusal(text: "no texture") }
        #expect(texture.bitmap == Bitmap(width: 2, height: 2, fill: .blue))
        try folder.write(glb(json, vertices + Array(image.dropLast(20)) + Array(repeating: 0, count: 20)), "broken.glb")
        #expect(refusal(model: "broken.glb", in: folder)?.hasPrefix("broken.glb: images[0]: the image: the PNG data is damaged") == true)
    }

    /// The alpha of an opaque material's texture may contain other data than opacity.
    @Test func alphaCountsWhereTheMaterialSaysSo() throws {
        let clear = try png(Color(red: 1, green: 0, blue: 0, alpha: 0.5))
        let root = #", "images": [{"uri": "a.png"}], "textures": [{"source": 0}]"#
        let texture = #"{"index": 0}"#
        let surfaces = try file(
            [
                material(texture: texture), material(texture: texture, more: #", "alphaMode": "BLEND""#),
                material(factor: "[1, 0, 0, 1]", texture: texture),
            ], more: root, images: ["a.png": clear]
        ).mesh.surfaces
        let alphas = try surfaces.map { surface -> UInt8? in
            guard let image = surface.texture, case .raster = try image.decoded() else { return nil }
            return image.bitmap.pixels[3]
        }
        #expect(alphas == [255, 128, 255] && surfaces[0].texture == surfaces[2].texture)
    }

    @Test func masksAreCutoffs() throws {
        let clear = try png(Color(red: 1, green: 0, blue: 0, alpha: 0.5))
        let root = #", "images": [{"uri": "a.png"}], "textures": [{"source": 0}]"#
        func surface(_ more: String) throws -> FloatMesh.Surface {
            let mask = material(factor: "[1, 1, 1, 0.75]", texture: #"{"index": 0}"#, more: more)
            return try #require(try file([mask], more: root, images: ["a.png": clear]).mesh.surfaces.first)
        }
        func alpha(_ surface: FloatMesh.Surface) throws -> UInt8? {
            guard let image = surface.texture, case .raster = try image.decoded() else { return nil }
            return image.bitmap.pixels[3]
        }
        // 0.5 unless given.
        let mask = try surface(#", "alphaMode": "MASK""#)
        #expect(try mask.alphaCutoff == 0.5 && mask.diffuse.alpha == 0.75 && alpha(mask) == 128)
        #expect(try surface(#", "alphaMode": "MASK", "alphaCutoff": 0.25"#).alphaCutoff == 0.25)
        // Every alpha passes 0, and none passes a value above 1.
        let all = try surface(#", "alphaMode": "MASK", "alphaCutoff": 0"#)
        #expect(try all.alphaCutoff == nil && all.diffuse.alpha == 1 && alpha(all) == 255)
        let none = try surface(#", "alphaMode": "MASK", "alphaCutoff": 1.5"#)
        #expect(none.alphaCutoff == 1 && none.diffuse.alpha == 0)
        // Other modes have no cutoff.
        #expect(try surface(#", "alphaMode": "BLEND", "alphaCutoff": 0.25"#).alphaCutoff == nil)
        #expect(try surface(#", "alphaCutoff": 0.25"#).alphaCutoff == nil)
    }

    @Test func samplersOfTextures() throws {
        func sampler(_ text: String?) throws -> TextureSampler? {
            let root = """
                , "images": [{"uri": "a.png"}], "textures": [{"source": 0\(text == nil ? "" : #", "sampler": 0"#)}],
                "samplers": [{\(text ?? "")}]
                """
            return try file([material(texture: #"{"index": 0}"#)], more: root, images: ["a.png": png(.red)]).mesh.surfaces.first?.sampler
        }
        #expect(try sampler(nil) == TextureSampler() && sampler("") == TextureSampler())
        for (code, wrap) in [(10497, TextureSampler.Wrap.repeat), (33648, .mirroredRepeat), (33071, .clampToEdge)] {
            #expect(try sampler(#""wrapS": \#(code)"#) == TextureSampler(wrapU: wrap))
            #expect(try sampler(#""wrapT": \#(code)"#) == TextureSampler(wrapV: wrap))
        }
        #expect(try sampler(#""magFilter": 9728"#) == TextureSampler(magFilter: .nearest))
        #expect(try sampler(#""magFilter": 9729"#) == TextureSampler())
        for (code, filter, mipmaps) in [
            (9728, .nearest, .none), (9729, .linear, .none), (9984, .nearest, .nearest), (9985, .linear, .nearest),
            (9986, .nearest, .linear), (9987, .linear, .linear),
        ] as [(Int, TextureSampler.Filter, TextureSampler.MipmapFilter)] {
            #expect(try sampler(#""minFilter": \#(code)"#) == TextureSampler(minFilter: filter, mipmapFilter: mipmaps))
        }
        // One image in two ways is two surfaces.
        let root = """
            , "images": [{"uri": "a.png"}], "textures": [{"source": 0, "sampler": 0}, {"source": 0}], "samplers": [{"magFilter": 9728}]
            """
        let surfaces = try file(
            [material(texture: #"{"index": 0}"#), material(texture: #"{"index": 1}"#)], more: root, images: ["a.png": png(.red)]
        ).mesh.surfaces
        #expect(surfaces.count == 2 && surfaces[0].texture == surfaces[1].texture)
    }

    @Test func whatIsWrong() throws {
        func problem(_ material: String, _ more: String = "") throws -> String? {
            do {
                _ = try file([material], more: more)
                return nil
            } catch let error as SceneError {
                return error.description.components(separatedBy: "model.gltf: ").last
            }
        }
        #expect(
            try problem(material(factor: "[1, 1, 2, 1]"))
                == "materials[0].pbrMetallicRoughness.baseColorFactor[2]: 2 is outside 0…1")
        #expect(
            try problem(material(more: #", "doubleSided": 1"#)) == "materials[0].doubleSided: expected true or false, found 1")
        #expect(
            try problem(material(more: #", "alphaMode": "MASKED""#))
                == "materials[0].alphaMode: expected \"OPAQUE\", \"MASK\" or \"BLEND\", found the string \"MASKED\"")
        #expect(
            try problem(material(more: #", "alphaMode": "MASK", "alphaCutoff": -1"#)) == "materials[0].alphaCutoff: -1 is less than 0")
        let image = "data:image/png;base64,\(Data(try png(.red)).base64EncodedString())"
        func sampler(_ text: String) throws -> String? {
            try problem(
                material(texture: #"{"index": 0}"#),
                #", "textures": [{"source": 0, "sampler": 0}], "images": [{"uri": "\#(image)"}], "samplers": [\#(text)]"#)
        }
        #expect(try sampler("") == "textures[0].sampler: sampler 0 does not exist; the file has none")
        #expect(try sampler(#"{"wrapS": 5}"#) == "samplers[0].wrapS: unknown wrapping mode 5")
        #expect(try sampler(#"{"magFilter": 9987}"#) == "samplers[0].magFilter: unknown magnification filter 9987")
        #expect(try sampler(#"{"minFilter": 1}"#) == "samplers[0].minFilter: unknown minification filter 1")
        #expect(
            try problem(material(factor: "[1, 1, 1]"))
                == "materials[0].pbrMetallicRoughness.baseColorFactor: expected 4 elements, found 3")
        #expect(
            try problem(material(texture: #"{"index": 0}"#))
                == "materials[0].pbrMetallicRoughness.baseColorTexture.index: texture 0 does not exist; the file has none")
        #expect(
            try problem(material(texture: #"{"index": 0}"#), #", "textures": [{"source": 1}], "images": [{}]"#)
                == "textures[0].source: image 1 does not exist; the file has 1, counted from 0")
        #expect(
            try problem(material(texture: #"{"index": 0}"#), #", "textures": [{"source": 0}], "images": [{}]"#)
                == "images[0]: missing key \"uri\" or \"bufferView\"")
        #expect(
            try problem(material(texture: #"{"index": 0}"#), #", "textures": [{"source": 0}], "images": [{"uri": "no.png"}]"#)
                == "images[0].uri: no.png: cannot read the file: No such file or directory")
        #expect(
            try problem(material(texture: #"{"index": 0}"#), #", "textures": [{"source": 0}], "images": [{"uri": "http://a/b.png"}]"#)
                == "images[0].uri: only relative file names and data: URIs are supported")
    }
}
