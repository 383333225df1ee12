import WaymarkSystem

/// The version of Waymark, shared by the library, the program (`waymark --version`, `waymark doctor`) and the CHANGELOG.
public let waymarkVersion: String = libraryVersion
