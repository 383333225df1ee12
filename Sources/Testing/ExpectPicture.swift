import CWaymarkPin
import Waymark
import WaymarkComparison

@_exported import struct WaymarkComparison.CameraSweep
@_exported import struct WaymarkComparison.ComparisonRule
@_exported import enum WaymarkComparison.IgnoredContent

/// In a test that uses Swift Testing or XCTest, expects that a map looks as it did when its expectation was recorded.
///
///     @Test func theShops() {
///         expectPicture(of: shops(), named: "shops")
///         expectPicture(of: shops(), named: "shops-around", at: .tilts([0, 30, 60]).bearings(every: 45))
///     }
///
/// The expectation is a picture in the folder `Pictures/NameOfTheTestFile` next to the test file, or in `Pictures` if the test file and its
/// folder have the same name. Each family of renderers has its own expectation. Next to the picture are a JSON file with the positions of
/// everything in the picture, and a text file with the primitives that were drawn. If the expectation is missing, it is recorded. The test
/// then fails, as a reminder to look at the picture. The message of a failure lists the overlays that differ, with their differences. It
/// also names an HTML page that shows the pictures. The pictures are attached to the test, too.
///
/// If the expectation was drawn by the same renderer, with the same text libraries and fonts, every byte must match. Otherwise channels may
/// differ by up to 3 of 255, and 2% of the pixels in any 16 × 16 window may differ by more.
///
/// - Parameters:
///   - map: The map. The map's camera is restored afterwards.
///   - name: The name of the picture within its test file. It may contain letters, digits, -, _, spaces and dots.
///   - sweep: Several tilts and bearings, whose pictures together form one expectation. Default: only the map's camera.
///   - fitting: Options for fitting the camera of each picture. Bearing and tilt come from the map's camera or from the sweep. Default: the
///     map's camera is not changed.
///   - rule: The allowed difference between the pictures. Default: as described above.
///   - ignored: The content that is not compared, such as `[.overlay("clock"), .type("viewOverlay")]`. In a sweep, rectangles are relative
///     to the upper left corner of each view. Default: everything is compared.
///   - record: When to write the expectation. Default: the value of `WAYMARK_RECORD`, or, if that is unset, only when the expectation is
///     missing.
///   - renderer: The renderer to use. Default: a renderer that all tests of the process share.
/// - Returns: Whether the picture is as expected.
@discardableResult
public func expectPicture(
    of map: MapView, named name: String, at sweep: CameraSweep = .none, fitting: FitOptions? = nil, matching rule: ComparisonRule? = nil,
    ignoring ignored: [IgnoredContent] = [], record: PictureRecording? = nil, with renderer: Renderer? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) -> Bool {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return PictureExpectation(name: name, rule: rule, ignored: ignored, record: record, location: location).check {
        () throws(ExpectationError) in
        do {
            let views = try sweep.views()
            return try TestRenderer.use(renderer) { renderer in
                try DrawnViews(map, views, fitting: fitting, renderer: renderer, findsAreas: !ignored.isEmpty)
            }
        } catch {
            throw ExpectationError("the picture cannot be drawn: \(error)")
        }
    }
}

/// Expects that a picture looks as it did when its expectation was recorded. The picture may be drawn in any way, for example by a
/// `RenderPool`. For the parameters that are not listed here, see `expectPicture(of:named:at:)`, which takes a map.
/// - Parameters:
///   - picture: The picture to check.
///   - inspection: The positions of everything in the picture. With them, a failure names the overlays that differ. Default: unknown.
///   - frame: The frame from which the picture was drawn. With it, a failure lists the primitives that differ. Default: unknown.
///   - ignored: The content that is not compared. Objects are found by their positions in `inspection`. Default: everything is compared.
@discardableResult
public func expectPicture(
    of picture: Bitmap, inspection: Inspection? = nil, frame: MapFrame? = nil, named name: String, matching rule: ComparisonRule? = nil,
    ignoring ignored: [IgnoredContent] = [], record: PictureRecording? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) -> Bool {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return PictureExpectation(name: name, rule: rule, ignored: ignored, record: record, location: location).check {
        () throws(ExpectationError) in
        do {
            let identity = try TestRenderer.use(nil) { renderer in try renderer.identity() }
            return DrawnViews(picture, inspection, frame: frame, drawnBy: identity)
        } catch {
            throw ExpectationError("cannot determine the renderer: \(error)")
        }
    }
}
