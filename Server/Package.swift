// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that other users of Waymark do not build an HTTP server. tools/server builds and tests it.
let package = Package(
    name: "waymark-server",
    products: [.executable(name: "waymark-server", targets: ["WaymarkServerProgram"])],
    dependencies: [
        .package(name: "waymark", path: "..", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CWaymarkServerPage", path: "Sources/Page", exclude: ["page.html"]),
        .target(name: "CWaymarkServerHeap", path: "Sources/Heap"),
        .target(
            name: "WaymarkServer",
            dependencies: [
                "CWaymarkServerPage", .product(name: "Waymark", package: "waymark"), .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // The tests also see non-public declarations, in release builds, too. No other package depends on this one.
            swiftSettings: [.unsafeFlags(["-enable-testing"])]),
        .executableTarget(
            name: "WaymarkServerProgram",
            dependencies: [
                "CWaymarkServerHeap", "WaymarkServer", .product(name: "Waymark", package: "waymark"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Sources/Program"),
        .testTarget(
            name: "WaymarkServerTests",
            dependencies: [
                "WaymarkServer", "WaymarkServerProgram", .product(name: "Waymark", package: "waymark"),
                .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
