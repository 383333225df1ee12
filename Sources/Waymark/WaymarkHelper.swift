import WaymarkImaging
import WaymarkSystem

/// Lets a program act as its own helper process, which draws SVG images or works for a `RenderPool`.
///
/// SVG images are drawn by librsvg. Some files crash librsvg, and others keep it busy for hours. To protect your program, SVG images are
/// drawn in a helper process with limits: 5 s of processor time, 20 s of elapsed time, and 1 GiB of memory. The helper is the first of
/// these programs that exists and has the same version as the library:
///
/// 1. the program that the environment variable `WAYMARK_HELPER` names;
/// 2. your own program, if its `main` begins with ``runIfAsked()``;
/// 3. `waymark` next to your program;
/// 4. `waymark` in `PATH`.
///
/// If `WAYMARK_HELPER` is `none`, or if it is unset and no helper is available, SVG images are drawn on a thread of your program. If an
/// image takes too long, the picture is drawn without it, and a diagnostic reports this. However, the thread cannot be stopped and keeps a
/// processor busy until the image is done. If librsvg crashes, your program crashes, too. This is acceptable for SVG images that you
/// trust; for others, make sure that a helper is available. If `WAYMARK_HELPER` names a program, but none of the listed programs can be
/// used, SVG images are not drawn at all.
///
/// On a software rasterizer, a ``RenderPool`` also uses one of these programs for its workers, because several processes draw faster than
/// several threads of one process.
public enum WaymarkHelper {
    /// If this process was started as a helper, this function does the work of the helper and then ends the process; otherwise it returns
    /// immediately. Call it at the start of `main`, before the program starts threads or reads its arguments:
    ///
    /// ```swift
    /// @main struct Server {
    ///     static func main() {
    ///         WaymarkHelper.runIfAsked()
    ///         // …
    ///     }
    /// }
    /// ```
    public static func runIfAsked() {
        HelperService.runIfAsked([SVGImage.work], services: [WorkerService.name: WorkerService.run])
    }

    /// The arguments of this process, as its `main` function received them; the first one is the name of the program.
    ///
    /// Unlike `CommandLine.arguments`, this property also works without `/proc`, for example in a container that hides `/proc`.
    public static var arguments: [String] { ProcessArguments.all }
}
