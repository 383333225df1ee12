import WaymarkImaging
import WaymarkSystem

/// Lets a program act as its own helper process, for SVG images and for the workers of a `RenderPool`.
///
/// SVG images are drawn by librsvg. Some files crash it, and others keep it busy for hours. To protect your program, they are drawn in a
/// helper process with limits: 5 s of processor time, 20 s on the clock, 1 GiB of memory. The helper is the first of these programs that
/// exists and has the library's version:
///
/// 1. the program that the environment variable `WAYMARK_HELPER` names;
/// 2. your own program, if its `main` begins with ``runIfAsked()``;
/// 3. `waymark` next to your program;
/// 4. `waymark` in `PATH`.
///
/// Without a helper, or if `WAYMARK_HELPER` is `none`, SVGs are drawn on a thread of your program. When the time is over, the picture
/// continues without the icon, with a diagnostic. But the thread cannot be stopped and works until it is done, and a crash of librsvg
/// crashes your program. This is acceptable for trusted SVGs; for others, make sure that a helper exists. If `WAYMARK_HELPER` names a
/// program but no helper is available, SVGs are refused instead.
///
/// On a software rasterizer, a ``RenderPool`` starts the same programs as its workers, because several processes draw faster than several
/// threads of one.
public enum WaymarkHelper {
    /// If this process was started as a helper, does that work and ends the process; otherwise returns immediately. Call it at the start of
    /// `main`, before the program starts threads or reads its arguments:
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
}
