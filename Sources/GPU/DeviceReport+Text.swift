extension DeviceReport {
    /// The report as text, one fact per line, problems last.
    package var text: String {
        var lines = ["EGL library    \(library.path ?? library.requested)" + (library.error.map { ": " + $0 } ?? "")]
        lines.append("extensions     " + (library.clientExtensions.isEmpty ? "none" : library.clientExtensions.joined(separator: " ")))
        lines += vendorFiles.map { "vendor file    \($0.path) -> \($0.library ?? "none")" + ($0.error.map { ": " + $0 } ?? "") }
        if vendorFiles.isEmpty { lines.append("vendor file    none in " + vendorSearch.joined(separator: ", ")) }
        lines += deviceNodes.map { "device file    \($0.path)" + ($0.isAccessible ? "" : ": no permission") }
        for device in devices { lines += Self.lines(device) }
        lines.append("chosen         " + choice)
        if let test = smokeTest {
            let stages = [
                ("load", test.loadMilliseconds), ("display", test.displayMilliseconds), ("context", test.contextMilliseconds),
                ("compile", test.compileMilliseconds), ("draw", test.drawMilliseconds),
            ].map { "\($0) \(Self.rounded($1)) ms" }
            lines.append("smoke test     " + (test.passed ? "passed" : test.detail) + ": " + stages.joined(separator: ", "))
        }
        lines.append("shader cache   " + (shaderCache.path.map { $0 + (shaderCache.isWritable ? "" : ": not writable") } ?? "off"))
        let quota = processorQuota.map { ", quota \(Self.rounded($0))" } ?? ""
        lines.append("processors     \(processors)\(quota)" + (threadsFromQuota.map { ", LP_NUM_THREADS set to \($0)" } ?? ""))
        lines += environment.map { "environment    " + $0 }
        lines += problems.map { "problem        " + $0.sentence }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension DeviceReport {
    fileprivate static func lines(_ device: ListedDevice) -> [String] {
        var facts = device.isSoftwareDevice ? ["software"] : []
        if let node = device.drmNode { facts.append(node) }
        if let id = device.cudaID { facts.append("cuda:\(id)") }
        if let context = device.context {
            facts += [context.renderer, "OpenGL ES \(context.esMajor).\(context.esMinor)"]
            facts += ["textures \(context.maxTextureSize), \(context.maxTextureLayers) layers", "\(context.maxSamples) samples"]
        }
        let title = device.name + String(repeating: " ", count: max(1, 15 - device.name.count))
        return [title + (facts.isEmpty ? "no context" : facts.joined(separator: ", "))]
            + device.steps.map { step in
                let detail = step.detail.isEmpty ? "" : ", " + step.detail
                return "    \(step.name): \(step.succeeded ? "ok" : "failed")\(detail), \(rounded(step.milliseconds)) ms"
            }
    }

    fileprivate static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
