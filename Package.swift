// swift-tools-version: 6.1
import PackageDescription

// The house: a room imports only rooms above it in this list (tools/imports checks the table it keeps).
let package = Package(
    name: "waymark",
    products: [
        .library(name: "Waymark", targets: ["Waymark"]),
        .executable(name: "waymark", targets: ["WaymarkCommandLine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .target(name: "CWaymarkShaders", path: "Shaders", exclude: ["lib", "mesh.frag", "mesh.vert", "sprite.frag", "sprite.vert"]),
        .target(
            name: "CWaymarkGLES", path: "Sources/C/GLES",
            linkerSettings: [.linkedLibrary("m"), .linkedLibrary("dl")]),
        .target(
            name: "CWaymarkCodecs", path: "Sources/C/Codecs",
            linkerSettings: ["png", "turbojpeg", "webp", "webpdemux", "deflate", "m", "dl"].map { .linkedLibrary($0) }),
        .target(
            name: "CWaymarkJSON", path: "Sources/C/JSON", cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("m")]),
        .target(name: "CWaymarkProcess", path: "Sources/C/Process"),
        .target(name: "CWaymarkSystem", path: "Sources/C/System"),
        .systemLibrary(
            name: "CWaymarkFreeType", path: "Sources/C/Text/FreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        .target(
            name: "CWaymarkText", dependencies: ["CWaymarkFreeType"], path: "Sources/C/Text", exclude: ["FreeType"],
            linkerSettings: ["harfbuzz", "icuuc", "fontconfig"].map { .linkedLibrary($0) }),
        .target(
            name: "WaymarkSystem", dependencies: ["CWaymarkSystem", .product(name: "SystemPackage", package: "swift-system")],
            path: "Sources/System"),
        .target(name: "WaymarkGeo", path: "Sources/Geo"),
        .target(name: "WaymarkImaging", dependencies: ["CWaymarkCodecs", "WaymarkSystem"], path: "Sources/Imaging"),
        .target(name: "WaymarkText", dependencies: ["CWaymarkText", "WaymarkSystem", "WaymarkImaging"], path: "Sources/Text"),
        .target(name: "WaymarkRaster", path: "Sources/Raster"),
        .target(name: "WaymarkMeshes", path: "Sources/Meshes"),
        .target(name: "WaymarkFrame", dependencies: ["WaymarkGeo", "WaymarkImaging"], path: "Sources/Frame"),
        .target(
            name: "WaymarkScene", dependencies: ["WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText"], path: "Sources/Scene"),
        .target(
            name: "WaymarkSceneFiles",
            dependencies: ["CWaymarkJSON", "WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkScene"],
            path: "Sources/SceneFiles"),
        .target(
            name: "WaymarkLayout",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkRaster", "WaymarkMeshes", "WaymarkFrame", "WaymarkScene",
            ],
            path: "Sources/Layout"),
        .target(
            name: "WaymarkInteraction", dependencies: ["WaymarkGeo", "WaymarkScene", "WaymarkLayout"], path: "Sources/Interaction"),
        .target(name: "WaymarkGPU", dependencies: ["CWaymarkGLES", "WaymarkSystem", "WaymarkImaging"], path: "Sources/GPU"),
        .target(
            name: "WaymarkRendering", dependencies: ["CWaymarkShaders", "WaymarkSystem", "WaymarkImaging", "WaymarkFrame", "WaymarkGPU"],
            path: "Sources/Rendering"),
        .target(
            name: "Waymark",
            dependencies: [
                "WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkFrame", "WaymarkScene", "WaymarkSceneFiles",
                "WaymarkLayout", "WaymarkInteraction", "WaymarkGPU", "WaymarkRendering",
            ],
            path: "Sources/Waymark"),
        .target(
            name: "WaymarkBatch",
            dependencies: [
                "CWaymarkProcess", "WaymarkSystem", "Waymark", "WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles",
                "WaymarkGPU",
            ],
            path: "Sources/Batch"),
        .executableTarget(
            name: "WaymarkCommandLine",
            dependencies: [
                "WaymarkSystem", "Waymark", "WaymarkGeo", "WaymarkText", "WaymarkSceneFiles", "WaymarkGPU", "WaymarkBatch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/CommandLine"),
        // No product: the README shows it.
        .executableTarget(name: "CityHall", dependencies: ["Waymark"], path: "Examples/CityHall"),
        .target(name: "CWaymarkPin", path: "Tests/Pin"),
        .target(
            name: "WaymarkTestSupport", dependencies: ["CWaymarkPin", "WaymarkGeo", "WaymarkImaging", "WaymarkScene"], path: "Tests/Support"
        ),
        .target(
            name: "WaymarkPictureCases", dependencies: ["Waymark", "WaymarkText", "WaymarkFrame", "WaymarkLayout", "WaymarkGPU"],
            path: "Tests/PictureCases"),
        // No product: tools/pictures builds it.
        .executableTarget(
            name: "waymark-pictures", dependencies: ["Waymark", "WaymarkPictureCases", "WaymarkTestSupport"], path: "Tests/PictureTool"),
        .testTarget(name: "SystemTests", dependencies: ["WaymarkSystem", "WaymarkTestSupport"]),
        .testTarget(name: "GeoTests", dependencies: ["WaymarkGeo", "WaymarkGPU", "WaymarkTestSupport"]),
        .testTarget(name: "ImagingTests", dependencies: ["WaymarkSystem", "WaymarkImaging", "WaymarkTestSupport"], exclude: ["Fixtures"]),
        .testTarget(name: "RasterTests", dependencies: ["WaymarkRaster", "WaymarkTestSupport"]),
        .testTarget(name: "MeshesTests", dependencies: ["WaymarkMeshes", "WaymarkTestSupport"]),
        .testTarget(name: "TextTests", dependencies: ["WaymarkText", "WaymarkImaging", "WaymarkTestSupport"], exclude: ["Expected"]),
        .testTarget(name: "FrameTests", dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkFrame", "WaymarkTestSupport"]),
        .testTarget(name: "SceneTests", dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkTestSupport"]),
        .testTarget(
            name: "SceneFilesTests",
            dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles", "WaymarkTestSupport"]),
        .testTarget(
            name: "LayoutTests",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkRaster", "WaymarkMeshes", "WaymarkFrame", "WaymarkScene",
                "WaymarkLayout", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "InteractionTests",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkLayout", "WaymarkInteraction", "WaymarkTestSupport",
            ]),
        .testTarget(name: "GPUTests", dependencies: ["WaymarkImaging", "WaymarkGPU", "WaymarkTestSupport"]),
        .testTarget(
            name: "RenderingTests",
            dependencies: ["WaymarkImaging", "WaymarkRaster", "WaymarkFrame", "WaymarkGPU", "WaymarkRendering", "WaymarkTestSupport"]),
        .testTarget(
            name: "WaymarkTests",
            dependencies: [
                "Waymark", "WaymarkFrame", "WaymarkLayout", "WaymarkGPU", "WaymarkRendering", "WaymarkPictureCases", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "BatchTests",
            dependencies: ["Waymark", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles", "WaymarkBatch", "WaymarkTestSupport"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["WaymarkCommandLine", "Waymark", "WaymarkImaging", "WaymarkBatch", "WaymarkTestSupport"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
