import WaymarkGPU
import WaymarkSystem
import WaymarkText

/// The parts of the system that affect the exact pixel values of a picture: the driver, the text libraries and the fonts. If two identities
/// are equal, and the processor features that the driver may use are fixed (`GALLIUM_OVERRIDE_CPU_CAPS`), a software rasterizer draws the
/// same map with identical pixels.
public struct RendererIdentity: Codable, Hashable, Sendable {
    /// The name of the OpenGL renderer. For llvmpipe, it includes the version of LLVM and the width of its vectors.
    public var renderer: String
    /// The version of OpenGL ES, which includes the driver's version.
    public var version: String
    /// The versions of FreeType, HarfBuzz and ICU.
    public var text: String
    /// A hash of the installed Noto fonts that Waymark uses. It covers the name, the size and the first 16 KiB of each file.
    public var fonts: String

    public init(renderer: String, version: String, text: String, fonts: String) {
        self.renderer = renderer
        self.version = version
        self.text = text
        self.fonts = fonts
    }
}

extension RendererIdentity {
    /// The renderer's name for use in file names. It contains only letters, digits and hyphens, for example `llvmpipe`, `zink-Vulkan-1-3`
    /// or `NVIDIA-H200`. The full name is cut off at the first parenthesis or slash.
    public var family: String {
        let name = renderer.prefix { $0 != "(" && $0 != "/" }
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "unknown" : words.joined(separator: "-")
    }
}

extension Renderer {
    /// The identity of this renderer, on which the exact pixel values of its pictures depend.
    /// - Parameter fontSource: The source of the maps' fonts. Default: `FontSource.default`.
    /// - Throws: `RenderError.fonts` if no fonts are available.
    public func identity(fontSource: FontSource = .default) throws(RenderError) -> RendererIdentity {
        let info: ContextInfo
        do throws(GPUError) { info = try frames.context.info } catch { throw .device(error) }
        do throws(FontError) {
            let report = try FontLibrary.of(fontSource).report
            return RendererIdentity(renderer: info.renderer, version: info.version, text: report.versions, fonts: report.sum)
        } catch {
            throw .fonts(error)
        }
    }
}

extension FontReport {
    /// A hash that distinguishes releases of a font. Hashing whole files would read 140 MB every time. For an unreadable file, only the
    /// name counts.
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
