import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// Where everything on the map stands in its picture, without drawing it: what `inspect` prints.
    /// - Throws: What is out of range: the camera, the size or the pixel ratio.
    public func inspection() throws(RangeError) -> Inspection {
        try Composer.of(self).place(self).inspection(of: self)
    }
}
