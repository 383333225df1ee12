import Foundation

/// A folder of fonts, as `doctor` tells of it.
struct FontFolder: Encodable {
    let path: String
    /// Font files in it and its sub-folders.
    let files: Int
    /// Of them, those of the Noto families, which cover every script.
    let notoFiles: Int

    /// The folders that exist where fonts usually are.
    static func all(environment: [String: String] = ProcessInfo.processInfo.environment) -> [FontFolder] {
        let home = environment["HOME"]
        let data = environment["XDG_DATA_HOME"] ?? home.map { "\($0)/.local/share" }
        let candidates =
            ["/usr/share/fonts", "/usr/local/share/fonts"] + [data.map { "\($0)/fonts" }, home.map { "\($0)/.fonts" }].compactMap { $0 }
        return candidates.compactMap(FontFolder.init)
    }

    /// nil when there is no such folder.
    private init?(path: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return nil }
        self.path = path
        let names = (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [])
            .map { ($0 as NSString).lastPathComponent }
            .filter { ["ttf", "otf", "ttc"].contains(($0 as NSString).pathExtension.lowercased()) }
        files = names.count
        notoFiles = names.count { $0.hasPrefix("Noto") }
    }
}
