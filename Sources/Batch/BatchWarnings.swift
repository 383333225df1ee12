import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// The warnings of a batch's pictures, in 8 bytes each, with equal texts stored once.
struct BatchWarnings {
    private var all: [(entry: Int32, text: Int32)] = []
    private var texts = NameTable()
    /// The number of pictures with each text.
    private var counts: [Int] = []

    var count: Int { all.count }

    /// Adds a warning. Returns whether its text is new.
    mutating func add(_ text: String, entry: Int) -> Bool {
        let isNew = texts.insert(text, line: 0) == nil
        if isNew { counts.append(0) }
        guard let place = texts.place(of: text) else { return isNew }
        counts[place] += 1
        all.append((Int32(entry), Int32(place)))
        return isNew
    }

    /// The texts that several pictures have, the most frequent first.
    var repeated: [BatchSummary.RepeatedWarning] {
        counts.indices.filter { counts[$0] > 1 }.sorted { (counts[$0], -$0) > (counts[$1], -$1) }
            .map { BatchSummary.RepeatedWarning(message: texts[$0], pictures: counts[$0]) }
    }

    /// Writes the list in line order, atomically. Without warnings, no file is written, and an old one is removed.
    func write(_ index: JobIndex, to path: String) throws(Failure) {
        // A stable sort, so that the warnings of a picture keep their order.
        let sorted = all.enumerated().sorted { ($0.element.entry, $0.offset) < ($1.element.entry, $1.offset) }.map(\.element)
        try BatchList.write(sorted, to: path) { warning, writer in
            writer.member("id", index.id(Int(warning.entry)))
            writer.member("line", Int(index.entries[Int(warning.entry)].line))
            writer.member("message", texts[Int(warning.text)])
        }
    }
}

/// A list in the output folder of a batch, one JSON object per line.
enum BatchList {
    /// Writes a list atomically. Without elements, no file is written, and an old one is removed.
    static func write<Element>(
        _ elements: [Element], to path: String, _ body: (Element, inout JSONWriter) -> Void
    ) throws(Failure) {
        guard !elements.isEmpty else {
            do throws(SystemError) { return try FileSystem.remove(path) } catch { throw .cannotWrite(path: path, errno: error.errno) }
        }
        var bytes: [UInt8] = []
        for element in elements {
            bytes += JSONWriter.object { body(element, &$0) }
            bytes.append(0x0A)
        }
        do throws(FileError) {
            try WholeFile.write(bytes, to: path)
        } catch {
            throw .cannotWrite(path: path, errno: error.errno ?? SystemError.inputOutput.errno)
        }
    }
}
