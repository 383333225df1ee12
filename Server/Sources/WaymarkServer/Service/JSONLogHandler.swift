import Foundation
import Logging

/// Writes log messages as lines of JSON: time, level, message, and the metadata as further keys.
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a line including its line end. Default: writes the whole line to standard error.
    public init(
        label: String, level: Logger.Level = .info,
        write: @escaping @Sendable (String) -> Void = { line in FileHandle.standardError.write(Data(line.utf8)) }
    ) {
        logLevel = level
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var members: [(key: String, value: JSON)] = [
            (
                "time",
                .string(
                    Date.now.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)))
            ),
            ("level", .string(event.level.rawValue)), ("message", .string("\(event.message)")),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { members.append((key, Self.json(value))) }
        write(JSON.object(members).text + "\n")
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let number as Double): .number(number)
        case .stringConvertible(let value): .string("\(value)")
        case .array(let values): .array(values.map(json))
        case .dictionary(let members): .object(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: json($0.value)) })
        }
    }
}
