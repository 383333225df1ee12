import Waymark

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// The place in the tests' sources where something is expected.
struct TestLocation {
    var fileID: StaticString
    var filePath: StaticString
    var line: UInt
    var column: UInt

    /// The call, and the running test, if its library reports it.
    var description: String {
        #if canImport(Testing)
            if let test = Test.current { return "\(fileID):\(line) in \(test.name)" }
        #endif
        return "\(fileID):\(line)"
    }

    /// Reports a failure to the library that runs the test: Swift Testing or XCTest.
    func fail(_ message: String) {
        #if canImport(Testing)
            guard Test.current == nil else {
                Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
                return
            }
        #endif
        #if canImport(XCTest)
            XCTFail(message, file: filePath, line: line)
        #else
            preconditionFailure(message, file: filePath, line: line)
        #endif
    }

    /// Attaches a file to the test, if its library supports attachments.
    func attach(_ bytes: [UInt8], named name: String) {
        #if canImport(Testing) && compiler(>=6.2)
            if Test.current != nil { Attachment.record(bytes, named: name, sourceLocation: sourceLocation) }
        #endif
    }

    #if canImport(Testing)
        private var sourceLocation: SourceLocation {
            SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
        }
    #endif
}
