import Glibc

/// Makes pictures exact from machine to machine: Mesa's rasteriser without the processor features that change last bits.
///
/// Tests that draw name `PinnedRasterizer.pin` before the first context is made. Benchmarks never do.
public enum PinnedRasterizer {
    /// Set once, before EGL is loaded.
    public static let pin: Void = {
        setenv("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1", 1)
    }()
}
