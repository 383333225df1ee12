import Testing
import WaymarkImaging
import WaymarkScene

@Suite struct OverlayImageTests {
    @Test(arguments: [
        ("pin.png", 1.0), ("pin@2x.png", 2), ("a/b@3x/pin.png", 1), ("/a/pin@3x", 3), ("pin@2x.old.png", 1), ("pin@9x.png", 1),
        ("pin@x.png", 1), ("@2x.png", 2), ("pin@1x.png", 1), ("x.png", 1), ("pin@-2x.png", 1),
    ])
    func aNameTellsTheScale(path: String, scale: Double) {
        #expect(OverlayImage(path: path).scale == scale)
        #expect(OverlayImage(path: path, scale: 1.5).scale == 1.5)
    }

    @Test func equalIdentifiersAreTheSameImage() {
        let bitmap = Bitmap(width: 1, height: 1)
        #expect(OverlayImage(bitmap: bitmap) != OverlayImage(bitmap: bitmap))
        #expect(OverlayImage(bitmap: bitmap, reuseIdentifier: "a") == OverlayImage(bytes: [], reuseIdentifier: "a"))
        #expect(OverlayImage(path: "a.png") == OverlayImage(path: "a.png"))
        #expect(OverlayImage(path: "a.png") != OverlayImage(path: "a.png", scale: 2))
    }

    @Test func everyBuiltInImageHasItsName() {
        #expect(
            MarkerImage.names == [
                "blue", "gray", "green", "lightblue", "pink", "red", "yellow", "black", "clusterLow", "clusterMedium", "clusterHigh",
            ])
        #expect(MarkerImage.names.allSatisfy { MarkerImage.named($0) != nil })
        #expect(MarkerImage.named("purple") == nil)
        #expect(MarkerImage.named("red") == MarkerImage.red)
    }
}
