import WaymarkImaging
import WaymarkScene

/// The appearance of points of interest in a theme: a disc with an icon, and a name in a darker or, in dark themes, lighter color.
struct PointOfInterestStyle: Sendable {
    /// The image and the color of the name for each icon.
    private let looks: [PointOfInterestIcon: (image: OverlayImage, textColor: Color)]

    /// The color of all names; nil for the colors of their categories.
    var nameColor: Color?

    /// The diameter of the disc in pt, including the ring.
    static let diameter = 20.0
    static let ringWidth = 1.0

    /// - Parameter colors: The colors of the disc and of the names of a group.
    init(icon color: UInt32, ring: Color, _ colors: (PointOfInterestGroup) -> (disc: UInt32, text: UInt32)) {
        var looks: [PointOfInterestIcon: (image: OverlayImage, textColor: Color)] = [:]
        for icon in PointOfInterestIcon.allCases {
            let (fill, text) = colors(icon.group)
            guard let disc = DiscImage(fill: Color(hex: fill), stroke: ring, strokeWidth: Self.ringWidth, diameter: Self.diameter) else {
                // Both are constants within the ranges that `DiscImage` checks.
                fatalError("the disc of points of interest is invalid")
            }
            let image = PointOfInterestImage(icon, disc: disc, color: Color(hex: color))
            looks[icon] = (OverlayImage(vector: .pointOfInterest(image)), Color(hex: text))
        }
        self.looks = looks
    }

    /// The image of a category. It is the same object for every call.
    func image(of icon: PointOfInterestIcon) -> OverlayImage { looks[icon]?.image ?? .empty }

    /// The color of the names of a category.
    func textColor(of icon: PointOfInterestIcon) -> Color { nameColor ?? looks[icon]?.textColor ?? .black }
}

extension PointOfInterestStyle {
    static let light = PointOfInterestStyle(icon: 0xFFFFFF, ring: Color(white: 1, alpha: 0.9)) { group in
        switch group {
        case .food: (0xCB6420, 0x9A4510)
        case .shopping: (0x7B63C4, 0x5C469E)
        case .lodging: (0xB2539B, 0x8C3A78)
        case .transport: (0x2F74C0, 0x1F5A9C)
        case .health: (0xCF4650, 0xA8303A)
        case .education: (0x8A6A48, 0x6B4F32)
        case .culture: (0x13878A, 0x0B6467)
        case .worship: (0x6C7180, 0x525765)
        case .sports: (0x2B8F5E, 0x1B6B44)
        case .nature: (0x3C9145, 0x2A6B32)
        case .services: (0x5D7188, 0x47586C)
        case .other: (0x7A7F87, 0x5A5F67)
        }
    }

    static let dark = PointOfInterestStyle(icon: 0x1B1E23, ring: Color(hex: 0x1B1E23, alpha: 0.9)) { group in
        switch group {
        case .food: (0xCC8650, 0xE8A878)
        case .shopping: (0x9986D2, 0xB9A9EC)
        case .lodging: (0xC27FB0, 0xDFA3CF)
        case .transport: (0x6A9AD4, 0x8DB9EC)
        case .health: (0xD6757B, 0xEF999E)
        case .education: (0xB39574, 0xD0B596)
        case .culture: (0x56ABAC, 0x7CCBCC)
        case .worship: (0x959AA7, 0xB5BAC5)
        case .sports: (0x61B089, 0x86CFAA)
        case .nature: (0x70AE77, 0x94CE9A)
        case .services: (0x8998AB, 0xACBACB)
        case .other: (0x8C9199, 0xADB2B9)
        }
    }

    static let gray = PointOfInterestStyle(icon: 0xFFFFFF, ring: Color(white: 1, alpha: 0.9)) { _ in (0x878787, 0x626262) }
}
