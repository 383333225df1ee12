import Testing
import WaymarkScene

@Suite struct CivilTimeTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1970-01", 0), ("1969-12-31", -86_400), ("2000-02-29", 951_782_400), ("2024-05-17T08:30", 1_715_934_600),
        ("2024-05-17 08:30:00.25", 1_715_934_600.25), ("2024-05-17T08:30:00Z", 1_715_934_600),
        ("2024-05-17T10:30:00+02:00", 1_715_934_600), ("2024-05-17T03:00:00-0530", 1_715_934_600), ("2024-05-17T10:30+02", 1_715_934_600),
        ("2024/05/17", 1_715_904_000), ("2024/05/17 08:30:00", 1_715_934_600), ("0001-01-01", -62_135_596_800),
    ])
    func datesAreRead(text: String, seconds: Double) { #expect(CivilTime.seconds(of: text) == seconds) }

    @Test(arguments: [
        "", "2024", "24-05-17", "2024-13", "2024-00-10", "2024-04-31", "2023-02-29", "2024-05-17T", "2024-05-17T25:00", "2024-05-17T08:61",
        "2024-05-17T08:30:61", "2024-05-17T08:30:00.", "2024-05-17T08:30X", "2024-05-17T08:30Zulu", "2024-05-17T08:30+2",
        "2024-05-17T08:30+02:", "2024/05", "2024-05/17", "2024-05-17 ", " 2024-05-17", "2024-5-17", "soon",
    ])
    func otherTextsAreNot(text: String) { #expect(CivilTime.seconds(of: text) == nil) }

    /// Every day of several centuries is one day after the day before.
    @Test func daysFollowOneAnother() throws {
        var before = try #require(CivilTime(seconds: -86_400 * 80_000))
        for day in -79_999...80_000 {
            let time = try #require(CivilTime(seconds: Double(day) * 86_400))
            #expect(time.seconds == Double(day) * 86_400 && time.hour == 0 && time.minute == 0 && time.second == 0)
            let isNext = time.day == before.day + 1 && time.month == before.month && time.year == before.year
            let isNextMonth = time.day == 1 && before.day >= 28 && (time.year * 12 + time.month) == before.year * 12 + before.month + 1
            #expect(isNext || isNextMonth, "\(time)")
            before = time
        }
    }

    @Test func timesAreRoundedDown() throws {
        let time = try #require(CivilTime(seconds: -0.5))
        #expect(time.year == 1969 && time.month == 12 && time.day == 31 && time.hour == 23 && time.minute == 59 && time.second == 59)
        #expect(CivilTime(seconds: 1e12) == nil && CivilTime(seconds: .infinity) == nil)
    }
}
