public extension Bitmap {
    /// Decodes an image file's bytes, whose format is told from how they begin. Embedded gamma and colour profiles are ignored.
    ///
    /// Throws when there are no bytes, when they are no known or no supported format, claim more than `limits`, are damaged, or end early;
    /// there is no half image. A palette's missing colours are opaque black.
    init(decoding bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        guard !bytes.isEmpty else { throw ImagingError(.empty) }
        guard bytes.count <= limits.bytes else { throw ImagingError(.tooLong(limits: limits)) }
        guard let signature = ImageSignature(of: bytes) else { throw ImagingError(.notAnImage) }
        switch signature {
        case .png: self = try PNGReader.read(bytes, limits: limits)
        case .jpeg, .webp, .gif, .bmp, .svg: throw ImagingError(.unsupported, format: signature.rawValue)
        }
    }

    /// Reads and decodes an image file. Throws as `init(decoding:limits:)` does, or `cannotRead`, always with the path.
    init(contentsOf path: String, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        do {
            try self.init(decoding: WholeFile.read(path, limits: limits), limits: limits)
        } catch {
            throw error.at(path)
        }
    }
}
