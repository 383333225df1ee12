#!/usr/bin/python3
"""Prints what the tests of layout expect, by programs of HarfBuzz's and ICU's own: hb-shape (libharfbuzz-bin) over the packaged fonts, and
ICU's line breaks (python3-icu). Which run has which font, script and direction is written here by hand.

    Expected/make.py > ExpectedLayouts.swift
"""
import json
import subprocess
import unicodedata

import icu

NOTO = "/usr/share/fonts/truetype/noto/"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
SANS, ARABIC, HEBREW = "NotoSans-Regular.ttf", "NotoSansArabic-Regular.ttf", "NotoSansHebrew-Regular.ttf"

# name, text, language, runs from left to right: (font, script, "l" or "r", the run's text, and its place where that is not clear)
SHAPES = [
    ("latin", "Hello AVATAR", "en", [(SANS, "Latn", "l", "Hello AVATAR")]),
    ("ligatures", "fi ffl Å", "en", [(SANS, "Latn", "l", "fi ffl Å")]),
    ("hangul", "서울특별시청", "ko", [((CJK, 1), "Hang", "l", "서울특별시청")]),
    ("jamo", "\u1109\u1165\u110b\u116e\u11af", "ko", [((CJK, 1), "Hang", "l", "\u1109\u1165\u110b\u116e\u11af")]),
    ("hangul and digits", "강남역 2번", "ko", [((CJK, 1), "Hang", "l", "강남역 "), (SANS, "Hang", "l", "2"), ((CJK, 1), "Hang", "l", "번")]),
    ("japanese", "東京タワー、銀座", "ja", [((CJK, 0), "Hani", "l", "東京"), ((CJK, 0), "Kana", "l", "タワー、"), ((CJK, 0), "Hani", "l", "銀座")]),
    ("chinese", "北京市骨", "zh-Hans", [((CJK, 2), "Hani", "l", "北京市骨")]),
    ("thai", "กรุงเทพ น้ำ", "th", [("NotoSansThai-Regular.ttf", "Thai", "l", "กรุงเทพ น้ำ")]),
    ("khmer", "ភ្នំពេញ ខ្មែរ", "km", [("NotoSansKhmer-Regular.ttf", "Khmr", "l", "ភ្នំពេញ ខ្មែរ")]),
    ("devanagari", "हिन्दी क्षत्रिय", "hi", [("NotoSansDevanagari-Regular.ttf", "Deva", "l", "हिन्दी क्षत्रिय")]),
    ("burmese", "မြန်မာ", "my", [("NotoSansMyanmar-Regular.ttf", "Mymr", "l", "မြန်မာ")]),
    ("arabic", "القاهرة مَرْحَبًا لا", "ar", [(ARABIC, "Arab", "r", "القاهرة مَرْحَبًا لا")]),
    ("hebrew", "שָׁלוֹם ירושלים", "he", [(HEBREW, "Hebr", "r", "שָׁלוֹם ירושלים")]),
    ("hebrew in latin", "abc אבג 123 def", "en", [
        (SANS, "Latn", "l", "abc "), (SANS, "Hebr", "l", "123"), (HEBREW, "Hebr", "r", "אבג "), (SANS, "Hebr", "l", " ", 11),
        (SANS, "Latn", "l", "def")]),
    ("latin in arabic", "دبي abc مصر", "ar", [
        (ARABIC, "Arab", "r", "مصر"), (SANS, "Latn", "r", " ", 7), (SANS, "Latn", "l", "abc"), (ARABIC, "Arab", "r", "دبي ")]),
    ("override", "\u202eabc\u202c", "en", [(SANS, "Latn", "r", "\u202eabc\u202c")]),
    ("family", "👩‍👩‍👧‍👦", "ko", [("NotoColorEmoji.ttf", "Zyyy", "l", "👩‍👩‍👧‍👦")]),
    ("flag, skin, keycap", "🇰🇷👍🏽1️⃣❤️", "ko", [("NotoColorEmoji.ttf", "Zyyy", "l", "🇰🇷👍🏽1️⃣❤️")]),
    ("text presentation", "☎︎", "ko", [((CJK, 1), "Zyyy", "l", "☎︎")]),
]

