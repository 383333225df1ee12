import Foundation
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkSceneFiles

/// A question about a picture that is laid out but not drawn.
package enum PictureQuestion: Sendable {
    /// Asks for the positions of everything, as printed by `waymark inspect`, with or without the labels of the base map.
    case inspection(listsBaseMapSymbols: Bool)
    /// Asks for the hits at a point, in pt from the upper left, as printed by `waymark pick`.
    case hits(CGPoint, HitOptions)

    /// Reads the question in an inspect message.
    package init(inspectionIn message: JSONValue) throws(Failure) {
        do throws(SceneFileError) {
            self = .inspection(listsBaseMapSymbols: try message.member("symbols")?.readBoolean() ?? false)
        } catch {
            throw Failure(error)
        }
    }

    /// Reads the question in a pick message.
    package init(hitsIn message: JSONValue) throws(Failure) {
        let (point, options): (CGPoint, HitOptions)
        do throws(SceneFileError) {
            (point, options) = try Self.readHits(message)
        } catch {
            throw Failure(error)
        }
        // A mistake of the caller, like a point outside the picture.
        if let error = HitOptions.toleranceRange.error(of: options.tolerance, "tolerance") {
            throw Failure(.usage, error.description, path: error.path)
        }
        self = .hits(point, options)
    }

    private static func readHits(_ message: JSONValue) throws(SceneFileError) -> (CGPoint, HitOptions) {
        guard let at = message.member("at") else { throw message.error("missing key \"at\"") }
        let numbers = at.elements.map(Array.init) ?? []
        guard numbers.count == 2 else { throw at.unexpected("a point [x, y]") }
        var options = HitOptions()
        if let tolerance = message.member("tolerance") { options.tolerance = try tolerance.readNumber() }
        options.includesInvisible = try message.member("includeInvisible")?.readBoolean() ?? false
        options.ignoresTransparentPixels = try message.member("ignoreTransparent")?.readBoolean() ?? false
        return (CGPoint(x: try numbers[0].readNumber(), y: try numbers[1].readNumber()), options)
    }

    /// Throws for a picture without a valid size, and for a point outside it.
    func check(_ mapView: MapView) throws(Failure) {
        guard case .hits(let point, _) = self else { return }
        do throws(PropertyError) { _ = try mapView.viewport() } catch { throw Failure(path: error.path, problem: error.problem) }
        let size = mapView.size
        guard point.x >= 0, point.y >= 0, point.x <= size.width, point.y <= size.height else {
            let problem = "is outside the picture of \(Self.text(size.width)) × \(Self.text(size.height)) pt"
            throw Failure(.usage, "at: (\(Self.text(point.x)), \(Self.text(point.y))) \(problem)", path: "at")
        }
    }

    func answer(_ mapView: MapView) throws(RenderError) -> (json: JSONText, diagnostics: [Diagnostic]) {
        switch self {
        case .inspection(let listsBaseMapSymbols):
            let inspection = try mapView.inspection(listsBaseMapSymbols: listsBaseMapSymbols)
            return (inspection.json, inspection.diagnostics)
        case .hits(let point, let options):
            let diagnostics = try mapView.makeFrame().diagnostics
            return (.array(mapView.hits(at: point, options).map(\.json)), diagnostics)
        }
    }

    private static func text(_ length: CGFloat) -> String { Double(length).plainText }
}
