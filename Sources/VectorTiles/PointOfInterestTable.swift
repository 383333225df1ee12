import WaymarkImaging

/// The icon of a class of points of interest, and the zoom from which the class is shown.
package struct PointOfInterestCategory: Hashable, Sendable {
    package var icon: PointOfInterestIcon
    /// The lowest zoom of the camera at which points of the category are shown. Categories with lower zooms matter more.
    package var zoom: Float

    init(_ icon: PointOfInterestIcon, _ zoom: Float) { (self.icon, self.zoom) = (icon, zoom) }
}

extension PointOfInterestCategory {
    /// The category of a point; nil if nobody looks for such things on a map.
    ///
    /// The classes of all schemas are values of tags of OpenStreetMap, so one table serves all of them. It also has the classes that
    /// OpenMapTiles makes up.
    /// - Parameters:
    ///   - layer: The point's layer.
    ///   - classes: The attributes that contain the class, in order of precedence, such as `subclass` and `class`.
    package init?(layer: String, classes: [(key: String, value: String)]) {
        // Looking up a long text takes time for each point.
        let names = classes.lazy.map(\.value).filter { $0.utf8.count <= PointOfInterestTable.longestClass }
        if let own = PointOfInterestTable.layers[layer] {
            self = names.compactMap { own.classes[$0] }.first ?? own.other
            return
        }
        for value in names {
            if PointOfInterestTable.hidden.contains(value) { return nil }
            if let category = PointOfInterestTable.categories[value] {
                self = category
                return
            }
        }
        guard let other = classes.lazy.compactMap({ PointOfInterestTable.others[$0.key] }).first else { return nil }
        self = other
    }
}

private enum PointOfInterestTable {
    /// The categories of layers whose classes differ from OpenStreetMap's.
    static let layers: [String: (classes: [String: PointOfInterestCategory], other: PointOfInterestCategory)] = [
        "aerodrome_label": (
            ["international": PointOfInterestCategory(.airport, 9), "public": PointOfInterestCategory(.airport, 10.5)],
            PointOfInterestCategory(.airport, 12)
        ),
        "park": (["national_park": PointOfInterestCategory(.park, 10)], PointOfInterestCategory(.park, 12)),
    ]

    /// The maximum number of bytes of a class, which is more than any class in the tables has.
    static let longestClass = 64

    /// The categories of classes that are not in the table, by the key whose value is the class.
    static let others: [String: PointOfInterestCategory] = [
        "class": other, "kind": other, "amenity": other, "tourism": other, "leisure": other,
        "shop": PointOfInterestCategory(.shop, 17), "historic": PointOfInterestCategory(.monument, 17),
        "office": PointOfInterestCategory(.office, 17.5), "sport": PointOfInterestCategory(.ball, 16.5),
    ]

    private static let other = PointOfInterestCategory(.dot, 17.5)

    static let categories: [String: PointOfInterestCategory] = {
        var categories: [String: PointOfInterestCategory] = [:]
        for (icon, zoom, names) in classes {
            for name in names.split(separator: " ") {
                let previous = categories.updateValue(PointOfInterestCategory(icon, zoom), forKey: String(name))
                assert(previous == nil, "the class \(name) has two categories")
            }
        }
        return categories
    }()

    /// Street furniture and other things that would crowd out more useful places.
    static let hidden: Set<String> = Set(
        """
        barrier bollard gate lift_gate swing_gate toll_booth cycle_barrier stile turnstile entrance bench waste_basket \
        waste_disposal recycling vending_machine hunting_stand clock grit_bin telephone give_box parking_entrance parking_space shelter \
        loading_dock smoking_area surveillance mast street_lamp fire_hydrant defibrillator phone emergency_access_point survey_point \
        board map guidepost wayside_cross wayside_shrine milestone boundary_stone bbq letter_box sanitary_dump_station
        """.split(separator: " ").map(String.init))

