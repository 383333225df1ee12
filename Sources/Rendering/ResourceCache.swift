import WaymarkGPU

/// What was brought to the GPU, by key. Beyond a byte limit the least recently used go; what the frame under way uses stays until
/// its end.
struct ResourceCache<Value> {
    private let byteLimit: Int
    private var entries: [UInt64: Entry] = [:]
    private var useCount = 0
    /// The first use of the frame under way.
    private var frameStart = 1
    /// Of all that is kept.
    private(set) var byteCount = 0

    private struct Entry {
        var value: Value
        var byteCount: Int
        var lastUse: Int
    }

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    var count: Int { entries.count }

    mutating func beginFrame() {
        frameStart = useCount + 1
    }

    /// Brings what is kept down to the limit.
    mutating func endFrame() {
        frameStart = useCount + 1
        makeRoom(0)
    }

    /// What is kept under a key, or what `make` makes.
    /// - Parameter byteCount: What it takes on the GPU.
    mutating func value(_ key: UInt64, byteCount: Int, _ make: () throws(GPUError) -> Value) throws(GPUError) -> Value {
        useCount += 1
        if let known = entries[key] {
            entries[key]?.lastUse = useCount
            return known.value
        }
        makeRoom(byteCount)
        let value = try make()
        entries[key] = Entry(value: value, byteCount: byteCount, lastUse: useCount)
        self.byteCount += byteCount
        return value
    }

    private mutating func makeRoom(_ wanted: Int) {
        guard byteCount + wanted > byteLimit else { return }
        let idle = entries.filter { $0.value.lastUse < frameStart }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (key, entry) in idle where byteCount + wanted > byteLimit {
            entries[key] = nil
            byteCount -= entry.byteCount
        }
    }
}
