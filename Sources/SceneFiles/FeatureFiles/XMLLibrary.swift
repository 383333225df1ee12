import CWaymarkXML
import WaymarkSystem

/// The library that parses XML, for `waymark doctor`.
package enum XMLLibrary {
    package static var facts: LibraryFacts {
        var text = [CChar](repeating: 0, count: Int(WM_XML_MESSAGE_LENGTH))
        wm_xml_version(&text)
        let version = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return LibraryFacts("expat", version: version, purpose: "GPX")
    }
}
