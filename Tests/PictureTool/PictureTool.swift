import Foundation
import Waymark
import WaymarkPictureCases
import WaymarkTestSupport

/// Renders the expected pictures again, arranges them on a sheet, or draws them with other drivers, for `tools/pictures` and
/// `tools/drivers`.
@main
struct PictureTool {
    static func main() throws {
        PinnedRasterizer.pin
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("update", 1...2): try update(matching: arguments.dropFirst().first ?? "")
        case ("sheet", 1): try sheet()
        case ("drivers", 3):
            let values = Array(arguments)
            guard try DriverCheck(driver: values[1], folder: values[2]).run() else { exit(1) }
        default:
            FileHandle.standardError.write(Data("usage: tools/pictures update [FILTER] | sheet, tools/drivers\n".utf8))
            exit(64)
        }
    }

    private static func update(matching filter: String) throws {
        let cases = PictureCase.all.filter { filter.isEmpty || $0.name.contains(filter) }
        let manifest = try RendererIdentity.current()
        // Pictures of two rasterisers would not fit one manifest.
        if !filter.isEmpty, let expected = RendererIdentity.expected, expected != manifest {
            FileHandle.standardError.write(Data("these pictures are of \(expected.renderer); update them all, without a filter\n".utf8))
            exit(69)
        }
        let renderer = try Renderer(device: .software)
        var changed = 0
        for picture in cases {
            let mapView = try picture.load()
            let bitmap = try renderer.render(mapView).bitmap
            let frame = try picture.printedFrame(of: mapView)
            let isNew = !FileManager.default.fileExists(atPath: picture.expectedPicture.path)
            let hasNewPixels = try isNew || bitmap != Bitmap(contentsOf: picture.expectedPicture.path)
            let hasNewFrame = (try? String(contentsOf: picture.expectedFrame, encoding: .utf8)) != frame
            if hasNewPixels { try bitmap.write(to: picture.expectedPicture.path) }
            if hasNewFrame { try Data(frame.utf8).write(to: picture.expectedFrame, options: .atomic) }
            guard hasNewPixels || hasNewFrame else { continue }
            changed += 1
            let what = [hasNewPixels ? "picture" : nil, hasNewFrame ? "frame" : nil].compactMap(\.self).joined(separator: " and ")
            print("\(picture.name): \(isNew ? "new" : "changed") \(what)")
        }
        try manifest.write()
        print("\(changed) of \(cases.count) cases changed; look at them: tools/pictures sheet")
    }

    private static func sheet() throws {
        let cases = PictureCase.all
        let sheet = ContactSheet(try cases.map { try Bitmap(contentsOf: $0.expectedPicture.path) })
        try sheet.bitmap.write(to: "out/pictures.png")
        for (place, picture) in zip(sheet.places, cases) {
            print("\(place.number)  row \(place.row), column \(place.column)  \(picture.name)")
        }
        print("wrote out/pictures.png")
    }
}
