import CWaymarkGLES

/// How the bytes of one buffer become a shader's `in` variables. The attributes are in the order of the struct and the shader.
package struct VertexLayout: Equatable, Sendable {
    /// One `in` variable.
    package struct Attribute: Equatable, Sendable {
        /// The type of each component in memory.
        package enum Component: Equatable, Sendable {
            case float, uint8, uint16
        }

        /// The conversion for the shader.
        package enum Conversion: Equatable, Sendable {
            /// A float of the same value.
            case float
            /// A float of 0…1.
            case normalized
        }

        /// The shader's `layout(location = …)`.
        package var location: Int
        package var component: Component
        /// The number of components, 1…4.
        package var count: Int
        package var conversion: Conversion
        /// The offset in bytes from the start of the vertex or instance.
        package var offset: Int

        package init(location: Int, _ component: Component, count: Int, _ conversion: Conversion = .float, offset: Int) {
            self.location = location
            self.component = component
            self.count = count
            self.conversion = conversion
            self.offset = offset
        }
    }

    /// When the shader advances to the next element.
    package enum Step: Equatable, Sendable {
        case vertex, instance
    }

    package var attributes: [Attribute]
    /// The distance between elements in bytes.
    package var stride: Int
    package var step: Step

    package init(stride: Int, step: Step = .vertex, attributes: [Attribute]) {
        self.attributes = attributes
        self.stride = stride
        self.step = step
    }
}

extension VertexLayout {
    /// Makes the bound vertex array read the bound array buffer from `offset` on.
    func specify(offset: Int) {
        for attribute in attributes {
            let index = GLuint(attribute.location)
            let pointer = wm_offset(offset + attribute.offset)
            let normalized = GLboolean(attribute.conversion == .normalized ? GL_TRUE : GL_FALSE)
            wm_glVertexAttribPointer(index, GLint(attribute.count), attribute.component.glType, normalized, GLsizei(stride), pointer)
        }
    }

    /// Enables the attributes of the bound vertex array.
    func enable() {
        for attribute in attributes {
            wm_glEnableVertexAttribArray(GLuint(attribute.location))
            wm_glVertexAttribDivisor(GLuint(attribute.location), step == .instance ? 1 : 0)
        }
    }
}

extension VertexLayout.Attribute.Component {
    fileprivate var glType: GLenum {
        switch self {
        case .float: GLenum(GL_FLOAT)
        case .uint8: GLenum(GL_UNSIGNED_BYTE)
        case .uint16: GLenum(GL_UNSIGNED_SHORT)
        }
    }
}
