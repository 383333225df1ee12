import WaymarkScene

/// The names of overlays: the id, or else the type and the index in the overlay's list, prefixed by the name of its container.
struct OverlayNames {
    private let overlays: OverlayTable
    /// By slot: the index in the list of the map or of the container.
    private lazy var places: [Int32: Int] = {
        var counts: [Int32: Int] = [:]
        var places: [Int32: Int] = [:]
        for slot in overlays.present {
            let list = overlays.parent(slot) ?? -1
            places[slot] = counts[list, default: 0]
            counts[list, default: 0] += 1
        }
        return places
    }()
    private var names: [Int32: String] = [:]

    init(_ overlays: OverlayTable) {
        self.overlays = overlays
    }

    mutating func name(of slot: Int32) -> String {
        if let id = overlays.id(slot) { return id }
        // From the outermost container without a name inward. Iterative, because the nesting depth of containers is unlimited.
        var unnamed: [Int32] = []
        var next: Int32? = slot
        var name = ""
        while let slot = next {
            if let known = overlays.id(slot) ?? names[slot] {
                name = known + "/"
                break
            }
            unnamed.append(slot)
            next = overlays.parent(slot)
        }
        for slot in unnamed.reversed() {
            name += "\(overlays.types[Int(slot)]?.rawValue ?? "")-\(places[slot] ?? 0)"
            if overlays.types[Int(slot)] == .container {
                names[slot] = name
                name += "/"
            }
        }
        return overlays.types[Int(slot)] == .container ? String(name.dropLast()) : name
    }
}
