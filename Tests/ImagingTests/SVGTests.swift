import Glibc
import Testing
import WaymarkImaging
import WaymarkSystem
import WaymarkTestSupport

@Suite struct SVGTests {
    static func svg(_ content: String, _ attributes: String = "width='16' height='16'") -> [UInt8] {
        let names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
        return Array("<svg \(names) \(attributes)>\(content)</svg>".utf8)
    }

    static let square = "<rect width='100%' height='100%' fill='#ff0000'/>"

    @Test(
        arguments: [
            ("width='10' height='20'", 10, 20), ("width='1in' height='2cm'", 96, 75.5905), ("viewBox='0 0 24 32'", 24, 32),
            ("viewBox='0 0 24 32' width='48'", 48, 64), ("viewBox='0 0 24 32' height='1in'", 72, 96),
            ("width='12.5pt' height='10'", 16.6666, 10), ("", 300, 150),
            ("width='100%' height='100%' viewBox='5 5 30 40'", 30, 40),
        ] as [(String, Double, Double)])
    func hasTheSizeItAsksFor(attributes: String, width: Double, height: Double) throws {
        let bytes = Self.svg(Self.square, attributes)
        let image = try SVGImage(bytes)
        #expect(abs(image.width - width) < 0.001 && abs(image.height - height) < 0.001, "\(image.width) × \(image.height)")
        let bitmap = try Bitmap(decoding: bytes)
        #expect(bitmap.width == Int(image.width.rounded(.up)) && bitmap.height == Int(image.height.rounded(.up)))
    }

    /// The left half is red, the right one blue at half alpha: edges fall between pixels at every even width.
    @Test(arguments: [(24, 24), (48, 48), (72, 72), (2, 1), (30, 17), (500, 40)])
    func isSharpAtEverySize(width: Int, height: Int) throws {
        let content = "<rect width='12' height='24' fill='#ff0000'/><rect x='12' width='12' height='24' fill='#0000ff' fill-opacity='.5'/>"
        for attributes in ["width='24' height='24'", "viewBox='0 0 24 24'", "width='24' height='24' viewBox='0 0 24 24'"] {
            let bitmap = try SVGImage(Self.svg(content, attributes)).rendered(width: width, height: height)
            #expect(bitmap.width == width && bitmap.height == height)
            for y in [0, height - 1] {
                for x in 0..<width {
                    let expected: Bitmap.Pixel =
                        x < width / 2 ? .init(red: 255, green: 0, blue: 0, alpha: 255) : .init(red: 0, green: 0, blue: 128, alpha: 128)
                    #expect(bitmap[x, y] == expected, "\(x), \(y)")
                }
            }
        }
    }

