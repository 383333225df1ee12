import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Content of a map that is too long to print appears as a hash in the text of its frame.
@Suite struct MapFrameTextTests {
    private static let place = LatLng(lat: 37.5, lng: 127)

    private func text(_ change: (MapView) -> Void) throws -> String {
        let map = MapView(160, 120, Camera(center: Self.place, zoom: 12))
        change(map)
        return try map.makeFrame().description
    }

    /// The lines that only one of two texts has.
    private func changes(_ old: String, _ new: String) -> [String] {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        return old.filter { !new.contains($0) }.map { "- \($0)" } + new.filter { !old.contains($0) }.map { "+ \($0)" }
    }

    private func model(top: Float = 300, texture: Float = 0.5, corner: UInt32 = 2, in map: MapView) {
        let mesh = FloatMesh(
            vertices: [[0, 0, 0], [900, 0, 0], [900, 900, 0], [0, 900, 0], [0, 0, top]],
            textureCoordinates: [[0, 0], [1, 0], [1, texture], [0, 1], [0, 0]],
            triangles: [[0, 1, corner], [0, 2, 3], [0, 1, 4]])
        map.add(LocalModel(mesh: mesh, coordinates: Self.place))
    }

    @Test func aMeshOfOtherContent() throws {
        let text = try self.text { model(in: $0) }
        #expect(text.contains("\nvertices of mesh 0, local mesh: "), "\(text)")
        #expect(try self.text { model(in: $0) } == text)
        // As many vertices and triangles, at the same place.
        for other in [try self.text { model(texture: 0.75, in: $0) }, try self.text { model(corner: 3, in: $0) }] {
            let changes = changes(text, other)
            #expect(
                changes.count == 2 && changes.allSatisfy { $0.dropFirst(2).hasPrefix("vertices of mesh 0, local mesh: ") }, "\(changes)")
        }
        let higher = changes(text, try self.text { model(top: 301, in: $0) })
        #expect(higher.contains { $0.hasPrefix("+ vertices of mesh 0") }, "\(higher)")
    }

    @Test func aLineWithAnotherPointInTheMiddle() throws {
        func line(_ height: Double) throws -> String {
            try self.text { map in
                var points: [LatLng] = []
                for index in 0..<60 {
                    let rise = index == 30 ? height : index % 2 == 0 ? 0 : 0.001
                    points.append(LatLng(lat: 37.5 + rise, lng: 126.98 + 0.0006 * Double(index)))
                }
                map.add(Polygon(points: points + [LatLng(lat: 37.49, lng: 127.0154), LatLng(lat: 37.49, lng: 126.98)]))
            }
        }
        let text = try line(0.001)
        #expect(try line(0.001) == text)
        let changes = try changes(text, line(0.0012))
        #expect(
            changes.contains { $0.hasPrefix("- points of all paths: ") } && changes.contains { $0.hasPrefix("+ points of all paths: ") })
        #expect(changes.allSatisfy { $0.contains("points") || $0.contains(" of ") }, "\(changes)")
        #expect(try !self.text { _ in }.contains("points of"))
    }

    private func tiles(_ info: TileSetInfo, _ make: @escaping @Sendable (TileAddress) throws -> TileData?) -> (MapView) -> Void {
        { $0.baseMap = [BaseMapLayer(source: MadeTiles(info, make), name: "streets")] }
    }

    @Test func aTileOfOtherPixels() throws {
        let info = TileSetInfo(maxZoom: 13)
        @Sendable func plain(_ address: TileAddress) -> Bitmap {
            Bitmap(width: 256, height: 256, fill: Color(css: "#f2efe9") ?? .white)
        }
        let text = try self.text(tiles(info) { .bitmap(plain($0)) })
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("pixels of tile 13/") }
        // The view's center lies in this tile.
        let prefix = "pixels of tile 13/6985/3174 of set 0, streets: "
        let hash = Fingerprint(plain(TileAddress(zoom: 13, x: 0, y: 0)).pixels).text
        #expect(lines.contains { $0 == prefix + hash }, "\(text)")
        #expect(lines.count == Set(lines).count && lines.allSatisfy { $0.hasSuffix(": \(hash)") })
        #expect(try self.text(tiles(info) { .bitmap(plain($0)) }) == text)
        // By one in one channel of one pixel.
        let changed = try self.text(
            tiles(info) { address in
                var bitmap = plain(address)
                if address == TileAddress(zoom: 13, x: 6985, y: 3174) { bitmap[200, 100].green ^= 1 }
                return .bitmap(bitmap)
            })
        let changes = changes(text, changed)
        #expect(changes.count == 2 && changes[0] == "- \(prefix)\(hash)" && changes[1].hasPrefix("+ \(prefix)"), "\(changes)")
    }

    @Test func whatIsShownInPlaceOfATile() throws {
        struct Down: Error {}
        let text = try self.text(
            tiles(TileSetInfo(minZoom: 10, maxZoom: 13)) { address in
                switch (address.zoom, address.x % 2) {
                case (13, 0): nil
                case (13, _): throw Down()
                case (12, _): nil
                default: .bitmap(Bitmap(width: 256, height: 256, fill: .red))
                }
            })
        let hash = Fingerprint(Bitmap(width: 256, height: 256, fill: .red).pixels).text
        #expect(text.contains("\npixels of tile 11/1746/793 of set 0, streets: \(hash)\n"), "\(text)")
        #expect(text.contains("\npixels of tile 13/6985/3174 of set 0, streets: none; it cannot be drawn\n"), "\(text)")
        #expect(!text.contains("pixels of tile 12/") && !text.contains("pixels of tile 13/6986/"), "\(text)")
        // If a source has no tiles up to the first zoom, nothing is shown.
        #expect(try !self.text(tiles(TileSetInfo(minZoom: 13, maxZoom: 13)) { _ in nil }).contains("pixels of tile"))
    }
}
