import Waymark
import WaymarkGeo
import WaymarkSceneFiles

/// The index of a file of jobs: the offset and the id of each line, checked for duplicates. The jobs themselves stay in the file.
package struct JobIndex: Sendable {
    /// A job of the shard.
    package struct IndexedJob: Sendable {
        /// The index of the id in the table of ids.
        package var id: Int32
        /// The number of the line, from 1.
        package var line: Int32
        var length: Int32
        var offset: Int
        /// The fingerprint of the base scene, the options and the line.
        var fingerprint: Fingerprint
    }

    /// The jobs of the shard, in file order.
    package private(set) var entries: [IndexedJob] = []
    /// Lines that are not valid jobs. A line without an id belongs to the first shard, because only the id determines the shard.
    package private(set) var problems: [BatchFailure] = []
    private var ids = NameTable()
    private var outputs = NameTable()
    private let file: JobFile
    private let base: Fingerprint
    private let shard: Shard

    package var count: Int { entries.count + problems.count }

    /// Reads all lines.
    /// - Parameters:
    ///   - base: The fingerprint of everything else that affects the pictures.
    ///   - defaults: The job options that apply unless a job sets them.
    /// - Throws: `unreadable`; `badContent` for two jobs with the same id or output, in any shards, and for a file without a JSON object.
    package init(
        _ file: JobFile, base: Fingerprint, shard: Shard = .whole, defaults: JobDefaults = JobDefaults()
    ) throws(Failure) {
        self.file = file
        self.base = base
        self.shard = shard
        var hasObjects = false
        var first: (number: Int, text: String)?
        try file.forEachLine { (number, offset, bytes) throws(Failure) in
            guard number <= Int32.max else { throw Failure(.badContent, "\(file.name): the file has more than \(Int32.max) lines") }
            // Blank lines between jobs are allowed.
            if let bytes, bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
            let line = bytes.map { Array($0) }
            hasObjects = hasObjects || line.map(BatchJob.isObject) ?? true
            if first == nil { first = (number, line.flatMap(BatchJob.beginning) ?? "") }
            let job: BatchJob
            do throws(Failure) {
                guard let line else { throw Failure(.badContent, "the line is longer than \(JobFile.longestLine >> 20) MiB") }
                job = try BatchJob(line: line, defaults: defaults)
            } catch {
                let id = line.flatMap { try? JSONDocument(parsing: $0) }?.root["id"]?.string
                guard id.map(shard.contains(id:)) ?? (shard.index == 0) else { return }
                problems.append(BatchFailure(line: number, id: id, code: error.code, message: error.message))
                return
            }
            try add(job, line: line ?? [], number: number, offset: offset)
        }
        // The table is needed only until every line has been read.
        outputs = NameTable()
        // A table or multi-line JSON is reported by one sentence, instead of a failure for every line.
        guard !hasObjects, let first else { return }
        let hint = first.text.hasPrefix("\"[") ? "; write each element of a JSON array on its own line" : ""
        throw Failure(
            .badContent,
            "\(file.name): no line is a job (a JSON object such as \(BatchJob.example)); line \(first.number) is \(first.text)\(hint)"
        )
    }

    private mutating func add(_ job: BatchJob, line: [UInt8], number: Int, offset: Int) throws(Failure) {
        let place = ids.count
        if let other = ids.insert(job.id, line: number) {
            throw Failure(.badContent, "\(file.name): line \(number): the id \(job.id.quotedBriefly) is already used in line \(other)")
        }
        for path in job.files.map(\.path) {
            guard let other = outputs.insert(path, line: number) else { continue }
            throw Failure(.badContent, "\(file.name): line \(number): the output \(path.quotedBriefly) is already used in line \(other)")
        }
        guard shard.contains(id: job.id) else { return }
        entries.append(
            IndexedJob(
                id: Int32(place), line: Int32(number), length: Int32(line.count), offset: offset, fingerprint: fingerprint(of: line)))
    }

    private func fingerprint(of line: [UInt8]) -> Fingerprint {
        var fingerprint = base
        fingerprint.add(line)
        return fingerprint
    }
}

extension JobIndex {
    /// The id of a job.
    package func id(_ entry: Int) -> String { ids[Int(entries[entry].id)] }

    /// The line of a job, read again; nil when the file has changed.
    package func line(_ entry: Int) -> [UInt8]? {
        let entry = entries[entry]
        guard let line = file.line(at: entry.offset, length: Int(entry.length)), fingerprint(of: line) == entry.fingerprint else {
            return nil
        }
        return line
    }

    /// The index of the job with this id; nil when it is not in the shard.
    package func entry(id: String) -> Int? {
        guard let place = ids.place(of: id) else { return nil }
        // Jobs are in the order of their ids.
        let index = entries.partitioningIndex { Int($0.id) >= place }
        return index < entries.count && Int(entries[index].id) == place ? index : nil
    }
}
