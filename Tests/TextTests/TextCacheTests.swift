import Foundation
import Testing
import WaymarkImaging
import WaymarkText

/// The cached data and their lifetime; cached and new data are the same.
@Suite(.serialized) struct TextCacheTests {
    @Test func equalRequestsShareALayout() throws {
        let library = try FontLibrary(.system)
        let request = TextRequest(text: "서울", size: 12)
        let layout = library.layout(request)
        #expect(library.layout(request) === layout)
        #expect(library.shapings == 1)
        var others = Array(repeating: request, count: 6)
        others[0].size = 13
        others[1].weight = .bold
        others[2].language = "ja"
        others[3].wrapWidth = 50
        others[4].family = "Noto Serif"
        others[5].wrapping = .greedy
        for other in others { #expect(library.layout(other) !== layout) }
        #expect(library.shapings == 7)
    }

    @Test func layoutsAreEvictedInTheOrderOfTheirUse() throws {
        let library = try FontLibrary(.system)
        let kept = library.layout(TextRequest(text: "kept", size: 12))
        for index in 0..<500 {
            _ = library.layout(TextRequest(text: "caption \(index)", size: 12))
            #expect(library.layout(kept.request) === kept)
            let excess = library.keptBytes - 100_000
            if excess > 0 { library.evict(through: .max, bytes: excess) }
            #expect(library.keptBytes <= 100_000)
        }
        #expect(library.keptBytes > 50_000)
        #expect(library.shapings == 501)
        library.evict(through: .max, bytes: .max)
        #expect(library.keptBytes == 0 && library.layout(kept.request) !== kept)
    }

    @Test func glyphsAreBounded() {
        for size in 1...400 {
            let block = TextBlock(parts: [
                .init(
                    layout: layout("Waymark 서울", size: Double(size)), pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 2)
            ])
            _ = block.bitmap(in: block.ink().clipped)
            #expect(FontLibrary.glyphBytes <= CacheBudget.defaultByteLimit / 4)
        }
    }

    /// The same bytes again, from a cold cache, another library and eight concurrent threads.
    @Test func theSameBytesHoweverTheyCome() async throws {
        let request = TextRequest(text: "Waymark 서울 القاهرة 🍎 नई दिल्ली", size: 17, wrapWidth: 90)
        @Sendable func picture(_ library: FontLibrary) -> [UInt8] {
            let block = TextBlock(parts: [
                .init(layout: library.layout(request), pixelsPerPoint: 1.7, color: .black, haloColor: .white, haloRadius: 1.7)
            ])
            let ink = library.ink(of: block, boxWidth: 150, phase: 2)
            return library.bitmap(of: block, boxWidth: 150, phase: 2, in: ink).pixels
        }
        let first = picture(library)
        #expect(first == picture(library))
        let other = try FontLibrary(.system)
        let all = await withTaskGroup(of: [UInt8].self) { group in
            for index in 0..<8 { group.addTask { picture(index % 2 == 0 ? other : library) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.allSatisfy { $0 == first })
        // After other requests in another order.
        let third = try FontLibrary(.system)
        for text in ["🍎", "서울", "ไทย", "abc"] { _ = third.layout(TextRequest(text: text, size: 12)) }
        #expect(picture(third) == first)
    }
}
