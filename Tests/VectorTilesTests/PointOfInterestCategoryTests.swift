import Testing
import WaymarkImaging
import WaymarkVectorTiles

@Suite struct PointOfInterestCategoryTests {
    private func icon(_ layer: String = "poi", _ classes: (String, String)...) -> PointOfInterestIcon? {
        PointOfInterestCategory(layer: layer, classes: classes.map { (key: $0.0, value: $0.1) })?.icon
    }

    @Test func theFirstClassWithACategoryDecides() {
        #expect(icon("poi", ("subclass", "pub"), ("class", "beer")) == .pub)
        #expect(icon("poi", ("subclass", "yes"), ("class", "shop")) == .shop)
        #expect(icon("poi", ("subclass", "hats and gloves"), ("class", "clothing_store")) == .clothes)
        #expect(icon("pois", ("kind", "museum")) == .museum)
        #expect(icon("pois", ("amenity", "cafe"), ("tourism", "attraction")) == .cafe)
        #expect(icon("public_transport", ("kind", "tram_stop")) == .tram)
    }

    @Test func unknownClassesHaveTheCategoryOfTheirKey() {
        #expect(icon("pois", ("shop", "lamps")) == .shop)
        #expect(icon("pois", ("office", "lawyer")) == .office)
        #expect(icon("pois", ("kind", "sauna")) == .dot)
        #expect(icon("pois", ("man_made", "silo")) == nil)
        #expect(icon("poi") == nil)
    }

    @Test func streetFurnitureIsHidden() {
        #expect(icon("poi", ("subclass", "bollard"), ("class", "barrier")) == nil)
        #expect(icon("poi", ("subclass", "waste_basket"), ("class", "amenity")) == nil)
        #expect(icon("pois", ("amenity", "bench"), ("leisure", "park")) == nil)
    }

    @Test func airportsAndParksHaveOwnClasses() {
        let major = PointOfInterestCategory(layer: "aerodrome_label", classes: [(key: "class", value: "international")])
        let minor = PointOfInterestCategory(layer: "aerodrome_label", classes: [(key: "class", value: "private")])
        #expect(major?.icon == .airport && minor?.icon == .airport)
        #expect(major.map(\.zoom) ?? 99 < minor.map(\.zoom) ?? 0)
        #expect(icon("park", ("class", "naturpark")) == .park)
    }
}
