import MarketModel
import TextCoding

/// Request for changes of a market: `GET /api/changes`, our addition.
package struct ChangesRequest: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// A stream of server-sent events.
    case stream
    /// One response, as soon as there are changes or after `waitSeconds`.
    case poll(waitSeconds: Int)
  }

  /// Maximum seconds that a poll may wait; more are rejected with 400.
  package static let maxWait = 25
  private static let eventStream = "text/event-stream"
  private static let lastEventID = "Last-Event-ID"
  private static let segments = ["api", "changes"]

  package var form: Form
  /// The cursor after which changes are requested; nil starts now.
  package var cursor: ChangeCursor?

  package init(_ form: Form, after cursor: ChangeCursor?) {
    self.form = form
    self.cursor = cursor
  }

  /// Whether a request target is that of changes.
  package static func owns(_ target: String) -> Bool {
    // A fast check for most requests.
    guard !target.utf8.starts(with: "/api/p".utf8) else { return false }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/")
      .map { PercentCoding.decode($0).lowercased() } == segments
  }

  /// Reads a request for changes.
  /// - Throws: `.methodNotAllowed` for anything but GET and HEAD; `.malformed` for an invalid cursor or
  ///   wait.
  package init(reading request: HTTPRequest) throws(RequestProblem) {
    guard request.method == .get || request.method == .head else {
      throw .methodNotAllowed([.get, .head])
    }
    let query = request.target.query
    guard query.isUTF8 else { throw .notUTF8(part: "query") }
    // A reconnecting client repeats its first URL, so the header is newer.
    let newer = try Self.cursor(request.headers[Self.lastEventID], in: Self.lastEventID)
    let older = try Self.cursor(query["after"], in: "after")
    cursor = newer ?? older
    let isStream = request.headers.values(of: HeaderName.accept).contains(where: Self.asksForEvents)
    form = isStream ? .stream : .poll(waitSeconds: try Self.wait(query["wait"]))
  }

  /// The request as our client sends it.
  package var message: HTTPRequest {
    var query = QueryItems()
    var headers: HTTPHeaders = [:]
    switch form {
    case .stream:
      headers[HeaderName.accept] = Self.eventStream
      headers[HeaderName.cacheControl] = "no-cache"
      headers[Self.lastEventID] = cursor?.rawValue
    case .poll(let seconds):
      headers[HeaderName.accept] = "application/json"
      if let cursor { query.add(cursor.rawValue, for: "after") }
      query.add(String(seconds), for: "wait")
    }
    return HTTPRequest(
      .get, RequestTarget(segments: Self.segments, query: query), headers: headers)
  }

  private static func cursor(
    _ text: String?, in part: String
  ) throws(RequestProblem) -> ChangeCursor? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count <= ChangeCursor.maxBytes,
      text.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F })
    else {
      throw .malformed(part: part, reason: "is no place of this market")
    }
    return ChangeCursor(rawValue: text)
  }

  private static func wait(_ text: String?) throws(RequestProblem) -> Int {
    guard let text else { return 0 }
    guard let seconds = Int(text), (0...maxWait).contains(seconds) else {
      throw .malformed(part: "wait", reason: "must be a number of seconds from 0 to \(maxWait)")
    }
    return seconds
  }

  /// Whether an `Accept` header includes `text/event-stream` with a quality above 0.
  private static func asksForEvents(_ accept: String) -> Bool {
    accept.split(separator: ",").contains { range in
      let parameters = HeaderParameters(parsing: String(range))
      return parameters.value.lowercased() == eventStream
        && parameters["q"].flatMap(Double.init) != 0
    }
  }
}

extension HTTPResponse {
  /// The headers of an event stream, which proxies neither cache nor buffer.
  package static var eventStream: HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.contentType: "text/event-stream", HeaderName.cacheControl: "no-store",
      "X-Accel-Buffering": "no",
    ]
    headers[HeaderName.extensions] = "1"
    return HTTPResponse(.ok, headers: headers)
  }

  /// Whether the response is an event stream.
  package var isEventStream: Bool {
    status == .ok
      && headers[HeaderName.contentType].map {
        HeaderParameters(parsing: $0).value.lowercased() == "text/event-stream"
      } == true
  }

  /// Error response to an unreadable request for changes.
  package static func refusal(ofChanges problem: RequestProblem) -> HTTPResponse {
    switch problem {
    case .methodNotAllowed(let methods):
      var response = HTTPResponse.failure(.methodNotAllowed)
      response.headers[HeaderName.allow] = methods.map(\.rawValue).joined(separator: ", ")
      return response
    case .malformed(let part, let reason):
      return .failure(.badRequest, "\(part): \(reason)")
    case .unknownRoute: return .failure(.notFound)
    case .invalid, .invalidQuestion, .invalidReport: return .failure(.badRequest)
    }
  }
}
