import Foundation
import WaymarkFrame
import WaymarkScene

extension Lighting {
    /// The light on extruded buildings of a theme.
    static func ofBuildings(_ theme: MapTheme) -> Lighting {
        switch theme {
        case .light: buildings(lit: 0.95, far: 0.89, side: 0.84)
        case .dark: buildings(lit: 0.88, far: 0.8, side: 0.74)
        case .gray: buildings(lit: 0.95, far: 0.9, side: 0.86)
        }
    }

    /// A light from the west-northwest, and a weaker one from the other side, so that walls of any two directions differ. Roofs have the
    /// color of the theme.
    /// - Parameters:
    ///   - lit: The brightness of walls that face the light, as a share of that of roofs.
    ///   - far: The brightness of walls on the other side.
    ///   - side: The brightness of walls along the light, which only the ambient light reaches.
    private static func buildings(lit: Float, far: Float, side: Float) -> Lighting {
        Lighting(
            ambient: SIMD3(repeating: side),
            lights: [
                light(azimuth: 295, onWalls: lit - side, onRoofs: 0.7 * (1 - side)),
                light(azimuth: 135, onWalls: far - side, onRoofs: 0.3 * (1 - side)),
            ])
    }

    /// - Parameters:
    ///   - azimuth: The direction from which the light comes, in degrees clockwise from north.
    ///   - onWalls: What it adds to walls that face it, and `onRoofs` to roofs.
    private static func light(azimuth: Double, onWalls: Float, onRoofs: Float) -> Light {
        let angle = azimuth * .pi / 180
        let (east, north) = (Float(sin(angle)), Float(cos(angle)))
        let strength = (onWalls * onWalls + onRoofs * onRoofs).squareRoot()
        return Light(
            source: SIMD3(east * onWalls, north * onWalls, onRoofs) / strength, color: SIMD3(repeating: strength))
    }
}
