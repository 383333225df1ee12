import WaymarkSystem

/// The version of Waymark: that of the library, of the program (`waymark --version`, `waymark doctor`) and of the CHANGELOG.
public let waymarkVersion: String = libraryVersion
