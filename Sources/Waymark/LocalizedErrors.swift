import Foundation

// With these, Foundation's `localizedDescription`, which logs and dialogs show, is the sentence of `description`.

extension RenderError: LocalizedError {
    public var errorDescription: String? { description }
}

extension SceneError: LocalizedError {
    public var errorDescription: String? { description }
}

extension SceneFileError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ImagingError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PropertyError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FontError: LocalizedError {
    public var errorDescription: String? { description }
}

extension GPUError: LocalizedError {
    public var errorDescription: String? { description }
}

extension RenderPoolError: LocalizedError {
    public var errorDescription: String? { description }
}
