import CWaymarkGLES

/// GPU memory for vertices, instances or indices.
package final class Buffer {
    /// How often the contents change.
    package enum Usage: Equatable, Sendable {
        /// The contents change rarely or never.
        case fixed
        /// The contents change for every picture. Each upload takes fresh memory from the driver, so that it need not wait for draws in
        /// progress.
        case stream
    }

    /// How often the contents change.
    package let usage: Usage
    /// The bytes of the last upload, within which draws must stay.
    package private(set) var byteCount = 0

    let name: GLuint
    /// A unique number; OpenGL ES reuses names.
    let serial: Int
    /// The number of bytes that the driver holds for the buffer.
    package private(set) var capacity = 0
    private let context: Context

    /// Makes an empty buffer.
    package init(_ context: Context, usage: Usage = .stream) throws(GPUError) {
        self.context = context
        self.usage = usage
        serial = context.nextSerial()
        name = try context.withCurrent { () throws(GPUError) in context.makeObject(wm_glGenBuffers, ResourceName.buffer) }
    }

    deinit { context.trash.discard(.buffer(name)) }
}

extension Buffer {
    /// Makes a buffer that holds a copy of the bytes.
    package convenience init(_ context: Context, usage: Usage = .fixed, bytes: UnsafeRawBufferPointer) throws(GPUError) {
        try self.init(context, usage: usage)
        try upload(bytes)
    }

    /// Replaces the whole contents.
    package func upload(_ bytes: UnsafeRawBufferPointer) throws(GPUError) {
        try context.withCurrent { () throws(GPUError) in
            resize(bytes.count)
            if !bytes.isEmpty { wm_glBufferSubData(GLenum(GL_ARRAY_BUFFER), 0, bytes.count, bytes.baseAddress) }
            context.uploadedByteCount += bytes.count
        }
    }

    /// Replaces the whole contents with the bytes that `body` writes directly into the driver's memory, without a copy. Bytes that `body`
    /// leaves unwritten are undefined. Reading from this memory is slow on a GPU.
    package func write(byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(GPUError) -> Void) throws(GPUError) {
        guard byteCount > 0 else { return try upload(UnsafeRawBufferPointer(start: nil, count: 0)) }
        try context.withCurrent { () throws(GPUError) in
            resize(byteCount)
            let access = GLbitfield(GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)
            guard let memory = wm_glMapBufferRange(GLenum(GL_ARRAY_BUFFER), 0, byteCount, access) else {
                try context.checkErrors("map \(byteCount) bytes of a buffer")
                throw GPUError(.outOfMemory, stage: "map a buffer", "the driver could not allocate \(byteCount) bytes")
            }
            // The buffer is always unmapped. It is bound again first, because `body` may have used the context.
            defer {
                context.state.bind(arrayBuffer: name)
                wm_glUnmapBuffer(GLenum(GL_ARRAY_BUFFER))
            }
            try body(UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
            context.uploadedByteCount += byteCount
        }
    }
}

extension Buffer {
    /// Releases the memory; the next upload allocates new memory.
    package func release() throws(GPUError) {
        try context.withCurrent { () throws(GPUError) in
            capacity = 0
            resize(0)
        }
    }
}

extension Buffer {
    func belongs(to other: Context) -> Bool { context === other }

    /// Binds the buffer with fresh memory of at least this size. The capacity of a stream changes rarely, so that the driver can reuse
    /// blocks. It grows by half, and shrinks if a quarter of it suffices.
    private func resize(_ count: Int) {
        context.state.bind(arrayBuffer: name)
        if usage == .fixed || count < capacity / 4 {
            capacity = count
        } else if count > capacity {
            capacity = max(count, capacity + capacity / 2)
        }
        byteCount = count
        wm_glBufferData(GLenum(GL_ARRAY_BUFFER), capacity, nil, GLenum(usage == .stream ? GL_STREAM_DRAW : GL_STATIC_DRAW))
    }
}
