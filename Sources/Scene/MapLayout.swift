/// What places the overlays of a map and keeps what it has computed from picture to picture. A map holds its layout so that both live
/// equally long.
package protocol MapLayout: AnyObject {
    /// About how many bytes of images it has taken in.
    var imageByteCount: Int { get }
}
