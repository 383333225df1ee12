import CWaymarkCodecs
import WaymarkSystem

/// The libraries that read and write pictures, for `waymark doctor`.
package enum CodecLibraries {
    /// The linked libraries, with their versions, and librsvg, which is loaded here if necessary.
    package static var facts: [LibraryFacts] {
        [
            linked(WM_CODEC_PNG, "libpng", "reading PNG"), linked(WM_CODEC_JPEG, "libjpeg-turbo", "JPEG"),
            linked(WM_CODEC_WEBP, "libwebp", "WebP"), linked(WM_CODEC_DEFLATE, "libdeflate", "gzip, checksums of PNG"), librsvg,
        ]
    }

    private static func linked(_ library: wm_codec_library, _ name: String, _ purpose: String) -> LibraryFacts {
        var version = CodecMessage()
        _ = version.filled { wm_codec_version(library, $0) }
        return LibraryFacts(name, version: version.text, purpose: purpose)
    }

    private static var librsvg: LibraryFacts {
        var message = CodecMessage()
        guard message.filled(by: { wm_codec_version(WM_CODEC_SVG, $0) }) else {
            return LibraryFacts(
                "librsvg", purpose: "SVG images", error: message.text, loss: "SVG images are not drawn",
                packages: "librsvg2-2 (Debian, Ubuntu), librsvg2 (Fedora), librsvg-2-2 (openSUSE) or librsvg (Arch)")
        }
        return LibraryFacts("librsvg", version: message.text, purpose: "SVG images")
    }
}
