import Foundation
import Waymark
import WaymarkGeo

/// One difference of a picture, as it is reported.
enum PictureDifference {
    case camera(CameraDifference)
    case overlay(id: String, type: String, OverlayChange)
    /// The number of differing pixels outside all overlays.
    case background(Int)

    /// The object that differs: `marker hall`.
    var subject: String {
        switch self {
        case .camera: "camera"
        case .overlay(let id, let type, _): id.isEmpty ? type : "\(type) \(id)"
        case .background: "background"
        }
    }

    /// A clause such as `moved by (1, 0) pt`.
    var clause: String {
        switch self {
        case .camera(let difference): "\(difference)"
        case .overlay(_, _, let change): "\(change)"
        case .background(let pixels): "\(pixels) \(pixels == 1 ? "pixel differs" : "pixels differ") outside all overlays"
        }
    }

    /// A key that is equal for differences of the same kind.
    var kind: String {
        switch self {
        case .camera, .background: subject
        case .overlay(_, _, let change): "\(subject)\n\(change.name)\n\(change.part?.rawValue ?? "")"
        }
    }

    /// A clause about differences of the same kind.
    static func clause(_ differences: [PictureDifference]) -> String {
        guard let first = differences.first else { return "" }
        guard differences.contains(where: { $0.clause != first.clause }) else { return first.clause }
        switch first {
        case .camera:
            return CameraDifference.clause(differences.compactMap { if case .camera(let difference) = $0 { difference } else { nil } })
        case .background: return "up to \(differences.map(\.pixels).max() ?? 0) pixels differ outside all overlays"
        case .overlay(_, _, let change):
            let changes = differences.compactMap { if case .overlay(_, _, let change) = $0 { change } else { nil } }
            return change.clause(with: changes)
        }
    }

    private var pixels: Int { if case .background(let pixels) = self { pixels } else { 0 } }
}

extension PictureVerdict {
    /// The differences in the order in which they are reported: the camera, the overlays, and the background.
    var differences: [PictureDifference] {
        var found = camera.map { [PictureDifference.camera($0)] } ?? []
        for overlay in overlays { found += overlay.changes.map { .overlay(id: overlay.id, type: overlay.type, $0) } }
        if let otherPixels, otherPixels > 0, facts != nil { found.append(.background(otherPixels)) }
        return found
    }
}

extension [PictureDifference] {
    /// One line for each object that differs.
    var lines: [String] {
        var lines: [(subject: String, clauses: [String])] = []
        for difference in self {
            if lines.last?.subject == difference.subject {
                lines[lines.count - 1].clauses.append(difference.clause)
            } else {
                lines.append((difference.subject, [difference.clause]))
            }
        }
        return lines.map { "\($0.subject): \($0.clauses.joined(separator: "; "))" }
    }
}

/// A difference that several pictures of a report have.
struct RepeatedDifference {
    /// The differences, in the order of the pictures.
    fileprivate(set) var differences: [PictureDifference]
    /// The indices of the pictures in the report.
    fileprivate(set) var pictures: [Int]

    var subject: String { differences[0].subject }
    var clause: String { PictureDifference.clause(differences) }
}

extension ComparisonReport {
    /// The differences that at least two pictures have. A difference of the camera comes first; the others are sorted by their number of
    /// pictures.
    var repeated: [RepeatedDifference] {
        var found: [RepeatedDifference] = []
        var places: [String: Int] = [:]
        for (picture, verdict) in verdicts.enumerated() where !verdict.matches {
            for difference in verdict.differences {
                if let place = places[difference.kind] {
                    found[place].differences.append(difference)
                    if found[place].pictures.last != picture { found[place].pictures.append(picture) }
                } else {
                    places[difference.kind] = found.count
                    found.append(RepeatedDifference(differences: [difference], pictures: [picture]))
                }
            }
        }
        func rank(_ one: RepeatedDifference) -> Int { if case .camera = one.differences[0] { .max } else { one.pictures.count } }
        return found.filter { $0.pictures.count > 1 }.enumerated()
            .sorted { (-rank($0.element), $0.offset) < (-rank($1.element), $1.offset) }.map(\.element)
    }

    /// A line such as `marker hall: moved by (1, 0) pt in 22 of 24 pictures`.
    func line(_ one: RepeatedDifference) -> String {
        "\(one.subject): \(one.clause) in \(one.pictures.count) of \(verdicts.count) pictures"
    }
}
