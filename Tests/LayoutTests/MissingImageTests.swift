import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// A missing image leaves the rest of the overlay: a marker its caption, a model its mesh.
@Suite struct MissingImageTests {
    private static let missing = OverlayImage(path: "/nonexistent/icon.png")

    @Test func aMarkerKeepsItsCaptionAndHasTheDefaultIcon() throws {
        let map = MapView(city: 200, 200)
        let shop = map.add(37.5670135, 126.9783740) {
            ($0.id, $0.captionText) = ("shop", "Shop")
            $0.iconImage = Self.missing
        }
        let entry = try map.entry()
        #expect(entry.isVisible && entry.reason == nil && entry.caption?.isVisible == true && entry.icon?.isVisible == true)
        shop.iconImage = MarkerImage.default
        let plain = try map.entry()
        #expect(entry.icon == plain.icon && entry.caption == plain.caption)
        #expect(try map.placement().diagnostics.isEmpty)
        // At the size that the marker asks for.
        shop.iconImage = Self.missing
        (shop.width, shop.height) = (40, 50)
        let frame = try map.frame()
        #expect(frame.sprites[0].acrossX == 40 && frame.sprites[0].downY == 50)
        shop.iconImage = MarkerImage.default
        #expect(try map.frame().description == frame.description)
    }

    @Test func aDiagnosticSaysWhatIsDrawn() throws {
        let map = MapView(city: 200, 200)
        let shop = map.add(37.5670135, 126.9783740) {
            ($0.id, $0.iconImage) = ("shop", Self.missing)
        }
        let diagnostics = try map.placement().diagnostics
        #expect(diagnostics.count == 1 && diagnostics[0].path == "iconImage" && diagnostics[0].id == "shop")
        #expect(diagnostics[0].message.contains("/nonexistent/icon.png"))
        #expect(diagnostics[0].message.hasSuffix("; the default icon is drawn in its place"))
        // While it is invalid, nothing is drawn in its place.
        shop.alpha = 2
        #expect(try map.placement().diagnostics.map(\.path) == ["alpha"])
        #expect(try map.entry().reason == .invalid)
        shop.alpha = 1
        #expect(try map.placement().diagnostics == diagnostics)
        map.remove(shop)
        #expect(try map.placement().diagnostics.isEmpty)
    }

    /// An overlay that is not drawn has no substitute either.
    @Test func whatIsHiddenHasNothingInItsPlace() throws {
        let map = MapView(city: 200, 200)
        let shop = map.add(37.5670135, 126.9783740) { ($0.id, $0.iconImage) = ("shop", Self.missing) }
        let message = try #require(try map.placement().diagnostics.first?.message)
        let cause = try #require(message.range(of: "; the default icon is drawn in its place")).lowerBound
        shop.isHidden = true
        #expect(try map.placement().diagnostics.map(\.message) == [String(message[..<cause])])
        shop.isHidden = false
        #expect(try map.placement().diagnostics.map(\.message) == [message])
        let model = LocalModel(id: "house") { _ in }
        model.texture = Self.missing
        model.isHidden = true
        let other = MapView.city(model)
        let words = try other.placement().diagnostics.map(\.message)
        #expect(words.count == 1 && !words[0].contains("in its place"), "\(words)")
        model.isHidden = false
        #expect(try other.placement().diagnostics.map(\.message) == ["\(words[0]); the material's color is drawn in its place"])
    }

    @Test func aModelKeepsItsMeshInTheMaterialsColor() throws {
        let model = LocalModel(id: "house") { $0.material.diffuse = .red }
        let map = MapView.city(model)
        let plain = try map.frame()
        model.texture = Self.missing
        #expect(try map.frame().meshInstances == plain.meshInstances)
        #expect(try map.entry().isVisible)
        let diagnostics = try map.placement().diagnostics
        #expect(diagnostics.map(\.path) == ["texture"] && diagnostics[0].id == "house")
        #expect(diagnostics[0].message.hasSuffix("; the material's color is drawn in its place"))
        model.texture = nil
        #expect(try map.placement().diagnostics.isEmpty)
    }

    @Test func aSymbolKeepsItsText() throws {
        let map = MapView(city: 200, 200)
        var symbol = Symbol(position: LatLng(lat: 37.5670135, lng: 126.9783740))
        (symbol.captionText, symbol.iconImage) = ("Park", Self.missing)
        map.symbols = [symbol]
        let placement = try map.placement()
        #expect(placement.inspection().symbols.map(\.isVisible) == [true])
        #expect(placement.diagnostics.map(\.path) == ["iconImage"] && placement.diagnostics[0].id == "symbol-0")
        #expect(placement.diagnostics[0].message.hasSuffix("; the symbol is drawn without this property"))
        #expect(placement.frame.sprites.count == 1)
    }
}
