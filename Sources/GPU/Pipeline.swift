import CWaymarkGLES

/// A program with the fixed state of its draws: vertex layout, blending, depth and stencil tests.
package final class Pipeline {
    /// The primitives that vertices form.
    package enum Topology: Equatable, Sendable {
        case triangles, triangleStrip
    }

    /// How a fragment is combined with the pixel. Colors are premultiplied and sRGB-encoded, as stored.
    package enum Blend: Equatable, Sendable {
        /// Replaces the pixel.
        case none
        /// Source over destination (Porter and Duff).
        case premultipliedAlpha
        /// Keeps 1 - alpha of the pixel, and adds nothing (destination out).
        case erase
        /// Adds to the pixel (plus).
        case add
    }

    /// The depth test.
    package enum Depth: Equatable, Sendable {
        case none
        /// Passes fragments that are not behind the stored depth.
        case test
        case testAndWrite
        /// Passes fragments whose depth equals the stored depth, as when the same triangles were already drawn at the same positions.
        case equal
    }

    /// The stencil test. Writing and then testing with reset draws each pixel once even if several fragments have the same depth.
    package enum Stencil: Equatable, Sendable {
        case none
        /// Writes 1 where a fragment passes the depth test.
        case write
        /// Passes fragments where the stencil is 1, and resets it to 0.
        case testAndReset
    }

    /// Which triangles are culled. Front faces run counterclockwise in the picture.
    package enum Cull: Equatable, Sendable {
        case none, back, front
    }

    /// Everything a pipeline consists of, with defaults, so that a declaration states only what differs.
    package struct Descriptor: Equatable, Sendable {
        /// The name in messages, such as "sprite".
        package var name = "unnamed"
        /// The shader sources, without a version: `#version 300 es` and the defines are inserted before them. Use `precision highp float`
        /// throughout: lower precisions are slower on llvmpipe.
        package var vertex = ""
        package var fragment = ""
        /// The definitions for both shaders, in order, such as "FLAT" or "LIGHTS 4". Each becomes a `#define` line.
        package var defines: [String] = []
        /// A layout for each buffer of a draw. Empty if the shader computes its vertices from `gl_VertexID`.
        package var layouts: [VertexLayout] = []
        package var topology = Topology.triangles
        package var blend = Blend.premultipliedAlpha
        package var depth = Depth.none
        /// The kind of depth buffer that the pipeline tests.
        package var depthBuffer = DepthBuffer.integer
        package var stencil = Stencil.none
        /// Whether the pipeline writes color, besides depth and stencil.
        package var writesColor = true
        package var cull = Cull.none

        package init() {}
    }

    /// The descriptor from which the pipeline was created.
    package let descriptor: Descriptor

    private let program: GLuint
    private let vertexArray: GLuint
    private let variables: [String: Variable]
    private let context: Context
    /// The serials of the vertex array's buffers, one for each layout, and of its index buffer.
    private var pointedAt: [(serial: Int, offset: Int)?]
    private var indexSerial: Int?
    /// The number of draws, and for each variable the last draw that set it. This detects variables that a command omits.
    private var draws = 0
    private var lastGiven: [Int]

    /// An active uniform.
    private struct Variable {
        /// The index in `lastGiven`.
        var index: Int
        var location: GLint
        var type: GLenum
        var count: Int
        /// The texture unit of a sampler; nil for other variables.
        var unit: Int?
    }

    /// Compiles and links.
    /// - Throws: `GPUError` with reason `shader` and the compiler's log.
    package init(_ context: Context, _ descriptor: Descriptor) throws(GPUError) {
        self.context = context
        self.descriptor = descriptor
        pointedAt = Array(repeating: nil, count: descriptor.layouts.count)
        (program, vertexArray, variables) = try context.withCurrent { () throws(GPUError) in
            let program = try Self.link(descriptor)
            let variables: [String: Variable]
            do throws(GPUError) {
                variables = try Self.variables(program, descriptor.name, context)
            } catch {
                context.state.use(program: 0)
                wm_glDeleteProgram(program)
                throw error
            }
            context.trash.register(.program(program))
            let vertexArray = context.makeObject(wm_glGenVertexArrays, ResourceName.vertexArray)
            context.state.bind(vertexArray: vertexArray)
            for layout in descriptor.layouts { layout.enable() }
            return (program, vertexArray, variables)
        }
        lastGiven = Array(repeating: 0, count: variables.count)
    }

    deinit {
        context.trash.discard(.program(program))
        context.trash.discard(.vertexArray(vertexArray))
    }
}

