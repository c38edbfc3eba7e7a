import MarketModel

/// Turns error answers into errors: by our own word for the problem where there is one, else by the
/// status and what was asked.
struct ErrorResponseDecoder {
  let fields: any WireFields
  /// v1 servers answer a wrong password as if the product were missing.
  let hidesWrongPasswords: Bool
  /// Reads a product, for an edit that came too late.
  let current: @Sendable (JSONValue) -> ProductDetail?

  /// The error that an answer means whose status is no 2xx.
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
    // Only our own word tells wrong passwords from a server that is asked too often.
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

  /// The fields that a server refuses: listed, mentioned in its message, or the only one there was.
  private func refusal(
    _ body: JSONValue?, _ status: HTTPStatus, to operation: MarketOperation
  ) -> RepositoryError? {
    if case .question = operation {
      let fields = QuestionFields()
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

  /// The status of an answer that says no more, with how long to wait where a server in trouble says
  /// that.
  private func trouble(_ response: HTTPResponse) -> ServerFailure {
    let status = response.status.rawValue
    guard status >= 500, response.retryAfterSeconds != nil else { return .status(status) }
    return .busy(status: status, retryAfterSeconds: retryAfter(response))
  }

  /// Seconds to wait: a minute where the server does not say, a day at most.
  private func retryAfter(_ response: HTTPResponse) -> Int {
    Int(min(max(response.retryAfterSeconds ?? 60, 1), 86_400))
  }
}
