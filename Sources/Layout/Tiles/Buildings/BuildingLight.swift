import Foundation
import WaymarkFrame
import WaymarkScene

extension Lighting {
    /// The light on extruded buildings of a theme.
    static func ofBuildings(_ theme: MapTheme) -> Lighting {
        switch theme {
        case .light: buildings(lit: 0.97, far: 0.88, side: 0.82)
        case .dark: buildings(lit: 0.92, far: 0.78, side: 0.7)
        case .gray: buildings(lit: 0.97, far: 0.89, side: 0.84)
        }
    }

    /// A light from the west-southwest, and a weaker one from the north, so that the two walls of a building that a view shows differ from
    /// each other. Roofs have the color of the theme.
    /// - Parameters:
    ///   - lit: The brightness of walls that face the light, as a share of the brightness of roofs.
    ///   - far: The brightness of walls that face the weaker light.
    ///   - side: The brightness of walls that only the ambient light reaches.
    private static func buildings(lit: Float, far: Float, side: Float) -> Lighting {
        Lighting(
            ambient: SIMD3(repeating: side),
            lights: [
                light(azimuth: 248, onWalls: lit - side, onRoofs: 0.7 * (1 - side)),
                light(azimuth: 8, onWalls: far - side, onRoofs: 0.3 * (1 - side)),
            ])
    }

    /// - Parameters:
    ///   - azimuth: The direction from which the light comes, in degrees clockwise from north.
    ///   - onWalls: The brightness that the light adds to walls that face it. `onRoofs` is the brightness that it adds to roofs.
    private static func light(azimuth: Double, onWalls: Float, onRoofs: Float) -> Light {
        let angle = azimuth * .pi / 180
        let (east, north) = (Float(sin(angle)), Float(cos(angle)))
        let strength = (onWalls * onWalls + onRoofs * onRoofs).squareRoot()
        return Light(
            source: SIMD3(east * onWalls, north * onWalls, onRoofs) / strength, color: SIMD3(repeating: strength))
    }
}
