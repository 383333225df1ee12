import CWaymarkInterface
import Foundation
import Waymark
import WaymarkImaging
import WaymarkSceneFiles

/// The location for a text that the caller frees.
typealias TextOutput = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Runs the body of an interface function. Returns the code of an error and, if the caller requested it, writes its sentence.
func call(_ message: TextOutput?, _ body: () throws(Failure) -> Void) -> Int32 {
    message?.pointee = nil
    do throws(Failure) {
        try body()
        return Int32(WAYMARK_OK.rawValue)
    } catch {
        message?.pointee = copy(error.description)
        return Int32(error.code.rawValue)
    }
}

/// A copy of a text, which `waymark_free` frees. Zeros inside the text become U+FFFD, because they would end it in C.
func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    strdup(text.contains("\0") ? text.replacingOccurrences(of: "\0", with: "\u{FFFD}") : text)
}

/// The pointer for a result, which must not be null.
func output<Value>(_ pointer: UnsafeMutablePointer<Value>?, _ name: String) throws(Failure) -> UnsafeMutablePointer<Value> {
    guard let pointer else { throw Failure(.usage, "\(name) is NULL") }
    return pointer
}

/// The object of a handle.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type, _ name: String) throws(Failure) -> Object {
    guard let handle else { throw Failure(.usage, "\(name) is NULL") }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// A handle of an object, which `destroy` releases.
func handle(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

func destroy<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// The options of a caller that may know fewer fields than this library; the remaining fields are 0.
/// - Parameter zeros: Options with all fields 0.
func options<Options>(
    _ pointer: UnsafePointer<Options>?, _ size: KeyPath<Options, Int>, zeros: Options, _ name: String
) throws(Failure) -> Options {
    guard let pointer else { return zeros }
    let known = MemoryLayout<Options>.size
    let given = UnsafeRawPointer(pointer).load(as: Int.self)
    guard given >= MemoryLayout<Int>.size, given <= 4096 else {
        throw Failure(.usage, "\(name).struct_size is \(given); set it to sizeof(*\(name))")
    }
    var options = zeros
    withUnsafeMutableBytes(of: &options) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(given, known)))
    }
    return options
}

/// A Boolean of the options.
func flag(_ value: Int32, _ name: String) throws(Failure) -> Bool {
    guard value == 0 || value == 1 else { throw Failure(.usage, "\(name): \(value) is neither 0 nor 1") }
    return value == 1
}

/// A JSON array of sentences.
func list(_ warnings: [Diagnostic]) -> String {
    JSONText.array(warnings.map { .string($0.description) }).text
}
