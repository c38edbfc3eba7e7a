import MarketModel

/// Error response with the keys that all generations of clients read.
///
/// v1 clients decode `{"error":true,"reason":…,"message":…}`, v2 clients `{"code":…,"message":…}`; our
/// own read `problem` and `fields`.
struct ErrorResponse {
  var status: HTTPStatus
  var message: String
  var problem: ErrorCode?
  var errors: [FieldError] = []
  /// Reason why a valid question is refused.
  var refusal: QuestionRefusal?
  /// Names of the errors' fields in the dialect.
  var fields: (any ErrorFields)?
  var headers = HTTPHeaders()
  /// The current product as a JSON object, after a conflict.
  var current: [UInt8]?

  var response: HTTPResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", true)
    writer.member("code", Int64(status.rawValue))
    writer.member("reason", status.reasonPhrase)
    writer.member("message", message)
    if let problem { writer.member("problem", problem.rawValue) }
    if let fields, !errors.isEmpty {
      writer.key("fields")
      writer.beginArray()
      for error in errors { FieldErrorCoding.write(error, fields, to: &writer) }
      writer.endArray()
    }
    if let refusal { writer.member("refusal", refusal.rawValue) }
    if let current {
      writer.key("current")
      writer.raw(current)
    }
    writer.endObject()
    return .json(status, writer.bytes, headers: headers)
  }
}

/// Machine-readable error code; the status alone is ambiguous (404 on v1 means a wrong password as well
/// as a missing product).
enum ErrorCode: String {
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
  case questionRefused = "question_refused"
  case unknownCursor = "unknown_cursor"
  case unsupported
}

/// Coding of a field's error for clients and for users.
enum FieldErrorCoding {
  /// Writes `{"field":"price","problem":"negative"}`, with a limit where there is one.
  static func write(_ error: FieldError, _ fields: any ErrorFields, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("field", fields.errorName(of: error.field))
    writer.member("problem", code(of: error.problem))
    switch error.problem {
    case .tooShort(let limit), .tooLong(let limit), .pictureTooLarge(let limit):
      writer.member("limit", Int64(limit))
    case .abovePrice(let hundredths): writer.member("limit", hundredths: hundredths)
    case .refused(let reason): writer.member("reason", reason)
    default: break
    }
    writer.endObject()
  }

  /// Reads the output of `write(_:_:to:)`; nil for anything else.
  static func read(_ value: JSONValue, _ fields: any ErrorFields) -> FieldError? {
    guard let field = value["field"]?.string.flatMap({ fields.field(named: $0) }),
      let code = value["problem"]?.string,
      let problem = problem(
        code, limit: value["limit"]?.number,
        reason: value["reason"]?.string.map(TextLimit.message.cut))
    else { return nil }
    return FieldError(field, problem)
  }

  /// A sentence with the client's name of the field.
  static func sentence(on error: FieldError, _ fields: any ErrorFields) -> String {
    // An offer of 0 is refused as well.
    let words =
      fields is QuestionFields && error.problem == .negative
      ? "must be above 0" : words(for: error.problem)
    return "\(fields.errorName(of: error.field)): \(words)"
  }

  private static func code(of problem: FieldError.Problem) -> String {
    switch problem {
    case .missing: "missing"
    case .unreadable, .amount, .lacking: "unreadable"
    case .controls: "control_characters"
    case .tooShort: "too_short"
    case .tooLong: "too_long"
    case .negative: "negative"
    case .abovePrice: "above_price"
    case .notWhole: "not_whole"
    case .unsupportedCurrency: "unsupported_currency"
    case .unsupportedPicture: "unsupported_picture"
    case .pictureTooLarge: "picture_too_large"
    case .refused: "refused"
    }
  }

  private static func problem(
    _ code: String, limit: DecimalNumber?, reason: String?
  ) -> FieldError.Problem? {
    let count = limit?.integer.flatMap { Int(exactly: $0) }
    return switch code {
    case "missing": .missing
    case "unreadable": .unreadable
    case "control_characters": .controls
    case "too_short": count.map { .tooShort(minimum: $0) }
    case "too_long": count.map { .tooLong(maximum: $0) }
    case "negative": .negative
    case "above_price": limit?.hundredths.map { .abovePrice(priceHundredths: $0) }
    case "not_whole": .notWhole
    case "unsupported_currency": .unsupportedCurrency([])
    case "unsupported_picture": .unsupportedPicture
    case "picture_too_large": count.map { .pictureTooLarge(maximumBytes: $0) }
    case "refused": reason.map { .refused($0) }
    default: nil
    }
  }

  private static func words(for problem: FieldError.Problem) -> String {
    switch problem {
    case .missing: "is missing"
    case .unreadable, .amount, .lacking: "cannot be read"
    case .controls: "has control characters"
    case .tooShort(let minimum): "is shorter than \(minimum)"
    case .tooLong(let maximum): "is longer than \(maximum)"
    case .negative: "is negative"
    case .abovePrice: "is above the price"
    case .notWhole: "must be a whole number"
    case .unsupportedCurrency: "must be KRW or USD"
    case .unsupportedPicture: "must be JPEG, PNG, WebP or GIF, and not damaged"
    case .pictureTooLarge(let maximum): "holds a file of more than \(maximum) bytes"
    case .refused(let reason): reason
    }
  }
}
