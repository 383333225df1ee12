import CWaymarkPin

/// Makes pictures exact from machine to machine: Mesa's rasterizer without the processor features that change last bits.
///
/// It is in force in every process that this is linked into, from before `main` on: all tests, in whatever order. Tests whose
/// pictures depend on it name `PinnedRasterizer.pin`. Benchmarks do not link it.
public enum PinnedRasterizer {
    /// Ends the process if the pin is not in force.
    public static let pin: Void = {
        guard wm_is_pinned() != 0 else {
            fatalError("\(WM_PIN_NAME) is not \(WM_PIN_VALUE)")
        }
    }()
}
