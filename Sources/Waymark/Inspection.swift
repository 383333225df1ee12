import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// Where everything on the map stands in its picture, without drawing it: what `inspect` prints.
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` when there are texts and
    ///   no fonts.
    public func inspection() throws(RenderError) -> Inspection {
        try placement().inspection()
    }

    func placement() throws(RenderError) -> Placement {
        do throws(PlacementError) {
            return try Composer.of(self).place(self)
        } catch {
            switch error {
            case .range(let error): throw .range(error)
            case .fonts(let error): throw .fonts(error)
            }
        }
    }
}

extension MapView {
    /// About how many bytes of images the layout has taken in for this map; it keeps them until `forgetLayout`.
    package var layoutImageByteCount: Int { layout?.imageByteCount ?? 0 }
}
