import Testing
import WaymarkGeo

@Suite struct CameraTests {
    private static let size = PointSize(width: 100, height: 50)

    /// The message for an invalid camera, size or ratio, as the user reads it; nil when all are valid.
    private func problem(size: PointSize = size, pixelRatio: Double = 1, _ change: (inout Camera) -> Void = { _ in }) -> String? {
        var camera = Camera()
        change(&camera)
        do {
            _ = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func valuesOutOfRangeAreReportedWithTheirRange() {
        #expect(problem { $0.zoom = 99 } == "camera.zoom: 99 is outside 0…24")
        #expect(problem { $0.zoom = -0.5 } == "camera.zoom: -0.5 is outside 0…24")
        #expect(problem { $0.zoom = .nan } == "camera.zoom: nan is outside 0…24")
        #expect(problem { $0.tilt = -1 } == "camera.tilt: -1 is outside 0…80")
        #expect(problem { $0.tilt = 80.25 } == "camera.tilt: 80.25 is outside 0…80")
        #expect(problem { $0.bearing = .infinity } == "camera.bearing: inf is not a finite number")
        #expect(problem { $0.center.lat = 86 } == "camera.center.lat: 86 is outside -85.051129…85.051129")
        #expect(problem { $0.center.lng = .nan } == "camera.center.lng: nan is not a finite number")
        #expect(problem { $0.contentInset.left = -1 } == "camera.contentInset.left: the value must be finite and at least 0, not -1")
        #expect(
            problem { $0.contentInset.bottom = .infinity } == "camera.contentInset.bottom: the value must be finite and at least 0, not inf"
        )
        #expect(
            problem { $0.contentInset = EdgeInsets(left: 60, right: 40) }
                == "camera.contentInset: the content insets leave no room in the picture of 100 × 50 pt")
        #expect(problem(pixelRatio: 9) == "pixelRatio: 9 is outside 0.5…8")
        #expect(problem(pixelRatio: 0) == "pixelRatio: 0 is outside 0.5…8")
        #expect(
            problem(size: PointSize(width: 0, height: 50)) == "size.width: 0 pt at pixel ratio 1 is outside 1…65535 device pixels")
        #expect(
            problem(size: PointSize(width: 100, height: 1_000_000), pixelRatio: 1.5)
                == "size.height: 1000000 pt at pixel ratio 1.5 is outside 1…65535 device pixels")
        #expect(
            problem(size: PointSize(width: 100, height: .nan)) == "size.height: nan pt at pixel ratio 1 is outside 1…65535 device pixels")
        #expect(
            problem(size: PointSize(width: 40_000, height: 25_000)) == "size: 40000 × 25000 device pixels exceed the limit of 999999999")
    }

    @Test func bothEndsOfEveryRangeAreInIt() {
        #expect(problem { $0.zoom = 0 } == nil)
        #expect(problem { $0.zoom = 24 } == nil)
        #expect(problem { $0.tilt = 80 } == nil)
        #expect(problem { $0.bearing = -1e6 } == nil)
        #expect(problem { $0.center.lat = -85.051129 } == nil)
        #expect(problem { $0.center.lng = 1e4 } == nil)
        #expect(problem { $0.contentInset = EdgeInsets(top: 25, left: 0, bottom: 24.9, right: 99.9) } == nil)
        #expect(problem(pixelRatio: 0.5) == nil)
        #expect(problem(pixelRatio: 8) == nil)
        #expect(problem(size: PointSize(width: 65_535, height: 1)) == nil)
        #expect(problem(size: PointSize(width: 1, height: 0.5)) == nil)
    }

    @Test func theFirstProblemIsReported() {
        #expect(problem(pixelRatio: 9) { $0.zoom = 99 } == "pixelRatio: 9 is outside 0.5…8")
        let two = problem {
            $0.zoom = 99
            $0.tilt = 99
        }
        #expect(two == "camera.zoom: 99 is outside 0…24")
    }

    @Test func defaults() {
        let camera = Camera()
        #expect(camera.center == LatLng(lat: 0, lng: 0))
        #expect(camera.zoom == 0 && camera.bearing == 0 && camera.tilt == 0 && camera.contentInset == EdgeInsets())
        let fit = FitOptions()
        #expect(fit.padding == nil && fit.maxZoom == 17 && fit.bearing == 0 && fit.tilt == 0)
    }
}
