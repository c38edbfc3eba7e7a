import MarketModel

/// Maps errors to responses; the only table of statuses.
struct ErrorResponseEncoder {
  var fields: any ErrorFields
  /// v1 clients recognize a wrong password only by 404, v2 clients by 401.
  var wrongPassword: HTTPStatus
  /// v1 clients treat any status other than 400 and 404 as a broken server, or wait forever.
  let notOwner: HTTPStatus
  let tooManyAttempts: HTTPStatus
  let tooManyRequests: HTTPStatus
  let marketFull: HTTPStatus
  let blocked: HTTPStatus
  let keyReused: HTTPStatus

  /// The response to an error, without internal details; `current` writes the product after a conflict.
  func response(to error: RepositoryError, current: (ProductDetail) -> [UInt8]) -> HTTPResponse {
    switch error {
    case .notFound: answer(.notFound, "Not Found", .notFound)
    case .wrongPassword: answer(wrongPassword, "Wrong password", .wrongPassword)
    case .notOwner: answer(notOwner, "The product belongs to another seller", .notOwner)
    case .tooManyAttempts(let seconds):
      answer(
        tooManyAttempts, "Too many wrong passwords", .tooManyAttempts,
        headers: [HeaderName.retryAfter: String(seconds)])
    case .tooManyRequests(let seconds):
      answer(
        tooManyRequests, "Too many requests", .tooManyRequests,
        headers: [HeaderName.retryAfter: String(seconds)])
    case .blocked: answer(blocked, "This market takes nothing from this seller", .blocked)
    case .keyReused:
      answer(
        keyReused, "The Idempotency-Key was sent with another request; use a new one", .keyReused)
    case .marketFull:
      answer(
        marketFull, "The market is full; delete a product, or ask its operator for more room",
        .marketFull)
    case .conflict(let detail):
      ErrorResponse(
        status: .preconditionFailed, message: "The product has changed since it was read",
        problem: .conflict, current: current(detail)
      ).response
    case .invalid(let errors): invalid(errors, fields)
    case .questionRefused(let refusal):
      ErrorResponse(
        status: .conflict, message: Self.sentence(on: refusal), problem: .questionRefused,
        refusal: refusal
      ).response
    case .unknownCursor:
      answer(.badRequest, "after: the list has no such place", .unknownCursor)
    case .unsupported: answer(.notImplemented, "This market cannot do that", .unsupported)
    case .unreachable, .badAnswer: unavailable("The market behind gives no answer")
    case .cancelled: unavailable("The request was given up")
    case .store(let failure): response(to: failure)
    }
  }

  private static func sentence(on refusal: QuestionRefusal) -> String {
    switch refusal {
    case .sold: "The product is sold"
    case .ownProduct: "The product is your own"
    case .closed: "The seller takes no more questions about this product"
    case .answered: "The question was answered and cannot be taken back"
    case .full: "The product has as many questions and answers as a product takes"
    case .tooLate: "The answer is older than ten minutes and cannot be changed"
    case .alreadyReported: "You have reported this before"
    }
  }

  /// Failures that an operator can repair while the server runs are reported as temporary.
  private func response(to failure: StoreFailure) -> HTTPResponse {
    switch failure {
    case .readOnly, .readOnlyFolder: unavailable("The market cannot be changed now")
    case .locked, .diskFull, .unavailable, .unconfirmed, .picturesUnavailable, .cannotOpen, .failed:
      unavailable("The store is not available now")
    case .damaged, .noLocks, .noSharedMemory, .newerVersion, .beforeFirstRelease, .notAStore,
      .otherEncoding:
      answer(.internalServerError, "The store cannot be used")
    }
  }

  func response(to problem: RequestProblem) -> HTTPResponse {
    switch problem {
    case .unknownRoute: answer(.notFound, "Not Found", .notFound)
    case .methodNotAllowed(let methods):
      answer(
        .methodNotAllowed, "This path has no such method",
        headers: [HeaderName.allow: methods.map(\.rawValue).joined(separator: ", ")])
    case .malformed(let part, let reason): answer(.badRequest, "\(part): \(reason)", .invalid)
    case .invalid(let errors): invalid(errors, fields)
    case .invalidQuestion(let errors): invalid(errors, QuestionFields())
    case .invalidReport(let errors): invalid(errors, ReportFields())
    }
  }

  private func invalid(_ errors: [FieldError], _ fields: any ErrorFields) -> HTTPResponse {
    let sentences = errors.map { FieldErrorCoding.sentence(on: $0, fields) }
    return ErrorResponse(
      status: .badRequest, message: sentences.joined(separator: "; "), problem: .invalid,
      errors: errors, fields: fields
    ).response
  }

  private func unavailable(_ message: String) -> HTTPResponse {
    answer(.serviceUnavailable, message, headers: [HeaderName.retryAfter: "1"])
  }

  private func answer(
    _ status: HTTPStatus, _ message: String, _ problem: ErrorCode? = nil,
    headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    ErrorResponse(status: status, message: message, problem: problem, headers: headers).response
  }
}
