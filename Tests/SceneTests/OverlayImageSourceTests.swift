import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

@Suite struct OverlayImageSourceTests {
    @Test func builtInImagesAndAnchorsHaveShortNames() {
        let marker = Marker(position: LatLng(37.5, 127), image: .red)
        #expect(marker.position == LatLng(lat: 37.5, lng: 127) && marker.iconImage == MarkerImage.red)
        marker.iconImage = .clusterLow
        #expect(marker.iconImage == MarkerImage.clusterLow)
        marker.anchor = .center
        #expect(marker.anchor == CGPoint(x: 0.5, y: 0.5))
        marker.anchor = .bottom
        #expect(marker.anchor == Marker().anchor)
    }

    @Test func theDataOfAFileIsAnImage() throws {
        let bitmap = Bitmap(width: 3, height: 2, fill: .red)
        let image = OverlayImage(data: Data(try bitmap.encoded(as: .png)), scale: 2)
        guard case .raster = try image.decoded() else {
            Issue.record("no pixels")
            return
        }
        #expect(image.bitmap == bitmap && image.scale == 2)
    }

    @Test func namesAreLookedUpInResourceBundles() throws {
        let (folder, resources) = (ScratchFolder(), ScratchFolder())
        let finder = ImageFinder(folders: [folder.path], resourceFolders: [resources.path], pixelRatio: 2)
        #expect(finder.path(of: "marker_icon") == nil)
        try Bitmap(width: 1, height: 1).write(to: resources.path + "/marker_icon.png")
        #expect(finder.path(of: "marker_icon") == resources.path + "/marker_icon.png")
        try Bitmap(width: 1, height: 1).write(to: folder.path + "/marker_icon.png")
        #expect(finder.path(of: "marker_icon") == folder.path + "/marker_icon.png")
        try Bitmap(width: 1, height: 1).write(to: folder.path + "/marker_icon@2x.png")
        #expect(finder.path(of: "marker_icon") == folder.path + "/marker_icon@2x.png")
    }

    @Test func imagesOfABundleAreEqualByName() throws {
        let (first, second) = (OverlayImage(name: "pin", in: .main), OverlayImage(name: "pin", in: .main))
        #expect(first == second && first != OverlayImage(name: "pin"))
    }
}
