import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

extension OverlayImage {
    /// The text that ``ImageTable`` reads as this image. Bytes and pixels become a `data:` URI.
    /// - Parameter path: The path of the property in errors.
    func sceneName(_ path: String) throws(PropertyError) -> String {
        func refused(_ what: String) -> PropertyError { PropertyError(path: path, problem: "a scene file cannot have \(what)") }
        switch source {
        case .empty: return "none"
        case .vector(.builtIn(let image)): return "builtin:\(image.rawValue)"
        case .vector(.pin(let pin)):
            guard let name = ImageTable.name(of: pin) else {
                throw refused("a pin of \(plain(pin.naturalWidth)) pt; pins are 20, 27 or 34 pt wide")
            }
            return name
        case .vector(.disc): throw refused("a disc as an image")
        case .vector(.pointOfInterest): throw refused("the icon of a point of interest as an image")
        case .file(let file, _):
            guard scale == Self.scale(inName: file) else {
                throw refused("a file with a different scale from that in its name (2 for pin@2x.png)")
            }
            return FileSystem.resolved(file) ?? file
        case .bytes(let bytes):
            guard scale == 1 else { throw refused("image data with a scale other than 1") }
            return Self.dataURI(bytes)
        case .bitmap(let bitmap):
            guard scale == 1 else { throw refused("a bitmap with a scale other than 1") }
            do throws(ImagingError) {
                return Self.dataURI(try bitmap.encoded(as: .png))
            } catch {
                throw PropertyError(path: path, problem: error.description)
            }
        case .named, .inFolder: throw refused("an image that is found by its name; use a path")
        case .content: throw refused("an image of content; use iconView")
        }
    }

    private static func dataURI(_ bytes: [UInt8]) -> String {
        "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"
    }
}

extension ImageTable {
    /// The name of a pin; nil if its width has no name.
    static func name(of pin: PinImage) -> String? {
        guard let size = pinWidths.first(where: { $0.1 == pin.naturalWidth })?.0 else { return nil }
        let hex = String(pin.color, radix: 16)
        return "\(pinPrefix)#\(String(repeating: "0", count: 6 - hex.count))\(hex):\(pin.symbol.map(String.init) ?? ""):\(size)"
    }
}
