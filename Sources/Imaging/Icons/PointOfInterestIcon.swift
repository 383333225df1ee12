/// The icon of a category of points of interest.
public enum PointOfInterestIcon: String, CaseIterable, Sendable {
    case restaurant, cafe, bar, pub, fastFood, bakery, iceCream
    case shop, supermarket, clothes, hairdresser, bottle
    case hotel, campsite
    case bus, tram, train, subway, ferry, airport, parking, fuel, bicycle, charging, taxi, harbor
    case hospital, pharmacy, doctor, dentist, veterinary
    case school, university, library
    case museum, theatre, cinema, art, attraction, monument, castle, music
    case church, mosque, synagogue, buddhistTemple, shrine, placeOfWorship
    case ball, gym, swimming, golf
    case park, garden, playground, viewpoint, peak, beach, water, picnic, zoo, cemetery
    case bank, atm, post, police, fireStation, townHall, embassy, court, toilets, information, office, repair
    /// Everything else.
    case dot
}

/// A group of categories of points of interest. Themes give each group a color.
public enum PointOfInterestGroup: String, CaseIterable, Sendable {
    case food, shopping, lodging, transport, health, education, culture, worship, sports, nature, services, other
}

extension PointOfInterestIcon {
    /// The group of the category.
    public var group: PointOfInterestGroup {
        switch self {
        case .restaurant, .cafe, .bar, .pub, .fastFood, .bakery, .iceCream: .food
        case .shop, .supermarket, .clothes, .hairdresser, .bottle: .shopping
        case .hotel, .campsite: .lodging
        case .bus, .tram, .train, .subway, .ferry, .airport, .parking, .fuel, .bicycle, .charging, .taxi, .harbor: .transport
        case .hospital, .pharmacy, .doctor, .dentist, .veterinary: .health
        case .school, .university, .library: .education
        case .museum, .theatre, .cinema, .art, .attraction, .monument, .castle, .music: .culture
        case .church, .mosque, .synagogue, .buddhistTemple, .shrine, .placeOfWorship: .worship
        case .ball, .gym, .swimming, .golf: .sports
        case .park, .garden, .playground, .viewpoint, .peak, .beach, .water, .picnic, .zoo, .cemetery: .nature
        case .bank, .atm, .post, .police, .fireStation, .townHall, .embassy, .court, .toilets, .information, .office, .repair:
            .services
        case .dot: .other
        }
    }

    /// Whether the icon is meaningful without a name, so that a point without a name is also shown.
    package var isClearWithoutName: Bool {
        switch self {
        case .parking, .fuel, .bicycle, .charging, .taxi, .bus, .tram, .toilets, .atm, .post, .information, .playground, .water, .picnic,
            .viewpoint:
            true
        default: false
        }
    }
}