extension Pipeline {
    func belongs(to other: Context) -> Bool { context === other }

    /// Binds the program, the vertex array with these buffers, and the fixed functions.
    func bind(_ vertices: [VertexBinding], _ indices: IndexBinding?) {
        let state = context.state
        state.use(program: program)
        state.bind(vertexArray: vertexArray)
        state.apply(descriptor.blend)
        state.apply(descriptor.depth, isReversed: descriptor.depth != .none && descriptor.depthBuffer == .reversed)
        state.apply(descriptor.stencil)
        state.apply(writesColor: descriptor.writesColor)
        state.apply(descriptor.cull)
        for (slot, vertex) in vertices.enumerated() {
            if let last = pointedAt[slot], last.serial == vertex.buffer.serial, last.offset == vertex.byteOffset { continue }
            state.bind(arrayBuffer: vertex.buffer.name)
            descriptor.layouts[slot].specify(offset: vertex.byteOffset)
            pointedAt[slot] = (vertex.buffer.serial, vertex.byteOffset)
        }
        if let indices, indexSerial != indices.buffer.serial {
            // The index buffer is part of the vertex array, so the state cache does not track it.
            wm_glBindBuffer(GLenum(GL_ELEMENT_ARRAY_BUFFER), indices.buffer.name)
            indexSerial = indices.buffer.serial
        }
    }

    /// Sets every uniform and texture of the program in use.
    /// - Throws: `badArgument` if a variable of the shader is missing or has another type. Values that the shader does not have are
    ///   ignored: compilers remove variables without effect.
    func set(_ uniforms: [Uniform], _ textures: [TextureBinding]) throws(GPUError) {
        draws += 1
        var givenCount = 0
        for uniform in uniforms {
            guard let variable = variables[uniform.name], variable.unit == nil else { continue }
            guard uniform.value.fits(type: variable.type, count: variable.count) else {
                throw mistake("the uniform \(uniform.name) does not have the type of \(uniform.value)")
            }
            uniform.value.set(at: variable.location)
            givenCount += try note(variable, uniform.name)
        }
        for texture in textures {
            guard let variable = variables[texture.name], let unit = variable.unit else { continue }
            context.state.bind(texture: texture.texture.name, unit: unit)
            context.state.sample(unit: unit, texture.sampler)
            givenCount += try note(variable, texture.name)
        }
        guard givenCount == variables.count else {
            let missing = variables.filter { lastGiven[$0.value.index] != draws }.keys.sorted()
            throw mistake("these uniforms or textures are not given: " + missing.joined(separator: ", "))
        }
    }

    /// Records that the current draw sets a variable; returns 1.
    private func note(_ variable: Variable, _ name: String) throws(GPUError) -> Int {
        guard lastGiven[variable.index] != draws else { throw mistake("\(name) is given twice") }
        lastGiven[variable.index] = draws
        return 1
    }

    func mistake(_ message: String) -> GPUError {
        GPUError(.badArgument, stage: "draw " + descriptor.name, message)
    }

    /// The source as compiled: the version, the defines, then the lines, numbered as in the source.
    fileprivate static func source(_ text: String, defines: [String]) -> String {
        (["#version 300 es"] + defines.map { "#define " + $0 } + ["#line 1", ""]).joined(separator: "\n") + text
    }
}

