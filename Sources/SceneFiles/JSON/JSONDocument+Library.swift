import CWaymarkJSON
import WaymarkSystem

extension JSONDocument {
    /// The library that parses JSON, for `waymark doctor`.
    package static var library: LibraryFacts {
        LibraryFacts("simdjson", version: String(cString: wm_json_version()), purpose: "scene files")
    }
}
