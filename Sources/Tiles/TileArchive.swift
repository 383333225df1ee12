import WaymarkSystem

/// Opens archives of raster or vector tiles.
public enum TileArchive {
    /// Opens a PMTiles or MBTiles file, or a folder of tiles named `z/x/y` with the extension `.png`, `.jpg`, `.jpeg`, `.webp`, `.mvt` or
    /// `.pbf`. The format is determined by the content, not by the name.
    ///
    /// The file is read in parts as tiles are requested, never as a whole. The file must not be changed in place while it is open.
    /// Replacing it with another file is safe.
    /// - Throws: `TileError` if the path is a URL, or if the archive cannot be read, is damaged, is not an archive, or contains tiles that
    ///   are neither pictures nor vector tiles in MVT format.
    public static func open(_ path: String) throws(TileError) -> any TileSource { try openArchive(path) }

    /// Does the same as `open`, for readers of bytes.
    package static func openArchive(_ path: String) throws(TileError) -> any ArchivedTileSource {
        let file: OpenFile
        let status: FileStatus
        do throws(SystemError) {
            // Opening a pipe must not wait for its other end.
            file = try OpenFile(path, .read, .nonBlocking)
            status = try file.status
        } catch {
            // A socket cannot be opened at all.
            if (try? FileStatus(path))?.form == .socket { throw TileError(.notAFile, path: path) }
            throw TileError(reading: error, path: path).named(path)
        }
        switch status.form {
        case .folder: return try FolderTileSource(path)
        case .regular: return try open(path, file, size: status.size)
        case .link, .pipe, .socket, .device: throw TileError(.notAFile, path: path)
        }
    }

    private static func open(_ path: String, _ file: OpenFile, size: Int) throws(TileError) -> any ArchivedTileSource {
        let archive = ArchiveFile(file, path: path, size: size)
        let head = try archive.bytes(at: 0, count: min(size, 16))
        if head.starts(with: "PMTiles".utf8) { return try PMTilesSource(archive) }
        // Version 2 and older: two letters, and the version in two bytes.
        if head.starts(with: "PM".utf8), head.count > 3, head[2] <= 2, head[3] == 0 {
            throw TileError(.unsupportedVersion("PMTiles \(head[2])"), path: path)
        }
        if head.elementsEqual("SQLite format 3\0".utf8) { return try MBTilesSource(path, file) }
        throw TileError(.notAnArchive, path: path)
    }
}

/// A regular file that is read in parts, by several threads.
struct ArchiveFile: Sendable {
    private let file: OpenFile
    let path: String
    /// The size in bytes when it was opened.
    let size: Int

    init(_ file: OpenFile, path: String, size: Int) {
        self.file = file
        self.path = path
        self.size = size
    }

    /// Reads the bytes of a range that lies within the file.
    /// - Throws: `cannotRead`, or `damaged` if the file has become shorter.
    func bytes(at offset: Int, count: Int) throws(TileError) -> [UInt8] {
        var problem: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            do throws(SystemError) {
                let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
                read = try file.read(into: room, at: offset)
            } catch {
                problem = error
            }
        }
        if let problem { throw TileError(reading: problem, path: path) }
        guard bytes.count == count else { throw TileError(.damaged("it ends before byte \(offset + count)"), path: path) }
        return bytes
    }
}
