import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Alpha, samplers, texture coordinates, sparse accessors and colors of glTF files, from the bytes of a file to the pixels.
/// The files are made here.
@Suite(.serialized) struct GLTFPictureTests {
    init() { PinnedRasterizer.pin }

    private static let side = 16

    /// A level square of 16 units, which fills the picture, from its north-west corner clockwise: y is up, and north is -z.
    private static let corners: [SIMD3<Float>] = [[-8, 0, -8], [8, 0, -8], [8, 0, 8], [-8, 0, 8]]
    private static let texturePoints: [SIMD2<Float>] = [[0, 0], [1, 0], [1, 1], [0, 1]]

    /// The text of a glTF file of that square.
    private struct Square {
        var attributes: [(name: String, type: String, components: [Float])] = [
            ("POSITION", "VEC3", corners.flatMap { [$0.x, $0.y, $0.z] })
        ]
        var material = "{}"
        var sampler = "{}"
        var image: Bitmap?
        /// Added to the accessor of positions, and the bytes that it refers to as the last buffer view.
        var sparse: (text: String, bytes: [UInt8])?

        func text() throws -> String {
            var (bytes, views, accessors): ([UInt8], [String], [String]) = ([], [], [])
            func add(_ more: [UInt8]) -> Int {
                views.append(#"{"buffer": 0, "byteOffset": \#(bytes.count), "byteLength": \#(more.count)}"#)
                bytes += more + [UInt8](repeating: 0, count: -more.count & 3)
                return views.count - 1
            }
            func data(_ numbers: [Float]) -> [UInt8] {
                numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) } }
            }
            for (name, type, components) in attributes {
                let extra = name == "POSITION" ? sparse.map { ", " + $0.text } ?? "" : ""
                accessors.append(
                    #"{"bufferView": \#(add(data(components))), "componentType": 5126, "type": "\#(type)", "count": 4\#(extra)}"#)
            }
            accessors.append(
                #"{"bufferView": \#(add([0, 3, 2, 0, 2, 1])), "componentType": 5121, "type": "SCALAR", "count": 6}"#)
            if let sparse { _ = add(sparse.bytes) }
            let names = attributes.indices.map { #""\#(attributes[$0].name)": \#($0)"# }.joined(separator: ", ")
            let image = try image.map { Data(try $0.encoded(as: .png)).base64EncodedString() }
            let textures =
                image.map {
                    #", "textures": [{"source": 0, "sampler": 0}], "samplers": [\#(sampler)], "images": [{"uri": "data:image/png;base64,\#($0)"}]"#
                } ?? ""
            return """
                {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "materials": [\(material)],
                "meshes": [{"primitives": [{"attributes": {\(names)}, "indices": \(attributes.count), "material": 0}]}],
                "accessors": [\(accessors.joined(separator: ", "))], "bufferViews": [\(views.joined(separator: ", "))],
                "buffers": [{"byteLength": \(bytes.count),
                "uri": "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"}]\(textures)}
                """
        }
    }

    private func drawn(_ square: Square, background: Color = .clear) throws -> Bitmap {
        let folder = ScratchFolder()
        let file = try ModelFile(contentsOf: folder.write(square.text(), "square.gltf"))
        #expect(file.warnings.isEmpty)
        let mapView = MapView(size: CGSize(width: Self.side, height: Self.side))
        let place = LatLng(lat: 37.5, lng: 127)
        mapView.camera = Camera(center: place, zoom: 15)
        mapView.background = background
        mapView.modelSamples = 1
        let model = LocalModel(mesh: file.mesh, coordinates: place)
        // A unit is a pt.
        model.isAutoscaled = true
        mapView.add(model)
        let picture = try Renderer(device: .software).render(mapView)
        #expect(picture.diagnostics.isEmpty)
        return picture.bitmap
    }

    /// The square, with texture coordinates times `repeats`, and with a material of this texture.
    private func textured(
        _ image: Bitmap, sampler: String = #"{"magFilter": 9728}"#, repeats: Float = 1, set: Int = 0, more: String = ""
    ) -> Square {
        var square = Square(image: image)
        square.attributes.append(("TEXCOORD_\(set)", "VEC2", Self.texturePoints.flatMap { [$0.x * repeats, $0.y * repeats] }))
        square.material = """
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0\(set == 0 ? "" : ", \"texCoord\": \(set)")}}\(more)}
            """
        square.sampler = sampler
        return square
    }

    /// Four columns of red, with an alpha that rises to the right.
    private func ramp() -> Bitmap {
        let alphas: [UInt8] = [0, 100, 150, 255]
        return Bitmap(width: 4, height: 1, straightPixels: alphas.flatMap { [255, 0, 0, $0] }) ?? Bitmap(width: 1, height: 1)
    }

    /// The alphas of the picture's columns, in quarters.
    private func columns(_ picture: Bitmap) -> [UInt8] { [2, 6, 10, 14].map { picture[$0, 8].alpha } }

    @Test func alphaModes() throws {
        func alphas(_ more: String) throws -> [UInt8] {
            let picture = try drawn(textured(ramp(), more: more))
            for x in [2, 6, 10, 14] {
                let pixel = picture[x, 8]
                // The fully transparent texel keeps no color, also where its alpha has no effect.
                #expect(x == 2 || pixel.isNear(.init(red: pixel.alpha, green: 0, blue: 0, alpha: pixel.alpha)), "\(more) at \(x): \(pixel)")
            }
            return columns(picture)
        }
        #expect(try alphas("") == [255, 255, 255, 255])
        #expect(try alphas(#", "alphaMode": "BLEND""#) == [0, 100, 150, 255])
        #expect(try alphas(#", "alphaMode": "MASK""#) == [0, 0, 255, 255])
        #expect(try alphas(#", "alphaMode": "MASK", "alphaCutoff": 0.25"#) == [0, 255, 255, 255])
        #expect(try alphas(#", "alphaMode": "MASK", "alphaCutoff": 1"#) == [0, 0, 0, 255])
        #expect(try alphas(#", "alphaMode": "MASK", "alphaCutoff": 0"#) == [255, 255, 255, 255])
        #expect(try alphas(#", "alphaMode": "MASK", "alphaCutoff": 1.01"#) == [0, 0, 0, 0])
    }

    @Test func blendedMaterialsLieOverWhatIsBeneath() throws {
        let picture = try drawn(textured(ramp(), more: #", "alphaMode": "BLEND""#), background: .blue)
        for (x, alpha) in [(2, 0), (6, 100), (10, 150), (14, 255)] as [(Int, UInt8)] {
            #expect(picture[x, 8].isNear(.init(red: alpha, green: 0, blue: 255 - alpha, alpha: 255)))
        }
    }

    @Test func wrapping() throws {
        var image = Bitmap(width: 2, height: 2, fill: .red)
        (image[1, 0], image[0, 1]) = (.opaqueGreen, .opaqueBlue)
        image[1, 1] = .white
        /// For each texel of a row or column of eight, whether it is the first or the second.
        let rows: [(Int, [Int])] = [
            (10497, [0, 1, 0, 1, 0, 1, 0, 1]), (33648, [0, 1, 1, 0, 0, 1, 1, 0]), (33071, [0, 1, 1, 1, 1, 1, 1, 1]),
        ]
        for (codeS, across) in rows {
            for (codeT, down) in rows {
                let sampler = #"{"magFilter": 9728, "wrapS": \#(codeS), "wrapT": \#(codeT)}"#
                let picture = try drawn(textured(image, sampler: sampler, repeats: 4))
                for y in 0..<16 { for x in 0..<16 { #expect(picture[x, y] == image[across[x / 2], down[y / 2]]) } }
            }
        }
    }

    @Test func filters() throws {
        var image = Bitmap(width: 2, height: 1, fill: .black)
        image[1, 0] = .white
        let nearest = try drawn(textured(image))
        let linear = try drawn(textured(image, sampler: #"{"magFilter": 9729}"#))
        #expect((0..<16).map { nearest[$0, 3].red } == Array(repeating: 0, count: 8) + Array(repeating: 255, count: 8))
        for x in 0..<16 {
            let share = min(1, max(0, (Double(x) + 0.5) / 8 - 0.5))
            #expect(abs(Double(linear[x, 3].red) - share * 255) <= 2)
        }
        // Three texels per pixel, the second of them white: with mipmaps, nearly a third of the pixel is white.
        var stripes = Bitmap(width: 48, height: 48, fill: .black)
        for y in 0..<48 { for x in stride(from: 1, to: 48, by: 3) { stripes[x, y] = .white } }
        #expect(try drawn(textured(stripes, sampler: #"{"minFilter": 9728}"#)) == Bitmap(width: 16, height: 16, fill: .white))
        for code in [9984, 9985, 9986, 9987] {
            let picture = try drawn(textured(stripes, sampler: #"{"minFilter": \#(code)}"#))
            #expect((4..<12).allSatisfy { picture[$0, 8].red < 200 }, "\(code)")
        }
    }

    @Test func theOtherSetOfTextureCoordinates() throws {
        var image = Bitmap(width: 2, height: 1, fill: .red)
        image[1, 0] = .opaqueGreen
        var square = textured(image, set: 1)
        // The first set has the green texel everywhere.
        square.attributes.insert(("TEXCOORD_0", "VEC2", Array(repeating: 0.75, count: 8)), at: 1)
        let picture = try drawn(square)
        #expect(picture[3, 8] == .opaqueRed && picture[12, 8] == .opaqueGreen)
    }

    @Test func sparseAccessors() throws {
        // The two eastern corners are moved to the middle: indices 1 and 2 as bytes, then two positions.
        var square = Square()
        let places: [Float] = [0, 0, -8, 0, 0, 8]
        square.sparse = (
            """
            "sparse": {"count": 2, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 2, "byteOffset": 4}}
            """, [1, 2, 0, 0] + places.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) } }
        )
        let picture = try drawn(square)
        for y in 0..<16 { for x in 0..<16 { #expect(picture[x, y] == (x < 8 ? .white : .clear)) } }
    }

    /// Colors are coded, and then interpolated and multiplied.
    @Test func vertexColors() throws {
        func coded(_ linear: Double) -> Double { linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055 }
        let (west, east): (SIMD4<Float>, SIMD4<Float>) = ([1, 0.2, 0, 1], [0, 0.5, 0.1, 0.25])
        var square = Square(material: #"{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 1, 1]}, "alphaMode": "BLEND"}"#)
        let colors = [west, east, east, west]
        square.attributes.append(("COLOR_0", "VEC4", colors.flatMap { [$0.x, $0.y, $0.z, $0.w] }))
        let picture = try drawn(square)
        for x in 0..<16 {
            let share = (Double(x) + 0.5) / 16
            func mixed(_ channel: Int) -> Double { coded(Double(west[channel])) * (1 - share) + coded(Double(east[channel])) * share }
            let alpha = Double(west.w) * (1 - share) + Double(east.w) * share
            let wanted = SIMD4(mixed(0), mixed(1) * coded(0.5), mixed(2), 1) * alpha * 255
            let pixel = picture[x, 5]
            let found = SIMD4(Double(pixel.red), Double(pixel.green), Double(pixel.blue), Double(pixel.alpha))
            let off = found - wanted
            #expect(max(off.max(), -off.min()) <= 2, "\(x): \(found) \(wanted)")
        }
    }

    @Test func colorsOfAnOBJFile() throws {
        let folder = ScratchFolder()
        let text = """
            v -8 0 -8 1 0 0\nv 8 0 -8 0 1 0\nv 8 0 8 0 1 0\nv -8 0 8 1 0 0
            f 1 4 3 2
            """
        let mapView = MapView(16, 16, Camera(center: LatLng(lat: 0, lng: 0), zoom: 15))
        let model = LocalModel(mesh: try ModelFile(contentsOf: folder.write(text, "square.obj")).mesh, coordinates: LatLng(lat: 0, lng: 0))
        model.isAutoscaled = true
        mapView.add(model)
        let picture = try Renderer(device: .software).render(mapView).bitmap
        for x in 0..<16 {
            let share = (Double(x) + 0.5) / 16 * 255
            #expect(abs(Double(picture[x, 8].red) - (255 - share)) <= 1.5 && abs(Double(picture[x, 8].green) - share) <= 1.5)
        }
    }
}
