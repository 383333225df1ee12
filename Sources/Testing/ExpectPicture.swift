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
/// The expectation is a picture in the folder `Pictures/NameOfTheTestFile` next to the test's file, one for each family of renderers. Next
/// to it, a JSON file has the position of everything, and a text file the drawn primitives. A missing expectation is recorded, and the test
/// fails, so that somebody looks at it. A failure lists the overlays that differ and how, and names a page that shows the pictures; they
/// are also attached to the test.
///
/// If the expectation was drawn by the same renderer, text libraries and fonts, every byte must match. Otherwise a channel may differ by 3
/// of 255, and by more in 2 % of the pixels of any 16 × 16 window.
///
/// - Parameters:
///   - map: The map. Its camera is restored afterwards.
///   - name: The name of the picture within its test file: letters, digits, -, _, spaces and dots.
///   - sweep: Several tilts and bearings, whose pictures form one expectation. Default: the map's camera.
///   - fitting: Options for fitting the camera of each picture; bearing and tilt come from the map's camera or the sweep. Default: the
///     map's camera is not changed.
///   - rule: The allowed difference between the pictures. Default: as described above.
///   - record: When the expectation is written. Default: set by the environment variable `WAYMARK_RECORD`; if it is unset, when it is
///     missing.
///   - renderer: The renderer to use. Default: one for all tests of the process.
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

/// Expects that a picture drawn in another way, for example by a `RenderPool`, looks as recorded.
/// - Parameters:
///   - picture: The picture.
///   - inspection: The position of everything in it, so that a failure can name overlays. Default: unknown.
///   - frame: The frame from which it was drawn, so that a failure can list the primitives that differ. Default: unknown.
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
            throw ExpectationError("cannot determine the renderer: \(error)")
        }
    }
}
