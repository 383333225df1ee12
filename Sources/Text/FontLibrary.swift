import Synchronization
import WaymarkImaging

/// The room's door: text to lines of glyphs, and those to pixels.
///
/// It finds the fonts, chooses one for every character, shapes, wraps and reorders, and draws coverage with halos under fills. It does *not*
/// know of maps, markers or OpenGL, does not hint, cut texts short or justify them, and asks neither the machine's locale nor, for what the
/// Noto fonts have, which other fonts are installed.
package final class FontLibrary: Sendable {
    package let source: FontSource
    private let state: Mutex<State>
    private let layouts: Mutex<LRUCache<TextRequest, TextLayout>>

    private final class State {
        let shelf: FontShelf
        let shaper = TextShaper()
        var shapings = 0

        init(_ shelf: FontShelf) {
            self.shelf = shelf
        }
    }

    package static let defaultLayoutBytes = 64 << 20

    /// A library of its own, with its own bound for layouts; `of` has one for all. Throws when there is no font that can be opened.
    package init(_ source: FontSource, layoutBytes: Int = FontLibrary.defaultLayoutBytes) throws(FontError) {
        self.source = source
        state = Mutex(State(try FontShelf(source)))
        layouts = Mutex(LRUCache(byteLimit: layoutBytes))
    }
}

extension FontLibrary {
    private static let opened = Mutex<[FontSource: FontLibrary]>([:])

    /// The process's library of a source, opened when it is first asked for.
    package static func of(_ source: FontSource) throws(FontError) -> FontLibrary {
        let result: Result<FontLibrary, FontError> = opened.withLock { opened in
            if let library = opened[source] { return .success(library) }
            do throws(FontError) {
                let library = try FontLibrary(source)
                opened[source] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The lines of a text. Cached: as long as a layout is, equal requests get the same object.
    package func layout(_ request: TextRequest) -> TextLayout {
        if let layout = layouts.withLock({ $0.value(for: request) }) { return layout }
        return state.withLock { state in
            // Another thread may have been faster.
            if let layout = layouts.withLock({ $0.value(for: request) }) { return layout }
            state.shapings += 1
            let primary = state.shelf.primary(request.weight, family: request.family)!
            var composer = LineComposer(request, shelf: state.shelf, shaper: state.shaper, primary: primary)
            let layout = composer.layout()
            layouts.withLock { $0.insert(layout, for: request, byteCount: layout.byteCount) }
            return layout
        }
    }

    /// All that a block touches, halos and overhang included: at most so much more than its pixels as the control points of its curves
    /// stand out. `boxWidth` and `boxHeight` are the block's size in whole device pixels, halves up; `phase` 0…3 moves it by as many
    /// quarter pixels to the right.
    package func ink(of block: TextBlock, boxWidth: Int, boxHeight: Int, phase: Int) -> InkBounds {
        let painter = BlockPainter(block: block, boxWidth: boxWidth, phase: phase)
        return GlyphPainter.shared.withLock { painter.ink($0) }
    }

    /// The pixels of one rectangle of a block.
    package func bitmap(of block: TextBlock, boxWidth: Int, boxHeight: Int, phase: Int, in rect: InkBounds) -> Bitmap {
        let painter = BlockPainter(block: block, boxWidth: boxWidth, phase: phase)
        return GlyphPainter.shared.withLock { painter.bitmap($0, in: rect) }
    }

    /// Whether there is a family of a name, whatever the case of its letters.
    package func has(family: String) -> Bool { state.withLock { $0.shelf.has(family: family) } }

    /// The font files that were skipped so far, and why, once each.
    package var warnings: [String] { state.withLock { $0.shelf.warnings } }

    /// How many texts were laid out, and not found in the cache.
    package var shapings: Int { state.withLock { $0.shapings } }

    /// How many glyphs and halos the process has drawn, and not found in its cache.
    package static var rasterisations: Int { GlyphPainter.shared.withLock { $0.rasterisations } }

    /// Bytes of the layouts that are kept.
    package var layoutBytes: Int { layouts.withLock { $0.byteCount } }

    /// Bytes of the glyphs that the process keeps.
    package static var glyphBytes: Int { GlyphPainter.shared.withLock { $0.cachedBytes } }

    /// What `doctor` says of the fonts.
    package var report: FontReport { state.withLock { $0.shelf.report() } }
}
