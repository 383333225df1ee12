import ArgumentParser
import Waymark
import WaymarkSystem

/// The hit map of a picture: the areas that can be picked.
struct HitMapArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a hit map: an HTML image map with links (.html), or a list for programs (.json).",
            valueName: "FILE"), completion: .file(extensions: ["html", "json"]))
    var hitMap: String?

    @OptionGroup var link: LinkArguments
}

/// The links of image maps.
struct LinkArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The links of an HTML hit map; {id} and {type} are replaced by the object's id and type. Default: \(HitMap.standardLink).",
            valueName: "URI"))
    var link: String?

    /// The links; nil for the default.
    func checked() throws(Failure) -> String? {
        if let link, let problem = HitMap.problem(ofLink: link) { throw Failure(.usage, "--link: \(problem)") }
        return link
    }
}

extension HitMapArguments {
    /// The file and its format; nil if none is requested.
    /// - Parameter picture: The file of the picture, to which HTML refers.
    func checked(picture: String) throws(Failure) -> (path: String, format: HitMapFormat)? {
        guard let hitMap else {
            if link.link != nil { throw Failure(.usage, "--link requires an HTML --hit-map") }
            return nil
        }
        guard let format = HitMapFormat(path: hitMap) else {
            throw Failure(.usage, "\(hitMap.quotedIfEmpty): the name must end in .html, for an image map, or .json, for a list")
        }
        if format == .html, picture == "-" {
            throw Failure(.usage, "--hit-map: an image map refers to its picture's file; write the picture to a file with --output")
        }
        if format == .json, link.link != nil { throw Failure(.usage, "--link: a JSON hit map has no links") }
        _ = try link.checked()
        return (hitMap, format)
    }

    /// Writes a hit map.
    func write(_ map: HitMap, to file: (path: String, format: HitMapFormat), picture: String) throws(Failure) {
        let text = map.text(
            file.format, picture: Self.uri(of: picture, from: file.path), name: FileSystem.stem(of: picture),
            link: link.link ?? HitMap.standardLink)
        try Pipes.write(Array(text.utf8), to: file.path)
    }

    /// The relative URI of a file as seen from another.
    private static func uri(of path: String, from other: String) -> String {
        func parts(_ path: String) -> (folder: [Substring], name: Substring) {
            let slash = path.lastIndex(of: "/")
            let folder = FileSystem.resolved(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".") ?? ""
            return (folder.split(separator: "/"), slash.map { path[path.index(after: $0)...] } ?? path[...])
        }
        let (from, to) = (parts(other), parts(path))
        let common = zip(from.folder, to.folder).prefix { $0 == $1 }.count
        let steps = from.folder.dropFirst(common).map { _ in ".." } + to.folder.dropFirst(common).map { String($0).percentEncoded }
        return (steps + [String(to.name).percentEncoded]).joined(separator: "/")
    }
}
