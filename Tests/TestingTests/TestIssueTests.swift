import Foundation
import Testing
import Waymark
import WaymarkTestSupport
import WaymarkTesting

/// The reports to the test library, here Swift Testing.
@Suite(.serialized) struct TestIssueTests {
    init() { PinnedRasterizer.pin }

    @Test func aMissingExpectation() throws {
        let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: #line + 2, column: 1)
        withKnownIssue {
            #expect(!expectPicture(of: Bitmap(width: 4, height: 4), named: "missing", record: .never))
        } matching: { issue in
            issue.sourceLocation?.line == place.line && issue.sourceLocation?.fileID == place.fileID
                && issue.comments.first?.rawValue.contains("/Pictures/TestIssueTests/missing.") == true
        }
        #expect(!FileManager.default.fileExists(atPath: "\(Self.pictures)/missing.llvmpipe.png"))
    }

    /// As expected, then different, with attachments, and as expected again, when the files of the failure are removed.
    @Test(arguments: [0.0, 1, 0]) func aPictureThatDiffers(by offset: Double) {
        let map = MapView(size: CGSize(width: 60, height: 50))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let pin = Marker(position: LatLng(37.5, 127))
        pin.id = "pin"
        pin.anchorOffset = CGPoint(x: offset, y: 0)
        map.add(pin)
        withKnownIssue {
            #expect(expectPicture(of: map, named: "pin", record: .missing) == (offset == 0))
        } when: {
            offset != 0
        } matching: { issue in
            issue.comments.first?.rawValue.contains("marker pin: moved by (1, 0) pt\n") == true
        }
    }

    private static let pictures = String(#filePath.dropLast("TestIssueTests.swift".count)) + "Pictures/TestIssueTests"
}