    @Test func keepsToTheLimits() throws {
        let limits = ImageLimits(width: 50)
        let image = try SVGImage(Self.svg(Self.square))
        #expect(throws: ImagingError(.tooLarge(width: 51, height: 2, limits: limits), format: "SVG")) {
            try image.rendered(width: 51, height: 2, limits: limits)
        }
        #expect(throws: ImagingError(.tooLarge(width: 60_000, height: 60_000, limits: ImageLimits()), format: "SVG")) {
            try Bitmap(decoding: Self.svg("", "width='60000' height='60000'"))
        }
        for attributes in ["width='1e30' height='1e30'", "width='0' height='5'", "viewBox='0 0 0 5'"] {
            #expect(throws: ImagingError.self) { try Bitmap(decoding: Self.svg(Self.square, attributes)) }
        }
    }

    @Test func aLongOneIsRefused() {
        let bytes = Self.svg("<!--\(String(repeating: "x", count: 50 << 20))-->")
        let error = #expect(throws: ImagingError.self) { try Bitmap(decoding: bytes) }
        #expect(error?.description == "the SVG is larger than 8 MiB")
    }

    @Test func followsNoReferences() throws {
        let folder = ScratchFolder()
        let path = "\(folder.path)/secret.png"
        try Bitmap(width: 16, height: 16, fill: .red).write(to: path)
        try WholeFile.write(Self.svg(Self.square), to: "\(folder.path)/secret.svg")
        for url in [path, "file://\(path)", "http://127.0.0.1:9/secret.png", "\(folder.path)/secret.svg#x"] {
            for content in [
                "<image width='16' height='16' xlink:href='\(url)'/>", "<use xlink:href='\(url)'/>",
                "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(url)' parse='xml'/>",
                "<style>@import url('\(url)');</style>",
                "<filter id='f'><feImage xlink:href='\(url)'/></filter><rect width='16' height='16' filter='url(#f)'/>",
            ] {
                if let bitmap = try? Bitmap(decoding: Self.svg(content)) { #expect(bitmap == Bitmap(width: 16, height: 16)) }
            }
            let entity = Array("<!DOCTYPE svg [<!ENTITY e SYSTEM '\(url)'>]>".utf8) + Self.svg("<text y='9'>&e;</text>")
            if let bitmap = try? Bitmap(decoding: entity) { #expect(bitmap == Bitmap(width: 16, height: 16)) }
        }
    }

    @Test(arguments: ["g", "svg", "a", "switch", "symbol", "x:g"])
    func aMillionNestedElementsAreRefused(name: String) {
        // Several times over the limit already where it fits the 8 MiB.
        let count = name == "g" ? 1_000_000 : 100_000
        let nested = String(repeating: "<\(name)>", count: count) + String(repeating: "</\(name)>", count: count)
        let error = ImagingError(.undrawable(message: "its elements are nested too deeply"), format: "SVG")
        #expect(throws: error) { try Bitmap(decoding: Self.svg(nested)) }
    }

    /// As deep as it may be, with everything that makes librsvg's frames large, on a thread with the smallest of stacks.
    @Test func asDeepAsAllowedIsDrawn() throws {
        let group = "<g opacity='.99' filter='url(#f)' clip-path='url(#c)' mask='url(#m)' style='mix-blend-mode:multiply'>"
        let definitions = """
            <filter id='f'><feOffset dx='0'/></filter><clipPath id='c'><rect width='16' height='16'/></clipPath>
            <mask id='m'><rect width='16' height='16' fill='white'/></mask>
            """
        let depth = 126
        let bytes = Self.svg(
            definitions + String(repeating: group, count: depth) + Self.square + String(repeating: "</g>", count: depth))
        let result = onSmallThread { Result { try Bitmap(decoding: bytes) } }
        #expect(try result.get()[8, 8].red > 0)
    }

    /// References lead from element to element as deep as elements nest, and each has to fit the stack that was reserved.
    @Test(arguments: ["use", "pattern", "mask", "marker", "clipPath"], [100, 1000])
    func chainsOfReferencesFitTheStack(kind: String, count: Int) throws {
        let links = (0..<count).map { index -> String in
            let next = "url(#i\(index + 1))"
            return switch kind {
            case "use": "<use id='i\(index)' xlink:href='#i\(index + 1)'/>"
            case "pattern": "<pattern id='i\(index)' width='1' height='1'><rect width='16' height='16' fill='\(next)'/></pattern>"
            case "mask": "<mask id='i\(index)'><rect width='16' height='16' fill='white' mask='\(next)'/></mask>"
            case "marker": "<marker id='i\(index)'><path d='M0,0L9,9' stroke='red' marker-end='\(next)'/></marker>"
            default: "<clipPath id='i\(index)'><rect width='16' height='16' clip-path='\(next)'/></clipPath>"
            }
        }
        let start = kind == "use" ? "<use xlink:href='#i0'/>" : "<path d='M0,0L9,9' fill='url(#i0)' mask='url(#i0)' marker-end='url(#i0)'/>"
        let end = "<rect id='i\(count)' width='16' height='16'/>"
        let bytes = Self.svg("<defs>\(links.joined())\(end)</defs>" + start)
        // Drawn, or refused in bounded time: not crashed.
        do throws(ImagingError) {
            _ = try Bitmap(decoding: bytes)
        } catch {
            #expect(!error.description.contains("crash"), "\(error)")
        }
    }

    @Test func tooLongChainsAreRefused() {
        let links = (0..<60_000).map { "<g><g><g><use id='i\($0)' xlink:href='#i\($0 + 1)'/></g></g></g>" }
        let error = ImagingError(.undrawable(message: "its elements are nested too deeply"), format: "SVG")
        #expect(throws: error) { try Bitmap(decoding: Self.svg(links.joined() + "<use xlink:href='#i0'/>")) }
    }

    @Test(arguments: [60, 1000, 100_000])
    func nestedSelectorsAreBounded(count: Int) {
        let selector = String(repeating: ":not(", count: count) + "g" + String(repeating: ")", count: count)
        for style in ["<style>\(selector){fill:red}</style>", "<style><![CDATA[\(selector){fill:red}]]></style>"] {
            let result = Result { try Bitmap(decoding: Self.svg(style + Self.square)) }
            if count > 64 {
                let error = ImagingError(.undrawable(message: "its style sheet has too many nested parentheses"), format: "SVG")
                #expect(throws: error) { try result.get() }
            } else {
                #expect(throws: Never.self) { try result.get() }
            }
        }
    }

    /// librsvg 2.54 ends its process on these; ours lives on.
    @Test(.needsHelper) func survivesWhatLibrsvgDoesNot() throws {
        let matrix = String(repeating: "1 ", count: 2500)
        for content in [
            "<filter id='f'><feConvolveMatrix order='50' kernelMatrix='\(matrix)'/></filter><rect width='16' height='16' filter='url(#f)'/>",
            "<text font-size='1e30'>x</text><text font-size='100000' x='-9e4'>xW</text>",
        ] {
            if let bitmap = try? Bitmap(decoding: Self.svg(content)) { #expect(bitmap.width == 16) }
        }
        #expect(try Bitmap(decoding: Self.svg(Self.square)) == Bitmap(width: 16, height: 16, fill: .red))
    }

    @Test(.needsHelper) func aBombIsDefused() throws {
        // Two billion octaves per pixel would take hours.
        let turbulence = "<feTurbulence numOctaves='2000000000' baseFrequency='.1'/>"
        let filter = "<filter id='f'>\(turbulence)</filter><rect width='16' height='16' filter='url(#f)'/>"
        #expect(throws: ImagingError(.undrawable(message: "drawing takes too long"), format: "SVG")) {
            try Bitmap(decoding: Self.svg(filter))
        }
        let laughs = (1..<10).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
        let bytes = Array("<!DOCTYPE svg [<!ENTITY e0 'ha'>\(laughs)]>".utf8) + Self.svg("<text>&e9;</text>")
        #expect(throws: ImagingError.self) { try Bitmap(decoding: bytes) }
    }

    @Test(.needsHelper) func survivesRandomDamage() {
        var random = SplitMix64(seed: 9)
        let content = "<g transform='rotate(4)'><path d='M0 0 L9 9 A 4 4 0 1 0 3 3 Z' stroke='red'/></g><style>rect{fill:red}</style>"
        let bytes = Self.svg(content + Self.square, "viewBox='0 0 16 16'")
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<2 { damaged[Int.random(in: 5..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random) }
            if let bitmap = try? Bitmap(decoding: damaged, limits: ImageLimits(pixels: 1 << 18)) { #expect(!bitmap.pixels.isEmpty) }
        }
    }

    /// A crash in between changes no picture, and a thread of this process draws the same picture.
    @Test(.needsHelper) func picturesDependOnNothingDrawnBefore() throws {
        let text = Self.svg("<text y='12' font-size='12'>Aß</text>")
        let first = try Bitmap(decoding: text)
        let matrix = String(repeating: "1 ", count: 2500)
        let crash =
            "<filter id='f'><feConvolveMatrix order='50' kernelMatrix='\(matrix)'/></filter><rect width='16' height='16' filter='url(#f)'/>"
        for round in 0..<10 {
            _ = try? Bitmap(decoding: Self.svg(round % 3 == 0 ? crash : Self.square))
            #expect(try Bitmap(decoding: text) == first)
        }
        let onThread = try SVGImage(text, helpers: HelperPool { [] }).rendered(width: 16, height: 16)
        #expect(onThread == first)
    }

    @Test func drawsWithoutAHelper() throws {
        let none = HelperPool { [] }
        let image = try SVGImage(Self.svg(Self.square), helpers: none)
        #expect(image.width == 16 && image.height == 16)
        #expect(try image.rendered(width: 40, height: 20) == Bitmap(width: 40, height: 20, fill: .red))
        let error = #expect(throws: ImagingError.self) { try SVGImage(Self.svg("<rect"), helpers: none) }
        #expect(error?.description.hasPrefix("the SVG data is damaged: ") == true)
    }

    @Test func saysWhichHelperIsNone() {
        let pool = HelperPool(choices: { ["/bin/true"] }, named: { "/bin/true" })
        let error = #expect(throws: ImagingError.self) { try SVGImage(Self.svg(Self.square), helpers: pool) }
        #expect(
            error?.description
                == "the SVG cannot be drawn: WAYMARK_HELPER names /bin/true, which is not waymark version \(libraryVersion)")
    }

    @Test func saysWhichPackageIsMissing() {
        let error = ImagingError(.missingLibrary(package: "librsvg2-2"), format: "SVG")
        #expect(error.description == "SVG images need the package librsvg2-2, which is not installed")
    }

    private static let region = "id='f' x='-1' y='-1' width='3' height='3'"

    /// A square with a filter, which reaches far beyond it.
    private static func filtered(_ filter: String, _ before: String = "", attributes: String = region) -> [UInt8] {
        svg("\(before)<filter \(attributes)>\(filter)</filter><rect x='4' y='4' width='6' height='6' fill='#08f' filter='url(#f)'/>")
    }

    /// The primitives by which the specification defines `feDropShadow`.
    private static func shadow(
        _ input: String, dx: String = "2", dy: String = "2", deviation: String = "2", flood: String = "", merge: String = "",
        all: String = ""
    ) -> String {
        "<feGaussianBlur \(all) in='\(input)' stdDeviation='\(deviation)'/><feOffset \(all) dx='\(dx)' dy='\(dy)' result='b'/>"
            + "<feFlood \(all) \(flood)/><feComposite \(all) in2='b' operator='in'/>"
            + "<feMerge \(all) \(merge)><feMergeNode/><feMergeNode in='\(input)'/></feMerge>"
    }

    @Test func feDropShadowIsReplacedByBlurOffsetFloodAndMerge() throws {
        let graphic = "SourceGraphic"
        let cases: [(String, String)] = [
            ("<feDropShadow/>", Self.shadow(graphic)),
            ("<feDropShadow dx='3' dy=\"-1\" stdDeviation='0.5'/>", Self.shadow(graphic, dx: "3", dy: "-1", deviation: "0.5")),
            (
                "<feDropShadow in='SourceAlpha' stdDeviation='1 3' flood-color='red' flood-opacity='.5'/>",
                Self.shadow("SourceAlpha", deviation: "1 3", flood: "flood-color='red' flood-opacity='.5'")
            ),
            (
                "<feDropShadow style='flood-color:red' color-interpolation-filters='sRGB' x='2' y='2' width='9' height='9'></feDropShadow>",
                Self.shadow(
                    graphic, flood: "style='flood-color:red'", merge: "x='2' y='2' width='9' height='9'",
                    all: "color-interpolation-filters='sRGB'")
            ),
            // Attributes that a drop shadow does not have.
            ("<feDropShadow in2='x' operator='out' edgeMode='wrap' k1='2'/>", Self.shadow(graphic)),
            // The input is the previous primitive, and the result has a name.
            (
                "<feOffset dx='1'/><feDropShadow result='r'><animate attributeName='dx'/></feDropShadow><feFlood/><feBlend in2='r'/>",
                "<feOffset dx='1' result='i'/>" + Self.shadow("i", merge: "result='r'") + "<feFlood/><feBlend in2='r'/>"
            ),
            (
                "<feDropShadow/><feDropShadow dx='-2'/>",
                "<feOffset result='i'/>" + Self.shadow("i", merge: "result='j'") + Self.shadow("j", dx: "-2")
            ),
        ]
        for (filter, equivalent) in cases {
            let drawn = try Bitmap.decode(Self.filtered(filter))
            #expect(try drawn.bitmap == Bitmap(decoding: Self.filtered(equivalent)), "\(filter)")
            #expect(drawn.bitmap[6, 6].alpha == 255 || filter.contains("<feFlood"))
            #expect(drawn.warnings.isEmpty)
        }
        // By class, by id, and with a prefix.
        let style = "<style>.s, #d { flood-color: red }</style>"
        let expected = try Bitmap(decoding: Self.filtered(Self.shadow(graphic, flood: "flood-color='red'")))
        for filter in ["<feDropShadow class='s'/>", "<feDropShadow id='d'/>"] {
            #expect(try Bitmap(decoding: Self.filtered(filter, style)) == expected)
        }
        let filter = "<s:filter xmlns:s='http://www.w3.org/2000/svg' \(Self.region)><s:feDropShadow flood-color='red'/></s:filter>"
        let rect = "<rect x='4' y='4' width='6' height='6' fill='#08f' filter='url(#f)'/>"
        #expect(try Bitmap(decoding: Self.svg(filter + rect)) == expected)
    }

    @Test func whatIsNoDropShadowOfAFilterStays() throws {
        // In a comment, as text, and outside of a filter.
        for content in [
            "<!-- <filter><feDropShadow/></filter> -->", "<text>filter feDropShadow</text>", "<feDropShadow/>",
            "<filter><g><feDropShadow/></g></filter>", "<desc><![CDATA[<filter><feDropShadow/></filter>]]></desc>",
        ] {
            let (bitmap, warnings) = try Bitmap.decode(Self.svg(content + Self.square))
            #expect(bitmap == Bitmap(width: 16, height: 16, fill: .red) && warnings.isEmpty, "\(content)")
        }
        // Syntax errors are librsvg's.
        for tag in ["<feDropShadow dx=3/>", "<feDropShadow dx='3", "<feDropShadow dx/>", "<feDropShadow", "<feDropShadow>"] {
            #expect(throws: ImagingError.self) { try Bitmap(decoding: Self.filtered(tag)) }
        }
    }

    @Test func unknownFilterPrimitivesCauseAWarning() throws {
        func warnings(_ filter: String) throws -> [String] { try Bitmap.decode(Self.filtered(filter)).warnings }
        #expect(
            try warnings("<feOffset/><feGlow/><x:feGlow xmlns:x='x:'/><feMerge><feMergeNode/></feMerge><feature/><desc/>") == [
                "librsvg does not know the filter primitive feGlow and skips it"
            ])
        #expect(try warnings("<feDropshadow/><feA/><feB/><feC/><feD/><feE/>").count == 4)
        #expect(try Bitmap.decode(Self.svg("<feGlow/>")).warnings.isEmpty)
    }

    @Test func tooManyDropShadowsAreRefused() {
        let error = ImagingError(.undrawable(message: "it has too many drop shadows"), format: "SVG")
        #expect(throws: error) { try Bitmap(decoding: Self.filtered(String(repeating: "<feDropShadow/>", count: 40_000))) }
    }

    @Test func manyAtOnce() async throws {
        let bytes = Self.svg(Self.square)
        try await withThrowingTaskGroup(of: Bitmap.self) { group in
            for _ in 0..<30 { group.addTask { try Bitmap(decoding: bytes) } }
            for try await bitmap in group { #expect(bitmap == Bitmap(width: 16, height: 16, fill: .red)) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// For SVGs that would crash the tests or keep a thread busy. `tools/test ROOM` does not build the program.
    static var needsHelper: Self {
        .enabled("needs the waymark program next to the tests") { HelperPool.shared.hasProgram(for: SVGImage.work) }
    }
}

/// Runs `body` on a thread of 64 KiB of stack.
private func onSmallThread<Value>(_ body: @escaping () -> Value) -> Value {
    var value: Value?
    let box = Work { value = body() }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 64 << 10)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let result = pthread_create(
        &thread, &attributes,
        { argument in
            Unmanaged<Work>.fromOpaque(argument!).takeUnretainedValue().body()
            return nil
        }, Unmanaged.passUnretained(box).toOpaque())
    precondition(result == 0, "cannot make a thread")
    pthread_join(thread, nil)
    return value!
}

private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}
