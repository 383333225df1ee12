// swift-tools-version: 6.1
import PackageDescription

// A package of its own, which takes Waymark from the checkout that it lies in, as yours takes it from beside it. Yours needs no name: it has
// the name of the folder.
let package = Package(
    name: "Embedding",
    dependencies: [
        .package(name: "waymark", path: "../..", traits: [])  // no traits: without the program and what it needs
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
