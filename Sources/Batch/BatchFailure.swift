import Glibc
import WaymarkImaging
import WaymarkSceneFiles

/// A job that has no picture, and why.
package struct BatchFailure: Equatable, Sendable {
    /// Of the file of jobs, from 1.
    package var line: Int
    /// nil when the line has none.
    package var id: String?
    /// As in sysexits: 65 wrong content, 66 absent, 69 the machine lacks something, 70 a worker failed over it, 73 cannot be written,
    /// 75 not done within the deadline.
    package var code: Int
    /// One sentence.
    package var message: String

    package init(line: Int, id: String?, code: Int, message: String) {
        self.line = line
        self.id = id
        self.code = code
        self.message = message
    }
}

extension BatchFailure {
    /// Writes the list, in the order of the lines, whole or not at all; without failures there is no file, and an old one goes.
    static func write(_ failures: [BatchFailure], to path: String) throws(BatchError) {
        guard !failures.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw .cannotWrite(path: path, errno: errno) }
            return
        }
        var bytes: [UInt8] = []
        for failure in failures.sorted(by: { $0.line < $1.line }) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("id")
            if let id = failure.id { writer.string(id) } else { writer.null() }
            writer.key("line")
            writer.integer(failure.line)
            writer.key("code")
            writer.integer(failure.code)
            writer.key("message")
            writer.string(failure.message)
            writer.endObject()
            bytes += writer.bytes
            bytes.append(0x0A)
        }
        do throws(ImagingError) {
            try WholeFile.write(bytes, to: path)
        } catch {
            throw .cannotWrite(path: path, errno: error.errno ?? EIO)
        }
    }
}
