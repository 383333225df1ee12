/// The duration of each stage of a picture, in milliseconds.
package struct StageTimes: Equatable, Sendable {
    /// Reading the job.
    package var read = 0.0
    /// Laying out the scene, without the GPU.
    package var layout = 0.0
    /// Uploading and drawing.
    package var draw = 0.0
    /// Reading back the pixels.
    package var readBack = 0.0
    /// Encoding the file.
    package var encode = 0.0
    /// Writing the file.
    package var write = 0.0

    package init() {}

    /// The stages with their names in messages and summaries.
    package static var stages: [(name: StaticString, time: WritableKeyPath<StageTimes, Double> & Sendable)] {
        [
            ("read", \.read), ("layout", \.layout), ("draw", \.draw), ("readBack", \.readBack), ("encode", \.encode), ("write", \.write),
        ]
    }
}
