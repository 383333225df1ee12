import WaymarkImaging
import WaymarkSystem

/// Lets a program be its own helper process, for SVG images and for the workers of a `RenderPool`.
///
/// SVG images are drawn by librsvg, which some files crash and others keep busy for hours. So that they can do neither to your program,
/// they are drawn in a helper process with limits of its own: 5 s of processor time, 20 s on the clock, 1 GiB of memory. The helper is,
/// first of these that is there and has the library's version:
///
/// 1. the program that the environment variable `WAYMARK_HELPER` names;
/// 2. your own program, if its `main` begins with ``runIfAsked()``;
/// 3. `waymark` beside your program;
/// 4. `waymark` in `PATH`.
///
/// Where there is none, or `WAYMARK_HELPER` is `none`, SVGs are drawn on a thread of your program. After the same time the picture goes on
/// without the icon, with a diagnostic; but the thread cannot be stopped and works on until it is done, and a crash of librsvg is a crash of
/// your program. That is good enough for SVGs of your own; for those of others make sure of a helper. If `WAYMARK_HELPER` names a program
/// and no helper can be had, SVGs are refused instead.
///
/// A ``RenderPool`` starts the same programs as its workers on a software rasterizer, which draws faster in several processes than on several
/// threads of one.
public enum WaymarkHelper {
    /// If this process was started as a helper, does that work and ends the process; otherwise returns at once. To be called first thing in
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
