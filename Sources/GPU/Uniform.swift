import CWaymarkGLES

/// A uniform of a draw: its name in the shader and its value.
package struct Uniform: Equatable, Sendable {
    /// The value of a uniform. Matrices are converted to floats for the GPU.
    package enum Value: Equatable, Sendable {
        case float(Float)
        case vector2(SIMD2<Float>)
        case vector3(SIMD3<Float>)
        case vector4(SIMD4<Float>)
        case vector4s([SIMD4<Float>])
        case matrix4(Matrix4)
    }

    /// The name in the shader. The name of an array has no `[0]`.
    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension Uniform.Value {
    /// Sets the uniform of the program in use.
    func set(at location: GLint) {
        switch self {
        case .float(let value): wm_glUniform1f(location, value)
        case .vector2(let value): wm_glUniform2f(location, value.x, value.y)
        case .vector3(let value): wm_glUniform3f(location, value.x, value.y, value.z)
        case .vector4(let value): wm_glUniform4f(location, value.x, value.y, value.z, value.w)
        case .vector4s(let values):
            wm_glUniform4fv(location, GLsizei(values.count), values.flatMap { [$0.x, $0.y, $0.z, $0.w] })
        case .matrix4(let matrix):
            wm_glUniformMatrix4fv(location, 1, GLboolean(GL_FALSE), matrix.values.map { Float($0) })
        }
    }

    /// Whether a uniform of that GLSL type and array length takes this value.
    func fits(type: GLenum, count: Int) -> Bool {
        switch self {
        case .float: type == GLenum(GL_FLOAT) && count == 1
        case .vector2: type == GLenum(GL_FLOAT_VEC2) && count == 1
        case .vector3: type == GLenum(GL_FLOAT_VEC3) && count == 1
        case .vector4: type == GLenum(GL_FLOAT_VEC4) && count == 1
        case .vector4s(let values): type == GLenum(GL_FLOAT_VEC4) && count == values.count
        case .matrix4: type == GLenum(GL_FLOAT_MAT4) && count == 1
        }
    }
}
