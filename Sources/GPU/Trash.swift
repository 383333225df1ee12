import CWaymarkGLES

/// The name of an OpenGL ES object together with its kind.
enum ResourceName: Equatable {
    case texture(GLuint)
    case buffer(GLuint)
    case vertexArray(GLuint)
    case framebuffer(GLuint)
    case renderbuffer(GLuint)
    case program(GLuint)
}

/// The number of objects of each kind in a context, discarded ones included.
package struct LiveResources: Equatable, Sendable {
    package var textures = 0
    package var buffers = 0
    package var vertexArrays = 0
    package var framebuffers = 0
    package var renderbuffers = 0
    package var programs = 0

    package init() {}

    /// The total of all kinds.
    package var total: Int { textures + buffers + vertexArrays + framebuffers + renderbuffers + programs }
}

/// Collects the names of released objects, because a `deinit` may run while a different context, or none, is current. The context deletes
/// them when it is next current.
final class Trash {
    /// The objects that were created and not yet deleted.
    private(set) var live = LiveResources()
    private var discarded: [ResourceName] = []

    /// Counts a new object.
    func register(_ name: ResourceName) {
        count(name, 1)
    }

    /// Queues a name for deletion.
    func discard(_ name: ResourceName) {
        discarded.append(name)
    }

    /// Deletes the queued objects. The context must be current.
    func empty(_ state: StateCache) {
        guard !discarded.isEmpty else { return }
        for name in discarded {
            // OpenGL ES may reuse a deleted name, so the cache must not consider it bound.
            state.forget(name)
            Self.delete(name)
            count(name, -1)
        }
        discarded.removeAll(keepingCapacity: true)
    }
}

extension Trash {
    fileprivate func count(_ name: ResourceName, _ change: Int) {
        switch name {
        case .texture: live.textures += change
        case .buffer: live.buffers += change
        case .vertexArray: live.vertexArrays += change
        case .framebuffer: live.framebuffers += change
        case .renderbuffer: live.renderbuffers += change
        case .program: live.programs += change
        }
    }

    fileprivate static func delete(_ name: ResourceName) {
        switch name {
        case .texture(var name): wm_glDeleteTextures(1, &name)
        case .buffer(var name): wm_glDeleteBuffers(1, &name)
        case .vertexArray(var name): wm_glDeleteVertexArrays(1, &name)
        case .framebuffer(var name): wm_glDeleteFramebuffers(1, &name)
        case .renderbuffer(var name): wm_glDeleteRenderbuffers(1, &name)
        case .program(let name): wm_glDeleteProgram(name)
        }
    }
}
