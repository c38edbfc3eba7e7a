import MarketModel

/// An error answer with the keys that clients of all generations read.
///
/// `{"error":true,"reason":…,"message":…}` is what v1 clients decode, `{"code":…,"message":…}` what
/// v2 clients decode; `problem` and `fields` are ours, so that our own client need not guess.
struct FailureAnswer {
  var status: HTTPStatus
  var message: String
  var problem: FailureCode?
  var fields: [FieldError] = []
  var names = FieldNames.products
  var headers = HTTPHeaders()
  /// A JSON object: the product as it is now, where an edit came too late.
  var current: [UInt8]?

  var response: HTTPResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", true)
    writer.member("code", Int64(status.rawValue))
    writer.member("reason", status.reasonPhrase)
    writer.member("message", message)
    if let problem { writer.member("problem", problem.rawValue) }
    if !fields.isEmpty {
      writer.key("fields")
      writer.beginArray()
      for field in fields { FieldErrorCoding.write(field, names: names, to: &writer) }
      writer.endArray()
    }
    if let current {
      writer.key("current")
      writer.raw(current)
    }
    writer.endObject()
    return .json(status, writer.bytes, headers: headers)
  }
}

/// What went wrong, in a word for programs; the status alone is ambiguous (404 on v1 means a wrong
/// password as well as a missing product).
enum FailureCode: String {
  case notFound = "not_found"
  case wrongPassword = "wrong_password"
  case notOwner = "not_owner"
  case tooManyAttempts = "too_many_attempts"
  case tooManyRequests = "too_many_requests"
  case marketFull = "market_full"
  case blocked = "seller_blocked"
  case keyReused = "key_reused"
  case conflict
  case invalid
  case unknownCursor = "unknown_cursor"
  case unsupported
}

extension HTTPResponse {
  /// An error answer without an operation that could say more, in the words of all generations.
  package static func failure(_ status: HTTPStatus, _ message: String? = nil) -> HTTPResponse {
    FailureAnswer(status: status, message: message ?? status.reasonPhrase).response
  }
}
