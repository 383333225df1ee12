import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct OBJTests {
    private let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

    @Test func axesAndTextureCoordinatesAreTurned() throws {
        let mesh = try model(
            obj: """
                # y goes up, v goes up
                v 1 2 3
                v 4 5 6
                v 7 8 9
                vt 0.25 0.25
                vt 1 0
                vn 0 1 0
                vn 0 0 5
                f 1/1/1 2/2/1 3/1/2
                """
        ).mesh
        #expect(mesh.vertices == [[1, -3, 2], [4, -6, 5], [7, -9, 8]] && mesh.triangles == [[0, 1, 2]])
        #expect(mesh.textureCoordinates == [[0.25, 0.75], [1, 1], [0.25, 0.75]])
        #expect(mesh.normals == [[0, 0, 1], [0, 0, 1], [0, -1, 0]] && mesh.surfaces.isEmpty && mesh.isValid)
    }

    @Test func facesAreFans() throws {
        let mesh = try model(obj: square + "v -1 0.5 0\nf 1 2 3 4 5\n").mesh
        #expect(mesh.triangles == [[0, 1, 2], [0, 2, 3], [0, 3, 4]] && mesh.vertices.count == 5)
        #expect(mesh.textureCoordinates.isEmpty && mesh.normals.isEmpty)
    }

    /// `v x y z r g b`, as written by MeshLab and others: sRGB codes, unchanged.
    @Test func verticesHaveColors() throws {
        let text = "v 0 0 0 1 0.5 0\nv 1 0 0 0 0 1\nv 1 1 0 0.25 0.25 0.25\nf 1 2 3\n"
        let file = try model(obj: text)
        #expect(file.mesh.colors == [Color(red: 1, green: 0.5, blue: 0), .blue, Color(white: 0.25)])
        #expect(file.warnings.isEmpty && file.mesh.isValid && file.mesh.surfaces.isEmpty)
        // Corners that share a position share its color.
        let corners = try model(obj: text + "vt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 1/2 2/2 3/2\n").mesh.colors
        #expect(corners == file.mesh.colors + file.mesh.colors + file.mesh.colors)
        // Some vertices have no color; a fourth number is a weight.
        #expect(
            try model(obj: "v 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0 0.5\nv 2 2 2\nf 1 2 3\nf 2 3 4\n").mesh.colors == [
                .white, .red, .white, .white,
            ])
        #expect(try model(obj: "v 0 0 0 1.0\nv 1 0 0 0.5\nv 1 1 0 2 # no 1 0 0\nf 1 2 3\n").mesh.colors.isEmpty)
    }

    @Test func colorsOutsideAreClampedWithOneWarning() throws {
        let file = try model(obj: "v 0 0 0 255 128 0\nv 1 0 0 -1 0 1\nv 1 1 0 0 1 0\nf 1 2 3\n")
        #expect(file.mesh.colors == [.yellow, .blue, .green])
        #expect(file.warnings.map(\.description).count == 1)
        #expect(
            file.warnings.first?.description.hasSuffix("model.obj: line 1: a vertex color is outside 0…1 and is clamped")
                == true)
    }

    @Test func indicesCountFromTheEnd() throws {
        let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 6 1 0\nvn 0 0 1\nf -3//-1 -2//-1 -1//-1\n"
        let mesh = try model(obj: text).mesh
        #expect(mesh.vertices.map(\.x) == [0, 1, 1, 5, 6, 6] && mesh.triangles == [[0, 1, 2], [3, 4, 5]])
        // Where only some have normals the others get their triangle's.
        #expect(mesh.normals == [[0, -1, 0], [0, -1, 0], [0, -1, 0], [0, -1, 0], [0, -1, 0], [0, -1, 0]])
    }

    @Test func cornersAreSharedWhereTheyAreTheSame() throws {
        let points = "vt 0 0\nvt 1 0\nvn 0 0 1\nvn 0 1 0\n"
        #expect(try model(obj: square + "f 1 2 3\nf 1 3 4\nf 3 2 1\n").mesh.vertices.count == 4)
        #expect(try model(obj: square + points + "f 1/1 2/1 3/1\nf 1/1 3/2 4/1\n").mesh.vertices.count == 5)
        #expect(try model(obj: square + points + "f 1/1/1 2/1/1 3/1/1\nf 1/1/2 3/1/1 4/1/1\n").mesh.vertices.count == 5)
        // Some corners lack attributes of others.
        let mesh = try model(obj: square + points + "f 1/2/1 2//1 3/2\nf 1 3 4\n").mesh
        #expect(mesh.textureCoordinates.prefix(3) == [[1, 1], [0, 0], [1, 1]] && mesh.isValid)
        #expect(mesh.normals.allSatisfy { $0 == [0, -1, 0] })
    }

    @Test func linesEndAndGoOnAsTheyLike() throws {
        let expected = try model(obj: square + "f 1 2 3\nf 1 3 4\n").mesh
        for text in [
            square.replacingOccurrences(of: "\n", with: "\r\n") + "f 1 2 3\r\nf 1 3 4", square + "f 1 2 \\\n 3\nf 1 3 4 # the last\n",
            "\u{feff}# marked\n" + square + "\n\n\tf  1\t2  3 \n   f 1 3 4   ",
            square.replacingOccurrences(of: "\n", with: "\r") + "f 1 2 3\rf 1 3 4",
            "o thing\ng a b\ns 1\n" + square + "s off\nl 1 2\np 1\nvp 1 2\nf 1 2 3\ncurv 1 2\nf 1 3 4\n",
        ] {
            let mesh = try model(obj: text).mesh
            #expect(mesh.vertices == expected.vertices && mesh.triangles == expected.triangles, "\(text)")
        }
    }

    /// Decimal numbers of all forms are the nearest of their kind.
    @Test(arguments: Seeds.all) func numbers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = (0..<300).map { _ -> String in
            let sign = random.one(of: ["", "-", "+"])
            let digits = String((0..<random.integer(1...random.one(of: [3, 8, 22]))).map { _ in Character("\(random.integer(0...9))") })
            switch random.integer(0...4) {
            case 0: return "\(sign)\(digits.prefix(9))"
            case 1: return "\(sign)\(digits.prefix(8)).\(digits)"
            case 2: return "\(sign).\(digits)"
            case 3: return "\(sign)\(digits.prefix(1)).\(digits)e\(random.integer(-40...8))"
            default: return "\(sign)\(digits.prefix(3)).E-\(random.integer(0...9))"
            }
        }
        let lines = stride(from: 0, to: 300, by: 3).map { "v \(texts[$0]) \(texts[$0 + 1]) \(texts[$0 + 2])\nf -1 -1 -1" }
        let mesh = try model(obj: lines.joined(separator: "\n")).mesh
        for (index, vertex) in mesh.vertices.enumerated() {
            // Foundation knows no "1.E3".
            func float(_ offset: Int) -> Float { Float(strtod(texts[3 * index + offset], nil)) }
            #expect(vertex == [float(0), 0 - float(2), float(1)], "\(texts[3 * index]) \(texts[3 * index + 1]) \(texts[3 * index + 2])")
        }
    }

    @Test func whatIsWrongInALine() throws {
        for (text, problem) in [
            ("v 1 2\n", "line 5: z is missing"), ("v 1 2 x\n", "line 5: z: expected a number, found \"x\""),
            ("v 1 nan 3\n", "line 5: y: expected a number, found \"nan\""),
            ("v 1 1e38 3\n", "line 5: y: 1e+38 is outside -1000000000…1000000000"),
            ("\nv 1 1e999 3\n", "line 6: y: inf is outside -1000000000…1000000000"),
            ("v 1 2 3.4.5\n", "line 5: z: expected a number, found \"3.4.5\""),
            ("v 1 - 3\n", "line 5: y: expected a number, found \"-\""), ("v 1 1e 3\n", "line 5: y: expected a number, found \"1e\""),
            ("vt inf\n", "line 5: u: expected a number, found \"inf\""), ("vn 1 2\n", "line 5: z is missing"),
            ("f 1 2\n", "line 5: a face needs at least 3 corners, not 2"), ("f\n", "line 5: a face needs at least 3 corners, not 0"),
            ("f 1 2 5\n", "line 5: vertex 5 does not exist; only 4 precede this line"),
            ("f 0 1 2\n", "line 5: vertex 0 does not exist; only 4 precede this line"),
            ("f 1 2 -5\n", "line 5: vertex -5 does not exist; only 4 precede this line"),
            ("f 1/1 2 3\n", "line 5: texture coordinate 1 does not exist; only 0 precede this line"),
            ("vn 1 0 0\nf 1//1 2//2 3//1\n", "line 6: normal 2 does not exist; only 1 precede this line"),
            ("f 1 2 99999999999999999999999\n", "line 5: vertex 1000000000000000 does not exist; only 4 precede this line"),
            ("f 1 2 a\n", "line 5: expected a corner such as 1/2/3, found \"a\""),
            ("f 1 2 3/\u{7}x\n", "line 5: expected a corner such as 1/2/3, found \"3/\\u{7}x\""),
            ("f 1 2 3/1/1/1\n", "line 5: texture coordinate 1 does not exist; only 0 precede this line"),
            ("", "the model has no triangles"), ("mtllib\n", "line 5: the mtllib line names no file"),
        ] {
            #expect(try refusal(obj: square + text) == problem, "\(text)")
        }
        // Faces cannot use vertices that come later.
        #expect(try refusal(obj: "f 1 2 3\n" + square) == "line 1: vertex 1 does not exist; only 0 precede this line")
    }

    @Test func zeroNormalsAndTrianglesWithoutArea() throws {
        let mesh = try model(obj: square + "vn 0 0 0\nvn 1e300 0 0\nf 1//1 2//1 3//1\nf 1//2 1//1 1//1\n").mesh
        #expect(mesh.isValid && mesh.triangles.count == 2)
        #expect(mesh.normals.allSatisfy { abs(($0 * $0).sum() - 1) < 1e-6 })
        let corners = mesh.triangles[1]
        #expect(mesh.normals[Int(corners.x)] == [1, 0, 0] && mesh.normals[Int(corners.y)] == [0, 0, 1])
        #expect(mesh.normals[Int(mesh.triangles[0].x)] == [0, -1, 0])
    }

    /// Many vertices at one position, each with a different texture coordinate.
    @Test func oneVertexOfManyCorners() throws {
        let count = 3000
        let points = (0..<count).map { "vt \($0) 0" }.joined(separator: "\n")
        let faces = (1...count).map { "f 1/\($0) 2/\($0) 3/\($0)" }.joined(separator: "\n")
        let mesh = try model(obj: square + points + "\n" + faces + "\n" + faces).mesh
        #expect(mesh.triangles.count == 2 * count && mesh.isValid)
        for (index, triangle) in mesh.triangles.enumerated() {
            #expect(mesh.textureCoordinates[Int(triangle.y)].x == Float(index % count))
        }
    }
}
