import Foundation
import Waymark
import WaymarkFrame
import WaymarkGPU
import WaymarkPictureCases
import WaymarkRendering

/// Draws all picture cases with the driver of this process, without limits and with each, and compares them with the expected pictures.
///
/// Without multisampling, models are compared with pictures of one sample per pixel, which llvmpipe leaves in the folder.
struct DriverCheck {
    /// A picture case with the drawn and the expected picture.
    private struct Subject {
        var picture: PictureCase
        var frame: Frame
        var expected: Bitmap
        var tolerance: PictureTolerance

        var fileName: String { picture.name.replacingOccurrences(of: "/", with: "-") + ".png" }

        var isMultisampled: Bool {
            frame.commands.contains { if case .beginGroup(let group) = $0 { group.samples > 1 } else { false } }
        }

        /// How far a picture of this driver may be off.
        func tolerance(on renderer: String) -> PictureTolerance {
            let isReduced =
                frame.meshInstances.contains { $0.texture != nil } || frame.sprites.contains { $0.plane == .ground }
                || frame.commands.contains { if case .tiles(_, let drawing) = $0 { drawing.filter == .mipmapped } else { false } }
            return isReduced && !renderer.contains("llvmpipe") ? .otherMipmaps : tolerance
        }
    }

    /// The result of one pass.
    private struct Findings {
        /// The largest channel difference, and its case.
        var difference = (value: 0, name: "")
        /// The largest share of pixels in a window that differ by more than the threshold, and its case.
        var share = (value: 0.0, name: "")
        var failures: [String] = []
    }

    private let driver: String
    private let folder: URL
    private let subjects: [Subject]

    /// - Parameters:
    ///   - driver: The beginning of the renderer's name, such as `softpipe`; `gpu` for any that is not software.
    ///   - folder: Where failed pictures go, and pictures of one sample per pixel lie.
    init(driver: String, folder: String) throws {
        self.driver = driver
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        subjects = try PictureCase.all.map { picture in
            Subject(
                picture: picture, frame: try picture.frame(of: picture.load()),
                expected: try Bitmap(contentsOf: picture.expectedPicture.path), tolerance: try picture.tolerance(else: .otherRasterizer))
        }
    }

    /// Runs all passes and prints a line for each; false when a picture is not as expected.
    func run() throws -> Bool {
        if driver == "llvmpipe" { try writeReferences() }
        let passes = [[]] + DriverLimit.allCases.map { [$0] } + [Set(DriverLimit.allCases)]
        // Runs every pass, so that one run shows all failures.
        return try passes.map(check).allSatisfy(\.self)
    }

    private func context(_ limits: Set<DriverLimit>) throws -> Context {
        let context = try Context.make(driver == "gpu" ? .automatic : .software, requireGPU: driver == "gpu", limits: limits)
        guard driver == "gpu" || context.info.renderer.hasPrefix(driver) else {
            throw DriverError(message: "\(context.info.renderer) draws here instead of \(driver)")
        }
        return context
    }

    private func check(_ limits: Set<DriverLimit>) throws -> Bool {
        let name = limits.isEmpty ? "as it is" : limits.count == 1 ? limits.map(\.rawValue).joined() : "all limits"
        let start = ContinuousClock.now
        let renderer = try FrameRenderer(context(limits))
        var findings = Findings()
        for subject in subjects { try check(subject, renderer, name, &findings) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let (difference, share) = (findings.difference, findings.share)
        print(
            "\(driver), \(name): \(subjects.count) pictures in \(Self.rounded(seconds)) s, "
                + (difference.value == 0 ? "all equal" : "largest difference \(difference.value) (\(difference.name))")
                + (share.value == 0 ? "" : ", worst window \(Self.rounded(share.value * 100)) % (\(share.name))"))
        for failure in findings.failures { print("  failed: \(failure)") }
        return findings.failures.isEmpty
    }

    private func check(_ subject: Subject, _ renderer: FrameRenderer, _ pass: String, _ findings: inout Findings) throws {
        let isPoorer = try subject.isMultisampled && renderer.context.info.maxSamples < 4
        let expected = isPoorer ? try Bitmap(contentsOf: reference(subject).path) : subject.expected
        let actual = try renderer.render(subject.frame)
        let name = subject.picture.name
        let tolerance = subject.tolerance(on: try renderer.context.info.renderer)
        let comparison = PictureComparison(expected, actual, threshold: tolerance.threshold, allowed: tolerance.allowed)
        if let largest = comparison.largest, largest.difference > findings.difference.value {
            findings.difference = (largest.difference, name)
        }
        if let share = comparison.worstWindow?.share, share > findings.share.value { findings.share = (share, name) }
        let isTold = renderer.shortfalls == (isPoorer ? [.samples(1)] : [])
        guard !comparison.matches || !isTold else { return }
        let place = folder.appendingPathComponent("\(driver), \(pass)", isDirectory: true)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try actual.write(to: place.appendingPathComponent(subject.fileName).path)
        try comparison.differencePicture()?.write(to: place.appendingPathComponent("difference-" + subject.fileName).path)
        findings.failures.append("\(name): \(comparison)" + (isTold ? "" : "; shortfalls are \(renderer.shortfalls)"))
    }

    /// The file of a case's picture with one sample per pixel.
    private func reference(_ subject: Subject) -> URL {
        folder.appendingPathComponent("one-sample", isDirectory: true).appendingPathComponent(subject.fileName)
    }

    private func writeReferences() throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("one-sample", isDirectory: true), withIntermediateDirectories: true)
        let renderer = try FrameRenderer(context([]))
        for subject in subjects where subject.isMultisampled {
            var frame = subject.frame
            for (index, command) in frame.commands.enumerated() {
                guard case .beginGroup(var group) = command else { continue }
                group.samples = 1
                frame.commands[index] = .beginGroup(group)
            }
            try renderer.render(frame).write(to: reference(subject).path)
        }
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Why pictures cannot be checked.
struct DriverError: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}
