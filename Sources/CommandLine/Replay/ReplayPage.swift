import Foundation
import Waymark
import WaymarkSceneFiles

/// A page that steps through a replay: one self-contained HTML file with its pictures.
struct ReplayPage {
    let title: String
    /// The size of the pictures in pt.
    let size: CGSize
    let steps: [ReplayStep]
    /// The files of the pictures: one before the events, and one after each.
    let pictures: [[UInt8]]
    let format: ImageFormat

    var text: String { HTMLPage.filled(Self.template, ["TITLE": .text(title), "DATA": .json(data)]) }

    /// The data for the page's script. Equal pictures are included once.
    private var data: JSONText {
        var sources: [JSONText] = []
        var known: [[UInt8]: Int] = [:]
        let numbers = pictures.map { picture in
            if let number = known[picture] { return number }
            known[picture] = sources.count
            sources.append(.string("data:\(format.mediaType);base64,\(Data(picture).base64EncodedString())"))
            return sources.count - 1
        }
        let shown = steps.enumerated().map { number, step in
            JSONText.object([
                ("picture", .integer(numbers[number + 1])), ("pointer", .array(step.event.points.map { [$0.x, $0.y].json })),
                ("kind", .string(step.event.kind.rawValue)), ("head", step.head), ("calls", .array(step.calls)),
            ])
        }
        return .object([
            ("size", [size.width, size.height].json), ("pictures", .array(sources)), ("start", .integer(numbers[0])),
            ("steps", .array(shown)),
        ])
    }
}

extension [Double] {
    fileprivate var json: JSONText { .array(map { .length($0) }) }
}

extension ImageFormat {
    /// The type in a `data:` URI. Browsers cannot show raw pixels of any type.
    fileprivate var mediaType: String { self == .rgba ? "application/octet-stream" : "image/\(rawValue)" }
}
