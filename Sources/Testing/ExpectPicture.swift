import CWaymarkPin
import Waymark
import WaymarkComparison

@_exported import struct WaymarkComparison.CameraSweep
@_exported import struct WaymarkComparison.ComparisonRule

/// Expects that a map looks as recorded, in a test of Swift Testing or of XCTest.
///
///     @Test func theShops() {
///         expectPicture(of: shops(), named: "shops")
///         expectPicture(of: shops(), named: "shops-around", at: .tilts([0, 30, 60]).bearings(every: 45))
///     }
///
/// The expectation is a picture in the folder `Pictures/NameOfTheTestFile` beside the test's file, for each family of renderers, with where
/// everything is in a JSON file beside it, and what is drawn in a text file. A missing one is recorded, and the test fails, so that somebody looks at it. A failure says
/// which overlays differ and how, and names a page that shows the pictures; they are attached to the test as well.
///
/// Where the same renderer, libraries of text and fonts draw as drew the expectation, every byte counts. Elsewhere a channel may differ by
/// 3 of 255, and 2 % of the pixels of any 16 × 16 window by more.
///
/// - Parameters:
///   - map: The map. Its camera is the same afterwards.
///   - name: The name of the picture within its test file: letters, digits, -, _, spaces and dots.
///   - sweep: Several tilts and bearings, whose pictures are one expectation. Default: the map's camera.
///   - fitting: Fits the camera of each picture by these options, whose bearing and tilt are those of the map's camera or the sweep. Default:
///     the map's camera stays where it is.
///   - rule: How far the pictures may differ. Default: as said above.
///   - record: When the expectation is written. Default: as the environment's `WAYMARK_RECORD` says, else where there is none.
///   - renderer: What draws. Default: one for all tests of the process.
/// - Returns: Whether the picture is as expected.
@discardableResult
public func expectPicture(
    of map: MapView, named name: String, at sweep: CameraSweep = .none, fitting: FitOptions? = nil, matching rule: ComparisonRule? = nil,
    record: PictureRecording? = nil, with renderer: Renderer? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) -> Bool {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return PictureExpectation(name: name, rule: rule, record: record, location: location).check { () throws(ExpectationError) in
        do {
            let views = try sweep.views()
            return try TestRenderer.use(renderer) { renderer in
                try DrawnViews(map, views, fitting: fitting, renderer: renderer)
            }
        } catch {
            throw ExpectationError("the picture cannot be drawn: \(error)")
        }
    }
}

/// Expects that a picture that was drawn otherwise, by a `RenderPool` for instance, looks as recorded.
/// - Parameters:
///   - picture: The picture.
///   - inspection: Where everything is in it, so that a failure can name overlays. Default: not known.
///   - frame: What it was drawn from, so that a failure can say what is drawn otherwise. Default: not known.
@discardableResult
public func expectPicture(
    of picture: Bitmap, inspection: Inspection? = nil, frame: MapFrame? = nil, named name: String, matching rule: ComparisonRule? = nil,
    record: PictureRecording? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) -> Bool {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return PictureExpectation(name: name, rule: rule, record: record, location: location).check { () throws(ExpectationError) in
        do {
            let identity = try TestRenderer.use(nil) { renderer in try renderer.identity() }
            return DrawnViews(picture, inspection, frame: frame, drawnBy: identity)
        } catch {
            throw ExpectationError("what draws here cannot be found out: \(error)")
        }
    }
}
