import MarketModel
import TextCoding

/// Request for what changes in a market: `GET /api/changes`, an addition of ours.
package struct ChangesRequest: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// A stream of server-sent events.
    case stream
    /// One answer, as soon as there is something or after so many seconds.
    case poll(waitSeconds: Int)
  }

  /// Seconds that a poll may wait at most.
  package static let maxWait = 25
  /// Bytes of a place at most; what is longer is none of ours.
  private static let placeLimit = 8_192
  private static let eventStream = "text/event-stream"
  private static let lastEventID = "Last-Event-ID"
  private static let segments = ["api", "changes"]

  package var form: Form
  /// The place after which changes are told; nil begins now.
  package var cursor: ChangeCursor?

  /// Whether changes of questions are told too, and places have a part for them.
  package var hasQuestions: Bool

  package init(_ form: Form, after cursor: ChangeCursor?, hasQuestions: Bool = true) {
    self.form = form
    self.cursor = cursor
    self.hasQuestions = hasQuestions
  }

  /// Whether a target, as a request line holds it, is one of changes.
  package static func owns(_ target: String) -> Bool {
    // Most targets are others, and this is asked for each of them.
    guard !target.utf8.starts(with: "/api/p".utf8) else { return false }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/")
      .map { PercentCoding.decode($0).lowercased() } == segments
  }

  /// Reads a request for changes; throws what is wrong with its method or a parameter.
  package init(reading request: HTTPRequest) throws(RequestProblem) {
    guard request.method == .get || request.method == .head else {
      throw .methodNotAllowed([.get, .head])
    }
    let query = request.target.query
    guard query.isUTF8 else { throw .notUTF8(part: "query") }
    // A client that reconnects repeats its first address, so what the header says is newer.
    let newer = try Self.place(request.headers[Self.lastEventID], in: Self.lastEventID)
    let older = try Self.place(query["after"], in: "after")
    cursor = newer ?? older
    hasQuestions = query["questions"] == "1"
    let isStream = request.headers.values(of: HeaderName.accept).contains(where: Self.asksForEvents)
    form = isStream ? .stream : .poll(waitSeconds: try Self.wait(query["wait"]))
  }

  /// The request as our client sends it.
  package var message: HTTPRequest {
    var query = QueryItems()
    var headers: HTTPHeaders = [:]
    if hasQuestions { query.add("1", for: "questions") }
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

  private static func place(
    _ text: String?, in part: String
  ) throws(RequestProblem) -> ChangeCursor? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count <= placeLimit, text.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F }) else {
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

  /// Whether one of the media types of an `Accept` is that of events, and is wanted at all.
  private static func asksForEvents(_ accept: String) -> Bool {
    accept.split(separator: ",").contains { range in
      let parameters = HeaderParameters(parsing: String(range))
      return parameters.value.lowercased() == eventStream
        && parameters["q"].flatMap(Double.init) != 0
    }
  }
}

extension HTTPResponse {
  /// The head of a stream of events, which no proxy keeps or holds back.
  package static var eventStream: HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.contentType: "text/event-stream", HeaderName.cacheControl: "no-store",
      "X-Accel-Buffering": "no",
    ]
    headers.announce(.present)
    return HTTPResponse(.ok, headers: headers)
  }

  /// Whether the answer is a stream of events.
  package var isEventStream: Bool {
    status == .ok
      && headers[HeaderName.contentType].map {
        HeaderParameters(parsing: $0).value.lowercased() == "text/event-stream"
      } == true
  }

  /// Refusal of a request for changes that cannot be read.
  package static func refusal(ofChanges problem: RequestProblem) -> HTTPResponse {
    switch problem {
    case .methodNotAllowed(let methods):
      var response = HTTPResponse.failure(.methodNotAllowed)
      response.headers[HeaderName.allow] = methods.map(\.rawValue).joined(separator: ", ")
      return response
    case .malformed(let part, let reason):
      return .failure(.badRequest, "\(part): \(reason)")
    case .unknownRoute: return .failure(.notFound)
    case .invalid, .invalidQuestion: return .failure(.badRequest)
    }
  }
}
