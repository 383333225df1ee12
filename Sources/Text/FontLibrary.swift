import Synchronization
import WaymarkImaging

/// Lays out text as lines of glyphs, and draws them into pixels: the entry point of the module.
///
/// It finds the fonts, chooses one for every character, shapes, wraps and reorders, and draws coverage with halos under fills. It does
/// *not* know maps, markers or OpenGL, does not hint, truncate or justify, and does not depend on the machine's locale or, for characters
/// in the Noto fonts, on other installed fonts.
package final class FontLibrary: SharedCache {
    package let source: FontSource
    private let state: Mutex<State>
    private let layouts = Mutex(LRUCache<TextRequest, TextLayout>())

    private final class State {
        let openFonts: OpenFonts
        let shaper = TextShaper()
        var shapings = 0

        init(_ openFonts: OpenFonts) {
            self.openFonts = openFonts
        }
    }

    /// Creates a library with its own cache of layouts; `of` returns one that the process shares. Throws if no font can be opened.
    package init(_ source: FontSource) throws(FontError) {
        self.source = source
        state = Mutex(State(try OpenFonts(source)))
    }

    /// The memory limit of layouts at any moment. A million markers may be measured for one picture, and few of them drawn.
    private static var layoutBytes: Int { max(CacheBudget.largestByteLimit / 4, 4 << 20) }
}

extension FontLibrary {
    private static let opened = {
        CacheBudget.addProcessCache(GlyphCache())
        return Mutex<[FontSource: FontLibrary]>([:])
    }()

    /// The process's library of a source, opened on first use.
    package static func of(_ source: FontSource) throws(FontError) -> FontLibrary {
        let result: Result<FontLibrary, FontError> = opened.withLock { opened in
            if let library = opened[source] { return .success(library) }
            do throws(FontError) {
                let library = try FontLibrary(source)
                opened[source] = library
                CacheBudget.addProcessCache(library)
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The lines of a text. While a layout is cached, equal requests get the same object.
    package func layout(_ request: TextRequest) -> TextLayout {
        if let layout = layouts.withLock({ $0.value(for: request) }) { return layout }
        return state.withLock { state in
            // Another thread may have been faster.
            if let layout = layouts.withLock({ $0.value(for: request) }) { return layout }
            state.shapings += 1
            let primary = state.openFonts.primary(request.weight, family: request.family)!
            var composer = LineComposer(request, openFonts: state.openFonts, shaper: state.shaper, primary: primary)
            let layout = composer.layout()
            layouts.withLock { layouts in
                let excess = layouts.byteCount + layout.byteCount - Self.layoutBytes
                if excess > 0 { layouts.evict(through: .max, bytes: excess) }
                layouts.insert(layout, for: request, byteCount: layout.byteCount)
            }
            return layout
        }
    }

    /// The bounds of all pixels that a block touches, halos and overhang included. They are measured by the control points of curves, so
    /// they may be a little larger than the ink.
    /// - Parameters:
    ///   - boxWidth: The block's width in whole device pixels, halves rounded up.
    ///   - phase: The shift to the right in quarter pixels, 0…3.
    package func ink(of block: TextBlock, boxWidth: Int, phase: Int) -> InkBounds {
        let painter = BlockPainter(block: block, boxWidth: boxWidth, phase: phase)
        return GlyphPainter.shared.withLock { painter.ink($0) }
    }

    /// The pixels of a rectangle of a block.
    package func bitmap(of block: TextBlock, boxWidth: Int, phase: Int, in rect: InkBounds) -> Bitmap {
        let painter = BlockPainter(block: block, boxWidth: boxWidth, phase: phase)
        return GlyphPainter.shared.withLock { painter.bitmap($0, in: rect) }
    }

    /// Whether a font family with this name exists, ignoring case.
    package func has(family: String) -> Bool { state.withLock { $0.openFonts.has(family: family) } }

    /// The font files skipped so far, each with the reason.
    package var warnings: [String] { state.withLock { $0.openFonts.warnings } }

    /// The number of layouts that were not found in the cache.
    package var shapings: Int { state.withLock { $0.shapings } }

    /// The number of glyphs and halos that the process drew because they were not in its cache.
    package static var rasterizations: Int { GlyphPainter.shared.withLock { $0.rasterizations } }

    /// The bytes of the cached layouts.
    package var keptBytes: Int { layouts.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { layouts.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { layouts.withLock { $0.evict(through: picture, bytes: bytes) } }

    /// Bytes of the process's cached glyphs.
    package static var glyphBytes: Int { GlyphPainter.shared.withLock { $0.cachedBytes } }

    /// The report on the fonts for `waymark doctor`.
    package var report: FontReport { state.withLock { $0.openFonts.report() } }
}
