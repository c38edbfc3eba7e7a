/// Failure of a call to a repository.
package enum RepositoryError: Error, Hashable, Sendable {
  /// There is no such product, question or seller.
  case notFound
  case wrongPassword
  /// The password may be right, but the product belongs to another seller.
  case notOwner
  /// The market's operator has blocked this seller.
  case blocked
  /// The idempotency key was used before, with other content.
  case keyReused
  /// Too many wrong passwords: none is checked for this many seconds.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// The server accepts no request from this address for this many seconds.
  case tooManyRequests(retryAfterSeconds: Int)
  /// The market has reached the limit that its operator set for products and pictures.
  case marketFull
  /// The product was changed since it was read; `current` is its present state.
  case conflict(current: ProductDetail)
  /// Fields that break the rules; `QuestionRules` says which stand for those of a question.
  case invalid([FieldError])
  /// A question or answer that is refused although its content is valid.
  case questionRefused(QuestionRefusal)
  /// The page was requested with a cursor that this query never had.
  case unknownCursor
  /// The repository does not offer this operation.
  case unsupported
  /// No server answered.
  case unreachable(ServerFailure)
  /// A server answered with something unusable.
  case badAnswer(ServerFailure)
  /// The store cannot be used.
  case store(StoreFailure)
  /// The calling task was cancelled.
  case cancelled

  /// Whether the same call may succeed later although nothing else was changed.
  package var isTransient: Bool {
    switch self {
    case .unreachable, .badAnswer, .tooManyAttempts, .tooManyRequests, .cancelled: true
    case .store(let failure): failure.isTransient
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .marketFull, .conflict,
      .invalid, .questionRefused, .unknownCursor, .unsupported:
      false
    }
  }
}

extension RepositoryError {
  /// Whether a write may have been done despite this error.
  package var leavesOutcomeOpen: Bool {
    switch self {
    case .unreachable: wasSent
    case .badAnswer, .cancelled, .store(.unconfirmed): true
    default: false
    }
  }

  /// Whether the market may have received the request.
  package var wasSent: Bool {
    guard case .unreachable(let failure) = self else { return true }
    return ![.libraryMissing, .exhausted, .nameNotFound, .refused, .insecure].contains(failure)
  }

  /// Whether the market is unreachable or has a temporary failure.
  package var isOutage: Bool {
    switch self {
    case .unreachable, .badAnswer(.status(500...)), .badAnswer(.busy): true
    default: false
    }
  }
}

/// Reason why a server gave no usable response.
package enum ServerFailure: Hashable, Sendable {
  /// libcurl, which programs need for servers, is not installed.
  case libraryMissing
  /// The address has a scheme that is not supported.
  case otherScheme
  case nameNotFound
  case refused
  case timedOut
  case disconnected
  /// The system allows no more connections; nothing was sent.
  case exhausted
  /// The certificate or the encryption was rejected.
  case insecure
  case tooManyRedirects
  /// A redirect to an address that requests may not go to.
  case redirectRefused
  /// A redirect from https to http.
  case redirectUnencrypted
  /// An HTTP status that means a failure of the server.
  case status(Int)
  /// An HTTP status with the server's `Retry-After` in seconds.
  case busy(status: Int, retryAfterSeconds: Int)
  case notAMarket
  case tooLarge
  case unreadable
}

/// Reason why a store cannot be used.
package enum StoreFailure: Hashable, Sendable {
  case damaged
  /// Another program holds the lock.
  case locked
  case readOnly
  /// The folder is read-only, and the store cannot be read without a file beside it.
  case readOnlyFolder
  /// The file system has no locks, without which programs would damage the store.
  case noLocks
  /// The file system has no memory that programs share, and the store may not be changed to need none.
  case noSharedMemory
  case diskFull
  /// Written by a newer version of this program.
  case newerVersion
  /// Written by a version of this program before its first release.
  case beforeFirstRelease
  /// The file cannot be opened or created: the system's message ("Permission denied").
  case cannotOpen(String)
  /// The database does not answer, or broke off: its own message.
  case unavailable(String)
  /// The connection was lost during a commit: the outcome is unknown.
  case unconfirmed
  /// The picture storage outside of the store failed: its message.
  case picturesUnavailable(String)
  /// The database's encoding is not UTF-8: its name.
  case otherEncoding(String)
  /// The file is no market file.
  case notAStore
  /// Any other failure, with the database's code; 0 where it was no database that failed.
  case failed(code: Int32)

  /// The SQLSTATE, five digits and letters, of a database's code.
  package static func sqlState(of code: Int32) -> String {
    let digits = String(code, radix: 36, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  package var isTransient: Bool {
    switch self {
    case .locked, .diskFull, .unavailable, .unconfirmed, .picturesUnavailable, .failed: true
    case .damaged, .readOnly, .readOnlyFolder, .noLocks, .noSharedMemory, .newerVersion,
      .beforeFirstRelease, .cannotOpen,
      .otherEncoding, .notAStore:
      false
    }
  }

  /// Message of the failing system; nil where the case says all.
  package var reason: String? {
    switch self {
    case .cannotOpen(let reason), .unavailable(let reason), .picturesUnavailable(let reason): reason
    case .unconfirmed: "the connection was lost during a commit"
    case .damaged, .locked, .readOnly, .readOnlyFolder, .noLocks, .noSharedMemory, .diskFull,
      .newerVersion,
      .beforeFirstRelease, .otherEncoding, .notAStore, .failed:
      nil
    }
  }

  /// Whether the store itself is at fault, so that every other call fails now as well.
  ///
  /// A query that took too long or could not be answered says nothing about others.
  package var isOfWholeStore: Bool {
    switch self {
    case .damaged, .noLocks, .noSharedMemory, .newerVersion, .beforeFirstRelease, .cannotOpen,
      .unavailable, .unconfirmed, .otherEncoding, .notAStore:
      true
    case .locked, .readOnly, .readOnlyFolder, .diskFull, .picturesUnavailable, .failed: false
    }
  }

  /// Whether a change that failed with this error may have happened.
  ///
  /// A caller that stopped waiting for a lock may have left a change that still commits.
  package var leavesChangeOpen: Bool {
    switch self {
    case .unconfirmed, .locked: true
    case .damaged, .readOnly, .readOnlyFolder, .noLocks, .noSharedMemory, .diskFull, .newerVersion,
      .beforeFirstRelease,
      .cannotOpen, .unavailable, .picturesUnavailable, .otherEncoding, .notAStore, .failed:
      false
    }
  }
}

extension RepositoryError {
  /// Message of the failing store; for other errors the text of the log.
  package var reason: String {
    if case .store(let failure) = self, let reason = failure.reason { return reason }
    return logged ?? ""
  }

  /// Whether the database as a whole is at fault, not the single call.
  package var isDatabaseFailure: Bool {
    if case .store(let failure) = self { failure.isOfWholeStore } else { false }
  }

  /// Failure for the log: the case and its cause, never a product or a server's text; nil for a
  /// cancelled call.
  package var logged: String? {
    switch self {
    case .cancelled: nil
    case .conflict: "conflict"
    case .invalid(let errors):
      "invalid " + errors.map(\.field.rawValue).joined(separator: ", ")
    case .questionRefused(let refusal): "question refused, \(refusal.rawValue)"
    case .unreachable(let failure): "unreachable, \(failure)"
    case .badAnswer(let failure): "bad answer, \(failure)"
    case .store(let failure): "store, \(failure)"
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .marketFull, .tooManyAttempts,
      .tooManyRequests, .unknownCursor, .unsupported:
      String(describing: self)
    }
  }
}
