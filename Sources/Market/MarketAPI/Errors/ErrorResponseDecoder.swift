import MarketModel

/// Maps error responses to errors: by our own code where there is one, else by the status and the
/// operation.
struct ErrorResponseDecoder {
  let fields: any WireFields
  /// Whether the server responds to a wrong password as to a missing product, as v1 does.
  let hidesWrongPasswords: Bool
  /// Reads the current product after a conflict.
  let current: @Sendable (JSONValue) -> ProductDetail?

  /// The error of a response whose status is not 2xx.
  func error(of response: HTTPResponse, to operation: MarketOperation) -> RepositoryError {
    let body = try? JSONDocument(parsing: response.body).root
    let unknown = RepositoryError.badAnswer(trouble(response))
    if let code = body?["problem"]?.string.flatMap(ErrorCode.init) {
      return error(of: code, response, body, to: operation) ?? unknown
    }
    let isGuarded = operation.isGuardedByPassword
    return switch response.status {
    case .badRequest, HTTPStatus(rawValue: 422), .contentTooLarge:
      refusal(body, response.status, to: operation) ?? unknown
    case .unauthorized where isGuarded: .wrongPassword
    case .forbidden where isGuarded: .notOwner
    case .notFound where isGuarded && hidesWrongPasswords: .wrongPassword
    case .notFound: operation.isAboutOneThing ? .notFound : .badAnswer(.notAMarket)
    case .methodNotAllowed, .notImplemented: .unsupported
    case .preconditionFailed: self.error(of: .conflict, response, body, to: operation) ?? unknown
    // Only our own code distinguishes too many wrong passwords from too many requests.
    case .tooManyRequests: .tooManyRequests(retryAfterSeconds: retryAfter(response))
    case .insufficientStorage: .marketFull
    default: unknown
    }
  }

  private func error(
    of code: ErrorCode, _ response: HTTPResponse, _ body: JSONValue?,
    to operation: MarketOperation
  ) -> RepositoryError? {
    switch code {
    case .notFound: operation.isAboutOneThing ? .notFound : .badAnswer(.notAMarket)
    case .wrongPassword: .wrongPassword
    case .notOwner: .notOwner
    case .tooManyAttempts: .tooManyAttempts(retryAfterSeconds: retryAfter(response))
    case .tooManyRequests: .tooManyRequests(retryAfterSeconds: retryAfter(response))
    case .marketFull: .marketFull
    case .blocked: .blocked
    case .keyReused: .keyReused
    case .conflict: body?["current"].flatMap(current).map { .conflict(current: $0) }
    case .invalid: refusal(body, response.status, to: operation)
    case .questionRefused:
      body?["refusal"]?.string.flatMap(QuestionRefusal.init).map { .questionRefused($0) }
    case .unknownCursor: .unknownCursor
    case .unsupported: .unsupported
    }
  }

  /// The fields that a server rejects: listed, mentioned in its message, or the only possible one.
  private func refusal(
    _ body: JSONValue?, _ status: HTTPStatus, to operation: MarketOperation
  ) -> RepositoryError? {
    let own: (any ErrorFields)? =
      switch operation {
      case .question: QuestionFields()
      case .report: ReportFields()
      default: nil
      }
    if let fields = own {
      let listed = body?["fields"]?.elements.compactMap { FieldErrorCoding.read($0, fields) } ?? []
      return listed.isEmpty ? nil : .invalid(listed)
    }
    let listed = body?["fields"]?.elements.compactMap { FieldErrorCoding.read($0, fields) }
    if let listed, !listed.isEmpty { return .invalid(listed) }
    switch operation {
    case .verify, .requestDeletion, .delete: return .wrongPassword
    case .register, .update, .changeSeller: break
    default: return nil
    }
    let message = TextLimit.message.cut(
      body?["message"]?.string ?? body?["reason"]?.string ?? status.reasonPhrase)
    if status == .contentTooLarge { return .invalid([FieldError(.pictures, .refused(message))]) }
    return fields.field(mentionedIn: message).map { .invalid([FieldError($0, .refused(message))]) }
  }

  /// The status of a response without further details, with the time to wait where a failing server gives
  /// one.
  private func trouble(_ response: HTTPResponse) -> ServerFailure {
    let status = response.status.rawValue
    guard status >= 500, response.retryAfterSeconds != nil else { return .status(status) }
    return .busy(status: status, retryAfterSeconds: retryAfter(response))
  }

  /// Seconds to wait: 60 where the server gives none, clamped to 1 to 86,400.
  private func retryAfter(_ response: HTTPResponse) -> Int {
    Int(min(max(response.retryAfterSeconds ?? 60, 1), 86_400))
  }
}
