import WaymarkSystem
import WaymarkText

/// What the last bits of a picture depend on besides the map: the driver, the libraries of text, and the fonts. Where two identities are
/// equal, and the processor's features are pinned (`GALLIUM_OVERRIDE_CPU_CAPS`), pictures of a software rasterizer are equal to the last bit.
public struct RendererIdentity: Codable, Hashable, Sendable {
    /// The name of the OpenGL renderer; of llvmpipe it has the version of LLVM and the width of its vectors.
    public var renderer: String
    /// The version of OpenGL ES, in which drivers name theirs.
    public var version: String
    /// The versions of FreeType, HarfBuzz and ICU.
    public var text: String
    /// A sum over the fonts of the fixed list: their names, sizes and first pages.
    public var fonts: String

    public init(renderer: String, version: String, text: String, fonts: String) {
        self.renderer = renderer
        self.version = version
        self.text = text
        self.fonts = fonts
    }
}

extension RendererIdentity {
    /// The renderer's name without versions, of letters, digits and hyphens, for the names of files: `llvmpipe`, `zink-Vulkan-1-3`,
    /// `NVIDIA-H200`.
    public var family: String {
        let name = renderer.prefix { $0 != "(" && $0 != "/" }
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "unknown" : words.joined(separator: "-")
    }
}

extension Renderer {
    /// What the last bits of this renderer's pictures depend on.
    /// - Parameter fontSource: The fonts of the maps. Default: the usual ones.
    /// - Throws: `RenderError.fonts` when there are none.
    public func identity(fontSource: FontSource = .default) throws(RenderError) -> RendererIdentity {
        let info = frames.context.info
        do throws(FontError) {
            let report = try FontLibrary.of(fontSource).report
            return RendererIdentity(renderer: info.renderer, version: info.version, text: report.versions, fonts: report.sum)
        } catch {
            throw .fonts(error)
        }
    }
}

extension FontReport {
    /// A hash of what tells one release of a font from another; whole files would be 140 MB every time. A file that cannot be read
    /// counts with its name alone.
    fileprivate var sum: String {
        var sum = Fingerprint()
        for path in families.flatMap({ [$0.regularFile, $0.boldFile] }).compactMap(\.self) {
            sum.add((path.split(separator: "/").last ?? "").utf8)
            sum.add((try? WholeFile.read(path, as: .file(limit: .max), first: 16_384)) ?? [])
            sum.add("\((try? FileStatus(path))?.size ?? 0)".utf8)
        }
        return sum.text
    }
}
