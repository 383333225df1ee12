import Foundation
import Testing
import Waymark
import WaymarkLayout
import WaymarkTestSupport

/// A missing tile is replaced by an enlarged one above it: at its borders with existing tiles, the background does not show and nothing is
/// blended twice.
@Suite(.serialized) @MainActor struct MissingTileTests {
    init() { PinnedRasterizer.pin }

    nonisolated private static let cameras: [(zoom: Double, tilt: Double, bearing: Double)] = [
        (5, 0, 0), (4.3, 0, 0), (4.5, 0, 0), (4.77, 0, 0), (5.2, 0, 0), (5, 0, 17), (4.6, 0, 45), (5.4, 0, -100), (5, 40, 0), (4.9, 60, 30),
        (5.1, 60, -70), (5.6, 50, 10),
    ]

    private func map(_ source: MadeTiles, _ camera: (zoom: Double, tilt: Double, bearing: Double), ratio: Double) -> MapView {
        let place = Camera(center: LatLng(lat: 9.6, lng: 20.3), zoom: camera.zoom, bearing: camera.bearing, tilt: camera.tilt)
        let map = MapView(240, 180, pixelRatio: ratio, place)
        map.baseMap = [BaseMapLayer(source: source)]
        map.background = .black
        return map
    }

    /// The tile of a zoom in the middle of the view.
    nonisolated private static func middle(zoom: Int) -> TileAddress {
        let count = Double(1 << zoom)
        return TileAddress(
            zoom: zoom, x: Int(WebMercator.x(lng: 20.3) * count), y: Int(WebMercator.uncheckedY(lat: 9.6) * count))
    }

    /// One tile, a column of tiles through three zooms, many, and a whole zoom.
    nonisolated private static func isMissing(_ address: TileAddress, _ pattern: Int) -> Bool {
        switch pattern {
        case 0: address.zoom == 5 && address == middle(zoom: 5) || address.zoom == 6 && address == middle(zoom: 6)
        case 1: (5...7).contains(address.zoom) && address == middle(zoom: address.zoom)
        case 2: address.zoom > 3 && (address.x + 3 * address.y) % 7 == 0
        default: address.zoom == 6
        }
    }

    @Test(arguments: 0...3, [1.0, 0.5]) func everyPixelHasTheOneColor(pattern: Int, opacity: Double) throws {
        for tileSize in [256, 512] {
            let white = MadeTiles(TileSetInfo(maxZoom: 8, tileSize: tileSize)) { address in
                Self.isMissing(address, pattern) ? nil : .bitmap(Bitmap(width: 64, height: 64, fill: .white))
            }
            var beside = 0
            for (index, camera) in Self.cameras.enumerated() {
                let map = map(white, camera, ratio: index % 2 == 0 ? 1 : 1.3)
                map.baseMap[0].opacity = opacity
                let level: UInt8 = opacity == 1 ? 255 : 128
                let expected = Bitmap.Pixel(red: level, green: level, blue: level, alpha: 255)
                let wrong = try draw(map).firstPixel { !$0.isNear(expected, within: opacity == 1 ? 0 : 1) }
                #expect(wrong == nil, "\(camera), \(tileSize) pt")
                let tiles = try Composer.of(map).place(map).frame.tiles
                if tiles.contains(where: { Self.isMissing($0.address, pattern) }) { beside += 1 }
            }
            #expect(beside >= 3, "\(tileSize) pt")
        }
    }
}

extension Bitmap {
    /// The column and row of the first pixel that meets a condition.
    fileprivate func firstPixel(_ isFound: (Pixel) -> Bool) -> SIMD2<Int>? {
        for row in 0..<height {
            for column in 0..<width where isFound(self[column, row]) { return SIMD2(column, row) }
        }
        return nil
    }
}
