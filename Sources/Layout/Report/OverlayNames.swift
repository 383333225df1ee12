import WaymarkScene

/// What overlays are called: their id, or their type and their place in their own list, after the name of the container that they
/// are in.
struct OverlayNames {
    private let overlays: OverlayTable
    /// By slot: places in the map's list and in those of containers.
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
        // From the outermost container that has no name yet inward; without recursion, since containers nest as deep as one likes.
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
