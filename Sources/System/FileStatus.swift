import Glibc
import SystemPackage

/// The kind, size and identity of a file.
package struct FileStatus: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
        case regular, folder, link, pipe, socket, device
    }

    package var form: Form
    /// The size in bytes.
    package var size: Int
    /// The number of names that the file has.
    package var linkCount: Int
    /// Identifies the file.
    package var identity: FileIdentity

    init(_ status: Stat) {
        form =
            switch status.type {
            case .regular: .regular
            case .directory: .folder
            case .symbolicLink: .link
            case .fifo: .pipe
            case .socket: .socket
            default: .device
            }
        size = Int(status.size)
        linkCount = status.linkCount
        identity = FileIdentity(device: UInt64(status.deviceID.rawValue), inode: UInt64(status.inode.rawValue))
    }

    /// The file at a path.
    /// - Parameter followsLinks: Whether symbolic links are followed. Default true.
    package init(_ path: String, followsLinks: Bool = true) throws(SystemError) {
        let name = try path.checkedName()
        self.init(try checked { try Stat(name, followTargetSymlink: followsLinks) })
    }

    /// Reads the status of an entry of a folder. Symbolic links are not followed.
    init(_ name: String, in folder: Folder) throws(SystemError) {
        let name = try name.checkedName()
        let start = FileDescriptor(rawValue: folder.number)
        self.init(try checked { try Stat(name, relativeTo: start, flags: .symlinkNoFollow) })
    }
}

/// A device and an inode. Two paths with the same identity are the same file.
package struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}
