// swift-tools-version: 6.1
import PackageDescription

// A separate package that uses Waymark from the checkout containing it. Your package uses it from the folder next to it and needs no `name:`,
// because the folder has the name.
let package = Package(
    name: "Embedding",
    dependencies: [
        .package(name: "waymark", path: "../..", traits: [])  // no traits: leaves out the program and its dependencies
    ],
    targets: [
        .executableTarget(name: "Card", dependencies: [.product(name: "Waymark", package: "waymark")]),
        .executableTarget(name: "Cards", dependencies: [.product(name: "Waymark", package: "waymark")]),
        .testTarget(
            name: "CardTests",
            dependencies: [
                .product(name: "Waymark", package: "waymark"), .product(name: "WaymarkTesting", package: "waymark"),
            ], exclude: ["Pictures"]),
    ]
)
