import CWaymarkGLES

extension Context {
    /// Waits until all draws are completed, so that the driver frees the memory that it holds for them, and deletes discarded objects.
    package func finish() throws(GPUError) {
        try withCurrent { () throws(GPUError) in
            wm_glFinish()
            trash.empty(state)
        }
        queuedByteCount = 0
    }

    /// The limit on the queue of a software rasterizer, which otherwise grows without bound when drawing is slower than submitting: a
    /// hundred thousand draws of one quad each took 2 GB, and a million quads in one draw 300 MB.
    private static let queueLimit = 20 << 20
    /// The measured number of bytes that llvmpipe holds for a queued draw (its textures and constants), and for a triangle.
    private static let bytesPerDraw = 16_384
    private static let bytesPerTriangle = 150

    /// The number of indices of a draw's pieces after which llvmpipe has to begin drawing. For a sphere of a hundred thousand triangles,
    /// half or twice this number makes no difference. Without a limit, drawing takes 1.2 times as much processor time.
    private static let mostUnsentIndices = 3 * 16_384

    /// Counts the memory that the driver holds for queued draws, and waits for the driver at the limit.
    private func queue(_ command: DrawCommand) throws(GPUError) {
        queuedByteCount += Self.bytesPerDraw + command.count * command.instances / 3 * Self.bytesPerTriangle
        if queuedByteCount > Self.queueLimit, isTunedForSoftware { try finish() }
    }

    /// Executes a command on a target. With a count or instances of 0 it draws nothing.
    /// - Throws: `GPUError` with reason `badArgument` if the command is incomplete or exceeds its buffers. Errors of the driver are thrown
    ///   by the next `checkErrors(_:)` or read.
    package func draw(_ command: DrawCommand, into target: Target) throws(GPUError) {
        try validate(command, target)
        guard command.count > 0, command.instances > 0 else { return }
        try withCurrent { () throws(GPUError) in
            target.bindForDrawing(testsDepth: command.pipeline.descriptor.depth != .none)
            state.set(scissor: command.scissor)
            command.pipeline.bind(command.vertices, command.indices)
            try command.pipeline.set(command.uniforms, command.textures)
            let mode = command.pipeline.descriptor.topology.glMode
            let instances = GLsizei(command.instances)
            if let indices = command.indices {
                func draw(_ first: Int, _ count: Int) {
                    let start = wm_offset(first * indices.format.size)
                    wm_glDrawElementsInstanced(mode, GLsizei(count), indices.format.glType, start, instances)
                }
                if command.pieces.isEmpty { draw(command.first, command.count) }
                var unsent = 0
                for piece in command.pieces {
                    if unsent >= Self.mostUnsentIndices {
                        wm_glFlush()
                        unsent = 0
                    }
                    draw(piece.lowerBound, piece.count)
                    unsent += piece.count
                }
            } else {
                wm_glDrawArraysInstanced(mode, GLint(command.first), GLsizei(command.count), instances)
            }
            try queue(command)
        }
    }
}

extension Context {
    /// A draw beyond a buffer's memory can crash the process, so it is refused here. The values of indices are the caller's responsibility.
    fileprivate func validate(_ command: DrawCommand, _ target: Target) throws(GPUError) {
        let pipeline = command.pipeline
        let layouts = pipeline.descriptor.layouts
        let limit = Int(Int32.max)
        guard 0...limit ~= command.first, 0...limit ~= command.count, 0...limit ~= command.instances,
            command.first + command.count <= limit
        else {
            throw pipeline.mistake(
                "first \(command.first), count \(command.count) and instances \(command.instances) are not a valid range")
        }
        let end = command.first + command.count
        guard command.pieces.isEmpty || command.indices != nil,
            command.pieces.allSatisfy({ command.first <= $0.lowerBound && $0.upperBound <= end })
        else { throw pipeline.mistake("every piece must lie within the drawn range of indices") }
        guard command.vertices.count == layouts.count else {
            throw pipeline.mistake("\(command.vertices.count) buffers are given for \(layouts.count) layouts")
        }
        let isOneContext =
            pipeline.belongs(to: self) && target.belongs(to: self) && command.vertices.allSatisfy { $0.buffer.belongs(to: self) }
            && command.textures.allSatisfy { $0.texture.belongs(to: self) } && (command.indices?.buffer.belongs(to: self) ?? true)
        guard isOneContext else { throw pipeline.mistake("an object belongs to another context") }
        guard pipeline.descriptor.depth == .none || target.depth == pipeline.descriptor.depthBuffer else {
            throw pipeline.mistake("the target has no depth buffer of the required kind")
        }
        guard pipeline.descriptor.stencil == .none || target.hasStencil else { throw pipeline.mistake("the target has no stencil") }
        guard !command.textures.contains(where: { target.isColor($0.texture) }) else {
            throw pipeline.mistake("the target cannot be sampled while it is being drawn into")
        }
        if let scissor = command.scissor, !scissor.isWithin(width: target.width, height: target.height) {
            throw pipeline.mistake("the scissor \(scissor) is not within \(target.width) x \(target.height)")
        }
        for (binding, layout) in zip(command.vertices, layouts) {
            let elements =
                layout.step == .instance ? command.instances : (command.indices == nil ? command.first + command.count : 1)
            let (needed, overflows) = elements.multipliedReportingOverflow(by: layout.stride)
            guard binding.byteOffset >= 0, !overflows, command.count == 0 || needed <= binding.buffer.byteCount - binding.byteOffset
            else {
                let range = "\(elements) x \(layout.stride) bytes from offset \(binding.byteOffset)"
                throw pipeline.mistake("\(range) exceed the buffer of \(binding.buffer.byteCount) bytes")
            }
        }
        if let indices = command.indices, (command.first + command.count) * indices.format.size > indices.buffer.byteCount {
            throw pipeline.mistake("the indices exceed the buffer of \(indices.buffer.byteCount) bytes")
        }
    }
}

extension Pipeline.Topology {
    fileprivate var glMode: GLenum {
        switch self {
        case .triangles: GLenum(GL_TRIANGLES)
        case .triangleStrip: GLenum(GL_TRIANGLE_STRIP)
        }
    }
}

extension IndexBinding.Format {
    fileprivate var size: Int { self == .uint16 ? 2 : 4 }
    fileprivate var glType: GLenum { GLenum(self == .uint16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT) }
}
