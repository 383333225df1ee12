// swift-tools-version: 6.1
import PackageDescription

// The measurements are a separate package, so that no user of Waymark builds them. tools/bench runs them.
let package = Package(
    name: "waymark-benchmarks",
    products: [.executable(name: "waymark-bench", targets: ["WaymarkBench"])],
    dependencies: [.package(name: "waymark", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "WaymarkBench",
            dependencies: [
                .product(name: "Waymark", package: "waymark"), .product(name: "WaymarkClustering", package: "waymark"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
