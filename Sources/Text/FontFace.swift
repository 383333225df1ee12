import CWaymarkText
import Synchronization

/// An open font face.
///
/// Unchecked, because the compiler cannot see into C. Any thread may look up characters; drawing happens only under the lock of
/// `GlyphPainter.shared`; HarfBuzz only reads the face; and glyph heights are looked up under the lock of the library that opened the face.
final class FontFace: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The face's number in the library that opened it.
    let index: UInt16
    /// The face's number in the process, which is part of the key of its cached glyphs.
    let id: UInt32
    let unitsPerEm: Double
    let isColor: Bool

    private static let opened = Atomic<UInt32>(0)

    /// Takes ownership of a face opened by `wm_text_face_open`.
    init(_ pointer: OpaquePointer, index: UInt16) {
        self.pointer = pointer
        self.index = index
        id = Self.opened.add(1, ordering: .relaxed).newValue
        let metrics = wm_text_face_metrics(pointer)
        unitsPerEm = Double(metrics.units_per_em)
        isColor = metrics.is_color
    }

    deinit {
        let pointer = Closing(pointer: pointer)
        GlyphPainter.shared.withLock { _ in wm_text_face_close(pointer.pointer) }
    }

    /// Carries the pointer under the lock. Unchecked, because nothing else refers to it.
    private struct Closing: @unchecked Sendable { let pointer: OpaquePointer }
}

extension FontFace {
    func has(_ character: UInt32) -> Bool {
        wm_text_face_has(pointer, character)
    }

    func has(_ characters: some Sequence<UInt32>) -> Bool {
        characters.allSatisfy { wm_text_face_has(pointer, $0) }
    }
}