extension Pipeline {
    fileprivate static func link(_ descriptor: Descriptor) throws(GPUError) -> GLuint {
        let vertex = try compile(descriptor, GL_VERTEX_SHADER, descriptor.vertex, "vertex")
        defer { wm_glDeleteShader(vertex) }
        let fragment = try compile(descriptor, GL_FRAGMENT_SHADER, descriptor.fragment, "fragment")
        defer { wm_glDeleteShader(fragment) }
        let program = wm_glCreateProgram()
        wm_glAttachShader(program, vertex)
        wm_glAttachShader(program, fragment)
        wm_glLinkProgram(program)
        let log = log(length: value(program, GL_INFO_LOG_LENGTH, wm_glGetProgramiv)) { wm_glGetProgramInfoLog(program, $0, nil, $1) }
        guard value(program, GL_LINK_STATUS, wm_glGetProgramiv) == GL_TRUE else {
            wm_glDeleteProgram(program)
            throw GPUError(.shader, stage: "link " + descriptor.name, "the driver cannot link the shaders", log: log)
        }
        return program
    }

    fileprivate static func compile(_ descriptor: Descriptor, _ kind: Int32, _ text: String, _ word: String) throws(GPUError) -> GLuint {
        let shader = wm_glCreateShader(GLenum(kind))
        source(text, defines: descriptor.defines).withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            wm_glShaderSource(shader, 1, &pointer, nil)
        }
        wm_glCompileShader(shader)
        let log = log(length: value(shader, GL_INFO_LOG_LENGTH, wm_glGetShaderiv)) { wm_glGetShaderInfoLog(shader, $0, nil, $1) }
        guard value(shader, GL_COMPILE_STATUS, wm_glGetShaderiv) == GL_TRUE else {
            wm_glDeleteShader(shader)
            throw GPUError(.shader, stage: "compile \(descriptor.name) (\(word))", "the driver cannot compile the shader", log: log)
        }
        return shader
    }

    fileprivate static func value(_ name: GLuint, _ what: Int32, _ get: (GLuint, GLenum, UnsafeMutablePointer<GLint>?) -> Void) -> GLint {
        var value: GLint = 0
        get(name, GLenum(what), &value)
        return value
    }

    fileprivate static func log(length: GLint, _ get: (GLsizei, UnsafeMutablePointer<CChar>?) -> Void) -> String {
        guard length > 1 else { return "" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(length)) { buffer in
            buffer.initialize(repeating: 0)
            get(length, buffer.baseAddress)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    /// The active uniforms by name; each sampler gets a fixed texture unit.
    private static func variables(_ program: GLuint, _ name: String, _ context: Context) throws(GPUError) -> [String: Variable] {
        var found: [String: Variable] = [:]
        var unit = 0
        let longest = max(1, value(program, GL_ACTIVE_UNIFORM_MAX_LENGTH, wm_glGetProgramiv))
        for index in 0..<GLuint(value(program, GL_ACTIVE_UNIFORMS, wm_glGetProgramiv)) {
            var count: GLint = 0
            var type: GLenum = 0
            var key = log(length: longest + 1) { wm_glGetActiveUniform(program, index, $0, nil, &count, &type, $1) }
            if key.hasSuffix("[0]") { key.removeLast(3) }
            let location = wm_glGetUniformLocation(program, key)
            // Members of uniform blocks and built-in uniforms have no location.
            guard location >= 0 else { continue }
            var variable = Variable(index: found.count, location: location, type: type, count: Int(count))
            if type == GLenum(GL_SAMPLER_2D_ARRAY) {
                context.state.use(program: program)
                wm_glUniform1i(location, GLint(unit))
                variable.unit = unit
                unit += 1
            }
            found[key] = variable
        }
        guard unit <= context.state.unitCount else {
            throw GPUError(
                .unsupported, stage: "link " + name,
                "the shader uses \(unit) textures, but the driver supports only \(context.state.unitCount)")
        }
        return found
    }
}
