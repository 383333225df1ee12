// swift-tools-version: 6.1
import PackageDescription

// The commit that `waymark --version` prints. tools/release sets it; other builds have none, so a commit makes nothing be compiled again. Another
// value compiles one C file and the program's own module again, but no library.
let commit = (Context.environment["WAYMARK_COMMIT"] ?? "").filter(\.isHexDigit)

// The modules that `import Waymark` provides, too. Only modules of library products are compared by `swift package diagnose-api-breaking-changes`, so
// tools/test names them here.
let comparedModules = (Context.environment["WAYMARK_COMPARED_MODULES"] ?? "").split(separator: " ").map(String.init)

// The modules in order: a module depends only on modules above it, and its sources import only its dependencies here.
// tools/imports checks both.
let package = Package(
    name: "waymark",
    products: [
        .library(name: "Waymark", targets: ["Waymark"] + comparedModules),
        .library(name: "WaymarkTesting", targets: ["WaymarkTesting"]),
        .library(name: "WaymarkClustering", targets: ["WaymarkClustering"]),
        // libWaymarkC.so, for C and languages that call C; tools/library packs it as libwaymark.so.
        .library(name: "WaymarkC", type: .dynamic, targets: ["WaymarkCInterface"]),
        .executable(name: "waymark", targets: ["WaymarkCommandLine"]),
    ],
    traits: [
        .default(enabledTraits: ["Program"]),
        .trait(name: "Program", description: "The waymark program, and what only it depends on."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // The libraries of this machine that the C modules are compiled against and linked with: pkg-config finds them, and a build
        // without one of them names the packages to install. EGL and OpenGL ES are missing because they are loaded at run time, and simdjson
        // because its pkg-config file has a flag that SwiftPM refuses; their headers are checked where they are included.
        .systemLibrary(
            name: "CWaymarkCodecLibraries", path: "Sources/C/Codecs/Libraries",
            pkgConfig: "libpng libturbojpeg libjpeg libwebp libwebpdemux libdeflate",
            providers: [
                .apt(["libpng-dev", "libturbojpeg0-dev", "libjpeg-dev", "libwebp-dev", "libdeflate-dev"]),
                .yum(["libpng-devel", "turbojpeg-devel", "libjpeg-turbo-devel", "libwebp-devel", "libdeflate-devel"]),
            ]),
        .systemLibrary(
            name: "CWaymarkTextLibraries", path: "Sources/C/Text/Libraries", pkgConfig: "freetype2 harfbuzz icu-uc fontconfig",
            providers: [
                .apt(["libfreetype-dev", "libharfbuzz-dev", "libicu-dev", "libfontconfig-dev"]),
                .yum(["freetype-devel", "harfbuzz-devel", "libicu-devel", "fontconfig-devel"]),
            ]),
        .systemLibrary(
            name: "CWaymarkXMLLibrary", path: "Sources/C/XML/Libraries", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"]), .yum(["expat-devel"])]),
        .systemLibrary(
            name: "CWaymarkSQLiteLibrary", path: "Sources/C/SQLite/Library", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .target(
            name: "CWaymarkShaders", path: "Shaders",
            exclude: ["lib", "mesh.frag", "mesh.vert", "sky.frag", "sky.vert", "sprite.frag", "sprite.vert", "tile.frag", "tile.vert"]),
        .target(
            name: "CWaymarkGLES", path: "Sources/C/GLES",
            linkerSettings: [.linkedLibrary("m"), .linkedLibrary("dl")]),
        .target(
            name: "CWaymarkCodecs", dependencies: ["CWaymarkCodecLibraries"], path: "Sources/C/Codecs", exclude: ["Libraries"],
            linkerSettings: [.linkedLibrary("m"), .linkedLibrary("dl")]),
        .target(
            name: "CWaymarkJSON", path: "Sources/C/JSON", cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("m")]),
        .target(
            name: "CWaymarkBuild", path: "Sources/C/Build", cSettings: commit.isEmpty ? [] : [.define("WAYMARK_COMMIT", to: commit)]),
        .target(name: "CWaymarkPin", path: "Sources/C/Pin"),
        .target(name: "CWaymarkInterface", path: "Sources/C/Interface", exclude: ["libwaymark.map"]),
        .target(name: "CWaymarkPrefetch", path: "Sources/C/Prefetch"),
        .target(name: "CWaymarkProcess", path: "Sources/C/Process"),
        .target(name: "CWaymarkSQLite", dependencies: ["CWaymarkSQLiteLibrary"], path: "Sources/C/SQLite", exclude: ["Library"]),
        .target(name: "CWaymarkSystem", path: "Sources/C/System"),
        .target(name: "CWaymarkText", dependencies: ["CWaymarkTextLibraries"], path: "Sources/C/Text", exclude: ["Libraries"]),
        .target(name: "CWaymarkXML", dependencies: ["CWaymarkXMLLibrary"], path: "Sources/C/XML", exclude: ["Libraries"]),
        .target(
            name: "WaymarkSystem",
            dependencies: ["CWaymarkProcess", "CWaymarkSystem", .product(name: "SystemPackage", package: "swift-system")],
            path: "Sources/System"),
        .target(name: "WaymarkGeo", path: "Sources/Geo"),
        .target(name: "WaymarkImaging", dependencies: ["CWaymarkCodecs", "WaymarkSystem"], path: "Sources/Imaging"),
        .target(name: "WaymarkText", dependencies: ["CWaymarkText", "WaymarkSystem", "WaymarkImaging"], path: "Sources/Text"),
        .target(name: "WaymarkRaster", dependencies: ["WaymarkSystem", "WaymarkImaging"], path: "Sources/Raster"),
        .target(name: "WaymarkMeshes", path: "Sources/Meshes"),
        .target(name: "WaymarkTiles", dependencies: ["CWaymarkSQLite", "WaymarkSystem", "WaymarkImaging"], path: "Sources/Tiles"),
        .target(
            name: "WaymarkVectorTiles", dependencies: ["WaymarkSystem", "WaymarkImaging", "WaymarkRaster", "WaymarkTiles"],
            path: "Sources/VectorTiles"),
        .target(name: "WaymarkClustering", path: "Sources/Clustering"),
        .target(
            name: "WaymarkFrame", dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkRaster", "WaymarkTiles"], path: "Sources/Frame"),
        .target(
            name: "WaymarkScene",
            dependencies: ["WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkTiles", "WaymarkVectorTiles"],
            path: "Sources/Scene"),
        .target(
            name: "WaymarkSceneFiles",
            dependencies: [
                "CWaymarkJSON", "CWaymarkXML", "WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkTiles", "WaymarkVectorTiles",
                "WaymarkScene",
            ],
            path: "Sources/SceneFiles"),
        .target(
            name: "WaymarkLayout",
            dependencies: [
                "WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkRaster", "WaymarkMeshes", "WaymarkTiles",
                "WaymarkVectorTiles", "WaymarkClustering", "WaymarkFrame", "WaymarkScene",
            ],
            path: "Sources/Layout"),
        .target(
            name: "WaymarkInteraction", dependencies: ["WaymarkGeo", "WaymarkScene", "WaymarkLayout"], path: "Sources/Interaction"),
        .target(name: "WaymarkGPU", dependencies: ["CWaymarkGLES", "WaymarkSystem", "WaymarkImaging"], path: "Sources/GPU"),
        .target(
            name: "WaymarkRendering",
            dependencies: [
                "CWaymarkPrefetch", "CWaymarkShaders", "WaymarkSystem", "WaymarkImaging", "WaymarkRaster", "WaymarkTiles", "WaymarkFrame",
                "WaymarkGPU",
            ],
            path: "Sources/Rendering"),
        .target(
            name: "Waymark",
            dependencies: [
                "WaymarkSystem", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkTiles", "WaymarkVectorTiles", "WaymarkFrame",
                "WaymarkScene", "WaymarkSceneFiles", "WaymarkLayout", "WaymarkInteraction", "WaymarkGPU", "WaymarkRendering",
            ],
            path: "Sources/Waymark"),
        .target(
            name: "WaymarkBatch",
            dependencies: ["WaymarkSystem", "Waymark", "WaymarkGeo", "WaymarkSceneFiles", "WaymarkGPU"],
            path: "Sources/Batch"),
        .target(
            name: "WaymarkComparison", dependencies: ["WaymarkSystem", "Waymark", "WaymarkGeo", "WaymarkImaging", "WaymarkSceneFiles"],
            path: "Sources/Comparison"),
        // Imports Swift Testing and XCTest, so no program links it.
        .target(
            name: "WaymarkTesting",
            dependencies: [
                "CWaymarkPin", "WaymarkSystem", "Waymark", "WaymarkImaging", "WaymarkSceneFiles", "WaymarkComparison",
            ],
            path: "Sources/Testing"),
        .target(
            name: "WaymarkCInterface",
            dependencies: [
                "CWaymarkInterface", "Waymark", "WaymarkGeo", "WaymarkImaging", "WaymarkRendering", "WaymarkScene", "WaymarkSceneFiles",
            ],
            path: "Sources/CInterface"),
        .executableTarget(
            name: "WaymarkCommandLine",
            dependencies: [
                "CWaymarkBuild", "WaymarkSystem", "Waymark", "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkTiles",
                "WaymarkSceneFiles", "WaymarkGPU", "WaymarkBatch", "WaymarkComparison",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Program"])),
            ],
            path: "Sources/CommandLine"),
        // No product: the README shows it.
        .executableTarget(name: "CityHall", dependencies: ["Waymark"], path: "Examples/CityHall"),
        .target(name: "CWaymarkFreedMemory", path: "Tests/FreedMemory"),
        .target(
            name: "WaymarkTestSupport",
            dependencies: ["CWaymarkPin", "CWaymarkFreedMemory", "WaymarkGeo", "WaymarkImaging", "WaymarkTiles", "WaymarkScene"],
            path: "Tests/Support"),
        .target(
            name: "WaymarkPictureCases", dependencies: ["Waymark", "WaymarkFrame", "WaymarkLayout", "WaymarkComparison"],
            path: "Tests/PictureCases"),
        // No product: tools/pictures and tools/drivers build it.
        .executableTarget(
            name: "waymark-pictures",
            dependencies: ["Waymark", "WaymarkFrame", "WaymarkGPU", "WaymarkRendering", "WaymarkPictureCases", "WaymarkTestSupport"],
            path: "Tests/PictureTool"),
        // No product: tests and tools/sanitize-swift run it.
        .executableTarget(
            name: "waymark-stress",
            dependencies: [
                "Waymark", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles", "WaymarkTiles", "WaymarkVectorTiles",
                "WaymarkTestSupport",
            ],
            path: "Tests/Stress"),
        .testTarget(name: "SystemTests", dependencies: ["WaymarkSystem", "WaymarkTestSupport"]),
        .testTarget(name: "GeoTests", dependencies: ["WaymarkGeo", "WaymarkGPU", "WaymarkTestSupport"]),
        .testTarget(name: "ImagingTests", dependencies: ["WaymarkSystem", "WaymarkImaging", "WaymarkTestSupport"], exclude: ["Fixtures"]),
        .testTarget(name: "RasterTests", dependencies: ["WaymarkRaster", "WaymarkTestSupport"]),
        .testTarget(name: "MeshesTests", dependencies: ["WaymarkMeshes", "WaymarkTestSupport"]),
        .testTarget(name: "TilesTests", dependencies: ["WaymarkSystem", "WaymarkImaging", "WaymarkTiles", "WaymarkTestSupport"]),
        .testTarget(
            name: "VectorTilesTests", dependencies: ["WaymarkImaging", "WaymarkTiles", "WaymarkVectorTiles", "WaymarkTestSupport"],
            exclude: ["Fixtures", "oracle.py"]),
        .testTarget(name: "ClusteringTests", dependencies: ["WaymarkClustering", "WaymarkTestSupport"]),
        .testTarget(name: "TextTests", dependencies: ["WaymarkText", "WaymarkImaging", "WaymarkTestSupport"], exclude: ["Expected"]),
        .testTarget(
            name: "FrameTests", dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkTiles", "WaymarkFrame", "WaymarkTestSupport"]),
        .testTarget(
            name: "SceneTests", dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkTestSupport"],
            exclude: ["Fixtures", "scale-oracle.py"]),
        .testTarget(
            name: "SceneFilesTests",
            dependencies: ["WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles", "WaymarkTestSupport"]),
        .testTarget(
            name: "LayoutTests",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkText", "WaymarkRaster", "WaymarkMeshes", "WaymarkTiles", "WaymarkClustering",
                "WaymarkFrame", "WaymarkScene", "WaymarkLayout", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "InteractionTests",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkScene", "WaymarkLayout", "WaymarkInteraction", "WaymarkTestSupport",
            ]),
        .testTarget(name: "GPUTests", dependencies: ["WaymarkImaging", "WaymarkGPU", "WaymarkTestSupport"]),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "WaymarkGeo", "WaymarkImaging", "WaymarkRaster", "WaymarkFrame", "WaymarkGPU", "WaymarkRendering", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "WaymarkTests",
            dependencies: [
                "Waymark", "WaymarkRaster", "WaymarkTiles", "WaymarkVectorTiles", "WaymarkFrame", "WaymarkLayout", "WaymarkGPU",
                "WaymarkRendering", "WaymarkPictureCases", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "ComparisonTests",
            dependencies: ["Waymark", "WaymarkImaging", "WaymarkComparison", "WaymarkTestSupport"]),
        .testTarget(
            name: "TestingTests",
            dependencies: ["Waymark", "WaymarkImaging", "WaymarkComparison", "WaymarkTesting", "WaymarkTestSupport"],
            exclude: ["Pictures"]),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "WaymarkSystem", "Waymark", "WaymarkImaging", "WaymarkScene", "WaymarkSceneFiles", "WaymarkBatch", "WaymarkTestSupport",
            ]),
        .testTarget(
            name: "CInterfaceTests",
            dependencies: ["CWaymarkInterface", "WaymarkCInterface", "Waymark", "WaymarkImaging", "WaymarkTestSupport"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "WaymarkCommandLine", "WaymarkSystem", "Waymark", "WaymarkImaging", "WaymarkTiles", "WaymarkComparison", "WaymarkBatch",
                "WaymarkTestSupport", "waymark-stress",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Settings that make the tests compile faster. Optimization took a third of the time of a whole build. Only the tests that compute pictures
// pixel by pixel run faster with it, so only they are optimized. Verifying debug information took a fifth.
let optimized = ["RenderingTests", "WaymarkTests"]
for target in package.targets where target.type == .test {
    let flags = optimized.contains(target.name) ? [] : ["-Onone"]
    target.swiftSettings = [.unsafeFlags(flags + ["-Xfrontend", "-disable-round-trip-debug-types"])]
}

// `tools/test MODULE` builds the tests of that module alone, and only the modules that they need; tools/sanitize-swift names several modules,
// with commas between.
if let modules = Context.environment["WAYMARK_TEST_MODULE"] {
    let chosen = modules.split(separator: ",").map { "\($0)Tests" }
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}