    /// The icon, the lowest zoom and the names of classes. Destinations for visitors come first, then places that serve a whole town, and
    /// then places that serve a street.
    private static let classes: [(PointOfInterestIcon, Float, String)] = [
        (.airport, 10, "aerodrome airport airfield"),
        (.park, 10, "national_park"),
        (.train, 12.5, "station railway train_station"),
        (.train, 14, "halt"),
        (.zoo, 13, "zoo aquarium"),
        (.attraction, 13.5, "theme_park water_park"),
        (.ferry, 13, "ferry_terminal ferry"),
        (.park, 13.5, "nature_reserve protected_area forest"),
        (.castle, 13.5, "castle fort palace"),
        (.university, 13.5, "university college"),
        (.hospital, 13.5, "hospital"),
        (.subway, 13.5, "subway subway_station"),
        (.ball, 13.5, "stadium"),
        (.golf, 14, "golf golf_course"),
        (.viewpoint, 14.5, "viewpoint"),
        (.beach, 14, "beach beach_resort"),
        (.harbor, 14, "harbor harbour marina"),
        (.museum, 14, "museum"),
        (.campsite, 14, "camp_site campsite caravan_site"),
        (.park, 14, "park"),
        (.attraction, 14.5, "attraction"),
        (.bus, 14.5, "bus_station"),
        (.townHall, 14.5, "townhall town_hall public_building"),
        (.cemetery, 14.5, "cemetery grave_yard"),
        (.shop, 14.5, "mall"),
        (.shop, 15, "department_store marketplace"),
        (.monument, 15, "monument ruins archaeological_site lighthouse battlefield"),
        (.castle, 15.5, "city_gate manor fortress"),
        (.theatre, 15, "theatre arts_centre theater"),
        (.cinema, 15, "cinema"),
        (.library, 15, "library"),
        (.gym, 15, "sports_centre"),
        (.swimming, 15.5, "swimming swimming_pool swimming_area public_bath"),
        (.ball, 15.5, "ice_rink sport sports_hall bowling_alley"),
        (.placeOfWorship, 15, "place_of_worship monastery wayside_chapel chapel church"),
        (.church, 15, "christian"),
        (.mosque, 15, "muslim"),
        (.synagogue, 15, "jewish"),
        (.buddhistTemple, 15, "buddhist"),
        (.shrine, 15, "shinto"),
        (.placeOfWorship, 15, "hindu sikh taoist"),
        (.school, 15, "school"),
        (.school, 16.5, "kindergarten childcare music_school language_school driving_school"),
        (.tram, 15.5, "tram_stop tram light_rail"),
        (.fuel, 15.5, "fuel"),
        (.police, 15.5, "police"),
        (.fireStation, 15.5, "fire_station"),
        (.court, 15.5, "courthouse"),
        (.hotel, 15.5, "hotel lodging resort"),
        (.hotel, 16, "hostel motel guest_house bed_and_breakfast apartment chalet alpine_hut wilderness_hut"),
        (.supermarket, 15.5, "supermarket"),
        (.supermarket, 16.5, "grocery convenience greengrocer deli food_court"),
        (.art, 16, "gallery art_gallery"),
        (.art, 17, "artwork"),
        (.embassy, 16, "embassy consulate diplomatic"),
        (.subway, 16, "subway_entrance"),
        (.garden, 16, "garden"),
        (.playground, 16, "playground"),
        (.restaurant, 16, "restaurant"),
        (.cafe, 16, "cafe"),
        (.bar, 16, "bar nightclub biergarten"),
        (.pub, 16, "pub beer"),
        (.pharmacy, 16, "pharmacy chemist"),
        (.doctor, 16, "clinic"),
        (.post, 16, "post_office post"),
        (.fastFood, 16.5, "fast_food"),
        (.bakery, 16.5, "bakery pastry"),
        (.bank, 16.5, "bank"),
        (.bus, 16.5, "bus_stop bus"),
        (.parking, 16.5, "parking"),
        (.ball, 16.5, "pitch soccer tennis basketball track miniature_golf skatepark"),
        (.gym, 16.5, "fitness_centre gym fitness_station yoga boxing"),
        (.monument, 16.5, "memorial historic"),
        (.information, 17, "information tourist_info"),
        (.cafe, 17, "tea coffee internet_cafe"),
        (.iceCream, 17, "ice_cream confectionery chocolate"),
        (.bottle, 17, "alcohol alcohol_shop wine beverages"),
        (.clothes, 17, "clothes clothing_store shoes boutique fashion bag leather fabric tailor hats second_hand"),
        (
            .shop, 17,
            """
            shop books kiosk jewelry furniture cosmetics florist gift optician sports outdoor electronics mobile_phone toys antiques art \
            butcher seafood newsagent variety_store stationery hardware doityourself garden_centre music musical_instrument photo pet \
            houseware interior_decoration carpet bed kitchen perfumery tobacco health_food computer hifi baby_goods craft souvenirs \
            travel_agency ticket bicycle_shop motorcycle
            """
        ),
        (.hairdresser, 17.5, "hairdresser beauty massage nails nailstudio beauty_salon barber tattoo"),
        (.music, 16.5, "music_venue concert_hall casino events_venue"),
        (.library, 17, "community_centre social_centre"),
        (.doctor, 17, "doctors"),
        (.dentist, 17, "dentist"),
        (.veterinary, 17, "veterinary"),
        (.toilets, 17, "toilets"),
        (.charging, 17, "charging_station"),
        (.taxi, 17, "taxi car_rental car_sharing car"),
        (.bicycle, 17, "bicycle_rental bicycle"),
        (.repair, 17, "car_repair bicycle_repair_station"),
        (.picnic, 17, "picnic_site picnic_table"),
        (.water, 17, "fountain"),
        (.garden, 17, "dog_park"),
        (.office, 17.5, "office prison company government coworking_space"),
        (.atm, 17.5, "atm bureau_de_change"),
        (.water, 18, "drinking_water water_point"),
        (.post, 18, "post_box"),
        (.bicycle, 18, "bicycle_parking"),
        (.parking, 18, "motorcycle_parking"),
        (.dot, 17.5, "laundry dry_cleaning aerialway helipad aerialway_station observatory studio"),
    ]
}
