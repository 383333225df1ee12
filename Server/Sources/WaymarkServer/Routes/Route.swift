import HTTPTypes
import Hummingbird

/// A path and method of the server, with its input and output.
struct Route: Sendable {
    var method: HTTPRequest.Method
    var path: String
    /// One sentence.
    var summary: String
    var parameters: [Parameter] = []
    /// Whether it takes a scene as its body.
    var takesScene = false
    /// The media types of its answer.
    var produces: [String]
    /// The schema of the answer, if it is JSON.
    var schema: JSON?
    /// The statuses of its errors.
    var errors: [Int] = []
    var answer: @Sendable (Call) async throws -> ServerAnswer

    /// A request of the route.
    struct Call: Sendable {
        var request: Request
        var query: Query
        var connection: ConnectionState
    }
}