BREAKS = [
    ("english", "The quick brown fox—jumps over “the” lazy dog's back-yard 1,000.00 $5 (a)"),
    ("korean", "서울특별시청 앞 광장(중구)과 덕수궁 돌담길, 2호선 시청역 12번 출구·A동"),
    ("korean punctuation", "“안녕하세요?” 그가 말했다. 3.14는 원주율…100%입니다!"),
    ("japanese", "東京タワーは「高い」です。ちょっと、1,000円ですよ！ファックス・ボックス"),
    ("chinese", "北京市朝阳区（人民）日报，中华人民共和国。“你好”世界！"),
    ("thai", "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย"),
    ("khmer", "ភ្នំពេញជារាជធានីនិងជាទីក្រុងធំបំផុតនៃប្រទេសកម្ពុជា"),
    ("lao", "ວຽງຈັນເປັນນະຄອນຫຼວງຂອງປະເທດລາວ"),
    ("burmese", "ရန်ကုန်မြို့သည်မြန်မာနိုင်ငံ၏အကြီးဆုံးမြို့ဖြစ်သည်"),
    ("devanagari", "नई दिल्ली भारत की राजधानी है। क्षत्रिय-वर्ग"),
    ("arabic", "القاهرة عاصمة جمهورية مصر العربية، و123 دبي"),
    ("hebrew", "ירושלים היא עיר-הבירה (של) ישראל"),
    ("emoji", "👩‍👩‍👧‍👦👍🏽🇰🇷🇯🇵1️⃣❤️ok"),
    ("glue", "a\u00a0b c\u2060d e\u200bf soft\u00adhyphen http://example.com/path?x=1"),
]


def is_hangul(character):
    return any(low <= ord(character) <= high for low, high in [
        (0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xD7B0, 0xD7FB)])


def is_in_korean_word(before, after):
    def is_letter(character):
        return is_hangul(character) or character.isdigit() or unicodedata.name(character, "").startswith("LATIN ")
    return (is_hangul(before) or is_hangul(after)) and is_letter(before) and is_letter(after)


def swift(text):
    return '"' + "".join(c if 0x20 < ord(c) < 0x7F and c not in '"\\' or c == " " else f"\\u{{{ord(c):X}}}" for c in text) + '"'


def shape(text, language, runs):
    glyphs = []
    pen = 0.0
    for font, script, direction, part, *place in runs:
        path, face = font if isinstance(font, tuple) else (NOTO + font, 0)
        start = place[0] if place else text.find(part)
        options = ["--font-file=" + path, f"--face-index={face}", "--script=" + script, f"--direction={direction}tr".replace("rtr", "rtl"),
                   "--language=" + language, "--remove-default-ignorables", "--utf8-clusters", "--output-format=json", "--no-glyph-names",
                   "--text-before=" + text[:start], "--text-after=" + text[start + len(part):], "--text=" + part]
        if start == 0:
            options.append("--bot")
        if start + len(part) == len(text):
            options.append("--eot")
        answer = json.loads(subprocess.run(["hb-shape"] + options, check=True, capture_output=True, text=True).stdout)
        units = 2048 if "Emoji" in path else 1000
        offset = len(text[:start].encode())
        for glyph in answer:
            glyphs.append((glyph["g"], glyph["cl"] + offset, pen + glyph["dx"] / units, glyph["dy"] / units))
            pen += glyph["ax"] / units
    return glyphs, pen


print("// Made by Expected/make.py with HarfBuzz's hb-shape and ICU's break iterator, without Waymark's code.\n")
print("/// Lengths in em.")
print("struct ExpectedShape {\n    let name: String\n    let text: String\n    let language: String\n    let width: Double")
print("    let glyphs: [(id: UInt32, cluster: UInt32, x: Double, y: Double)]\n}\n")
print("let expectedShapes: [ExpectedShape] = [")
for name, text, language, runs in SHAPES:
    glyphs, width = shape(text, language, runs)
    print(f'    ExpectedShape(\n        name: "{name}", text: {swift(text)}, language: "{language}", width: {round(width, 6)},\n        glyphs: [')
    for g, cluster, x, y in glyphs:
        print(f"            ({g}, {cluster}, {round(x, 6)}, {round(y, 6)}),")
    print("        ]),")
print("]\n")
print("/// The text between two possible line breaks, without trailing spaces.")
print("let expectedSegments: [(name: String, text: String, segments: [String])] = [")
for name, text in BREAKS:
    units = text.encode("utf-16-le")
    iterator = icu.BreakIterator.createLineInstance(icu.Locale.getRoot())
    iterator.setText(icu.UnicodeString(text))
    ends = list(iterator)
    segments, start = [], 0
    for end in ends:
        before, after = units[:end * 2].decode("utf-16-le"), units[end * 2:].decode("utf-16-le")
        if after and is_in_korean_word(before[-1], after[0]):
            continue
        segments.append(units[start * 2:end * 2].decode("utf-16-le").rstrip(" \u200b"))
        start = end
    print(f'    (\n        "{name}", {swift(text)},\n        [')
    for segment in segments:
        print(f"            {swift(segment)},")
    print("        ]\n    ),")
print("]")
