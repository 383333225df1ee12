/// The Noto files in the fixed order of fallback. An entry's index here is its index in every library, so it does not depend on the
/// installed fonts.
package enum NotoFonts {
    /// The Debian packages that contain the files.
    package static let packages = ["fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji"]

    /// One family, regular and bold.
    struct NotoFont {
        /// File names without weight and extension.
        let stem: String
        /// ISO 15924 tags of its scripts; empty for symbols, which are tried for every script.
        let scripts: [String]
        let coverage: Coverage

        enum Coverage: Equatable { case text, cjk(Variant), symbols, emoji }

        var isCJK: Bool {
            if case .cjk = coverage { true } else { false }
        }
    }

    /// The variants of Han characters, with their indices in the collection files.
    enum Variant: UInt32, CaseIterable {
        case japanese, korean, simplified, traditional, hongKong

        /// - Parameter language: A BCP 47 tag. Korean is used if it implies no variant.
        init(language: String) {
            let parts = language.lowercased().split { $0 == "-" || $0 == "_" }
            switch parts.first {
            case "ja": self = .japanese
            case "zh", "yue", "wuu", "cmn", "hak", "nan":
                if parts.contains("hk") || parts.contains("mo") {
                    self = parts.contains("hans") ? .simplified : .hongKong
                } else if parts.contains("hant") || (parts.contains("tw") && !parts.contains("hans")) {
                    self = .traditional
                } else {
                    self = parts.first == "yue" && !parts.contains("hans") ? .hongKong : .simplified
                }
            default: self = .korean
            }
        }

        /// The suffixes of the single-language files.
        var suffixes: (cjk: String, own: String) {
            switch self {
            case .japanese: ("jp", "JP")
            case .korean: ("kr", "KR")
            case .simplified: ("sc", "SC")
            case .traditional: ("tc", "TC")
            case .hongKong: ("hk", "HK")
            }
        }
    }

    static let entries: [NotoFont] =
        [NotoFont(stem: "NotoSans", scripts: ["Latn", "Grek", "Cyrl"], coverage: .text)]
        + perScript.map { NotoFont(stem: $0.0, scripts: $0.1.split(separator: " ").map(String.init), coverage: .text) }
        + Variant.allCases.map { NotoFont(stem: "NotoSansCJK", scripts: ["Hang", "Hani", "Hira", "Kana", "Bopo"], coverage: .cjk($0)) }
        + ["NotoSansSymbols", "NotoSansSymbols2", "NotoSansMath", "NotoMusic"].map { NotoFont(stem: $0, scripts: [], coverage: .symbols) }
        + [NotoFont(stem: "NotoColorEmoji", scripts: [], coverage: .emoji)]

    /// The scripts in use. The most common come first, and the others are ordered by name.
    private static let perScript: [(String, String)] = [
        ("NotoSansArabic", "Arab"), ("NotoSansHebrew", "Hebr"), ("NotoSansThai", "Thai"), ("NotoSansKhmer", "Khmr"),
        ("NotoSansDevanagari", "Deva"), ("NotoSansBengali", "Beng"), ("NotoSansTamil", "Taml"), ("NotoSansTelugu", "Telu"),
        ("NotoSansKannada", "Knda"), ("NotoSansMalayalam", "Mlym"), ("NotoSansGujarati", "Gujr"), ("NotoSansGurmukhi", "Guru"),
        ("NotoSansOriya", "Orya"), ("NotoSansSinhala", "Sinh"), ("NotoSansLao", "Laoo"), ("NotoSansMyanmar", "Mymr"),
        ("NotoSansGeorgian", "Geor"), ("NotoSansArmenian", "Armn"), ("NotoSansEthiopic", "Ethi"), ("NotoSerifTibetan", "Tibt"),
        ("NotoSansMongolian", "Mong"), ("NotoSansCanadianAboriginal", "Cans"), ("NotoSansCherokee", "Cher"), ("NotoSansThaana", "Thaa"),
        ("NotoSansSyriac", "Syrc"), ("NotoSansTifinagh", "Tfng"), ("NotoSansNKo", "Nkoo"), ("NotoSansYi", "Yiii"),
        ("NotoSansJavanese", "Java"), ("NotoSansBalinese", "Bali"), ("NotoSansAdlam", "Adlm"),
        ("NotoSansAnatolianHieroglyphs", "Hluw"), ("NotoSansAvestan", "Avst"), ("NotoSansBamum", "Bamu"),
        ("NotoSansBassaVah", "Bass"), ("NotoSansBatak", "Batk"), ("NotoSansBhaiksuki", "Bhks"), ("NotoSansBrahmi", "Brah"),
        ("NotoSansBuginese", "Bugi"), ("NotoSansBuhid", "Buhd"), ("NotoSansCarian", "Cari"), ("NotoSansCaucasianAlbanian", "Aghb"),
        ("NotoSansChakma", "Cakm"), ("NotoSansCham", "Cham"), ("NotoSansCoptic", "Copt"), ("NotoSansCuneiform", "Xsux"),
        ("NotoSansCypriot", "Cprt"), ("NotoSansDeseret", "Dsrt"), ("NotoSansDuployan", "Dupl"),
        ("NotoSansEgyptianHieroglyphs", "Egyp"), ("NotoSansElbasan", "Elba"), ("NotoSansElymaic", "Elym"),
        ("NotoSansGlagolitic", "Glag"), ("NotoSansGothic", "Goth"), ("NotoSansGrantha", "Gran"), ("NotoSansGunjalaGondi", "Gong"),
        ("NotoSansHanifiRohingya", "Rohg"), ("NotoSansHanunoo", "Hano"), ("NotoSansHatran", "Hatr"),
        ("NotoSansImperialAramaic", "Armi"), ("NotoSansIndicSiyaqNumbers", "Zyyy"), ("NotoSansInscriptionalPahlavi", "Phli"),
        ("NotoSansInscriptionalParthian", "Prti"), ("NotoSansKaithi", "Kthi"), ("NotoSansKayahLi", "Kali"),
        ("NotoSansKharoshthi", "Khar"), ("NotoSansKhojki", "Khoj"), ("NotoSansKhudawadi", "Sind"), ("NotoSansLepcha", "Lepc"),
        ("NotoSansLimbu", "Limb"), ("NotoSansLinearA", "Lina"), ("NotoSansLinearB", "Linb"), ("NotoSansLisu", "Lisu"),
        ("NotoSansLycian", "Lyci"), ("NotoSansLydian", "Lydi"), ("NotoSansMahajani", "Mahj"), ("NotoSansMandaic", "Mand"),
        ("NotoSansManichaean", "Mani"), ("NotoSansMarchen", "Marc"), ("NotoSansMasaramGondi", "Gonm"), ("NotoSansMayanNumerals", "Zyyy"),
        ("NotoSansMedefaidrin", "Medf"), ("NotoSansMeeteiMayek", "Mtei"), ("NotoSansMendeKikakui", "Mend"),
        ("NotoSansMeroitic", "Mero Merc"), ("NotoSansMiao", "Plrd"), ("NotoSansModi", "Modi"), ("NotoSansMro", "Mroo"),
        ("NotoSansMultani", "Mult"), ("NotoSansNabataean", "Nbat"), ("NotoSansNewTaiLue", "Talu"), ("NotoSansNewa", "Newa"),
        ("NotoSansNushu", "Nshu"), ("NotoSansOgham", "Ogam"), ("NotoSansOlChiki", "Olck"), ("NotoSansOldHungarian", "Hung"),
        ("NotoSansOldItalic", "Ital"), ("NotoSansOldNorthArabian", "Narb"), ("NotoSansOldPermic", "Perm"),
        ("NotoSansOldPersian", "Xpeo"), ("NotoSansOldSogdian", "Sogo"), ("NotoSansOldSouthArabian", "Sarb"),
        ("NotoSansOldTurkic", "Orkh"), ("NotoSansOsage", "Osge"), ("NotoSansOsmanya", "Osma"), ("NotoSansPahawhHmong", "Hmng"),
        ("NotoSansPalmyrene", "Palm"), ("NotoSansPauCinHau", "Pauc"), ("NotoSansPhagsPa", "Phag"), ("NotoSansPhoenician", "Phnx"),
        ("NotoSansPsalterPahlavi", "Phlp"), ("NotoSansRejang", "Rjng"), ("NotoSansRunic", "Runr"), ("NotoSansSamaritan", "Samr"),
        ("NotoSansSaurashtra", "Saur"), ("NotoSansSharada", "Shrd"), ("NotoSansShavian", "Shaw"), ("NotoSansSiddham", "Sidd"),
        ("NotoSansSignWriting", "Sgnw"), ("NotoSansSogdian", "Sogd"), ("NotoSansSoraSompeng", "Sora"), ("NotoSansSoyombo", "Soyo"),
        ("NotoSansSundanese", "Sund"), ("NotoSansSylotiNagri", "Sylo"), ("NotoSansTagalog", "Tglg"), ("NotoSansTagbanwa", "Tagb"),
        ("NotoSansTaiLe", "Tale"), ("NotoSansTaiTham", "Lana"), ("NotoSansTaiViet", "Tavt"), ("NotoSansTakri", "Takr"),
        ("NotoSansTamilSupplement", "Taml"), ("NotoSansTirhuta", "Tirh"), ("NotoSansUgaritic", "Ugar"), ("NotoSansVai", "Vaii"),
        ("NotoSansWancho", "Wcho"), ("NotoSansWarangCiti", "Wara"), ("NotoSansZanabazarSquare", "Zanb"), ("NotoSerifAhom", "Ahom"),
        ("NotoSerifDogra", "Dogr"), ("NotoSerifNyiakengPuachueHmong", "Hmnp"), ("NotoSerifTangut", "Tang"), ("NotoSerifYezidi", "Yezi"),
    ]
}

extension NotoFonts.NotoFont {
    /// The file names to look for, the best first, each with the index of the face in the file.
    func names(_ weight: FontWeight) -> [(name: String, face: UInt32)] {
        let weightName = weight == .bold ? "Bold" : "Regular"
        switch coverage {
        case .emoji: return weight == .regular ? [("\(stem).ttf", 0)] : []
        case .cjk(let variant):
            let suffixes = variant.suffixes
            return [
                ("NotoSansCJK-\(weightName).ttc", variant.rawValue), ("NotoSansCJK\(suffixes.cjk)-\(weightName).otf", 0),
                ("NotoSans\(suffixes.own)-\(weightName).otf", 0), ("NotoSans\(suffixes.own)-\(weightName).ttf", 0),
            ]
        case .text, .symbols: return [("\(stem)-\(weightName).ttf", 0), ("\(stem)-\(weightName).otf", 0)]
        }
    }

    /// The Debian package that contains the font.
    var package: String {
        switch coverage {
        case .cjk: "fonts-noto-cjk"
        case .emoji: "fonts-noto-color-emoji"
        case .text, .symbols: "fonts-noto-core"
        }
    }
}
