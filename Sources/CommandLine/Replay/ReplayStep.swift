import Waymark
import WaymarkSceneFiles

/// An event that was sent to a map, and the calls that it caused.
struct ReplayStep {
    let event: PointerEvent
    /// The JSON of the event: its index, the event itself, the ground position where it happens or begins, the objects hit there, and the
    /// object that consumed the tap, if any.
    let head: JSONText
    /// The JSON of each call, which begins with the index of the event.
    let calls: [JSONText]

    /// Sends an event to a map.
    /// - Parameter log: The map's delegate.
    init(_ number: Int, _ event: PointerEvent, _ mapView: MapView, _ log: CallbackLog) {
        self.event = event
        var fields: [(String, JSONText)] = [
            ("event", .integer(number)), event.field, ("coordinate", mapView.geoCoordinates(from: event.start)?.json ?? .null),
            ("hits", .array(mapView.hits(at: event.start).map(\.json))),
        ]
        if let consumer = mapView.send(event) { fields.append(("consumedBy", consumer.json)) }
        head = .object(fields)
        calls = log.take().map { .object([("event", .integer(number))] + $0.fields) }
    }

    /// A line for the event, and one for each call.
    var text: String {
        ([head] + calls).reduce(into: "") { text, value in text += String(decoding: value.bytes, as: UTF8.self) + "\n" }
    }
}
