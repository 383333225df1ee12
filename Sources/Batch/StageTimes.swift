/// How long each stage of a picture took, in milliseconds.
package struct StageTimes: Equatable, Sendable {
    /// Reading the job.
    package var read = 0.0
    /// Placing everything, which needs no GPU.
    package var layout = 0.0
    /// Uploading and drawing.
    package var draw = 0.0
    /// Fetching the pixels.
    package var readBack = 0.0
    /// Making the file's bytes.
    package var encode = 0.0
    /// Writing the file.
    package var write = 0.0

    package init() {}

    /// The stages by the names that messages and summaries call them.
    package static var stages: [(name: StaticString, time: WritableKeyPath<StageTimes, Double> & Sendable)] {
        [
            ("read", \.read), ("layout", \.layout), ("draw", \.draw), ("readBack", \.readBack), ("encode", \.encode), ("write", \.write),
        ]
    }
}
