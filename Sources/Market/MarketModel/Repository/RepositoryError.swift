/// Failure of a call to a repository.
package enum RepositoryError: Error, Hashable, Sendable {
  /// There is no such product.
  case notFound
  case wrongPassword
  /// The password may be right, but the product belongs to another seller.
  case notOwner
  /// Whoever runs the market takes nothing from this seller.
  case blocked
  /// The key was sent before, with something else to register.
  case keyReused
  /// Too many wrong passwords: none is looked at for this many seconds.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// The server takes no more requests from here for this many seconds, whatever they are about.
  case tooManyRequests(retryAfterSeconds: Int)
  /// The market has as many products and pictures as its operator gives room for.
  case marketFull
  /// The product was changed since it was read; this is what it is now.
  case conflict(current: ProductDetail)
  /// The fields that the rules refuse; `QuestionRules` says which stand for those of a question.
  case invalid([FieldError])
  /// A question that is not taken or changed, though what it says is right.
  case questionRefused(QuestionRefusal)
  /// The page was asked for after a place that this query never had.
  case unknownCursor
  /// The repository cannot do this at all.
  case unsupported
  /// Nothing answered.
  case unreachable(ServerFailure)
  /// Something answered, but nothing that makes sense.
  case badAnswer(ServerFailure)
  /// The store's file cannot be used.
  case store(StoreFailure)
  /// The task that asked was cancelled.
  case cancelled

  /// Whether the same call may succeed later without anything else being changed.
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
  /// Whether the market is away or in trouble, which may be over soon.
  package var isOutage: Bool {
    switch self {
    case .unreachable, .badAnswer(.status(500...)), .badAnswer(.busy): true
    default: false
    }
  }
}

/// Reason why a server gave no usable answer.
package enum ServerFailure: Hashable, Sendable {
  /// libcurl, which the program needs for servers, is not installed.
  case libraryMissing
  /// An address of a scheme that is not spoken.
  case otherScheme
  case nameNotFound
  case refused
  case timedOut
  case disconnected
  /// This system gives no more connections; nothing was sent.
  case exhausted
  /// The certificate or the encryption was not accepted.
  case insecure
  case tooManyRedirects
  /// A redirect to where no request goes.
  case redirectRefused
  /// A redirect from https to http.
  case redirectUnencrypted
  /// An HTTP status that means trouble at the server.
  case status(Int)
  /// One that comes with the seconds after which the server wants to be asked again.
  case busy(status: Int, retryAfterSeconds: Int)
  case notAMarket
  case tooLarge
  case unreadable
}

/// Reason why a store cannot be used.
package enum StoreFailure: Hashable, Sendable {
  case damaged
  /// Another program holds it.
  case locked
  case readOnly
  /// Its folder is read-only, and it cannot be read without a file beside it.
  case readOnlyFolder
  case diskFull
  /// A newer version of this program wrote it.
  case newerVersion
  /// It cannot be opened or made: the reason as the system words it ("Permission denied").
  case cannotOpen(String)
  /// A database that does not answer now, or breaks off: the reason in its own words.
  case unavailable(String)
  /// The connection to a database was lost during a commit: nobody knows whether it happened.
  case unconfirmed
  /// The place where pictures are, outside of the store, does not give or take them: the reason.
  case picturesUnavailable(String)
  /// A database whose texts are not UTF-8, with the encoding that it has.
  case otherEncoding(String)
  /// It is no market file at all.
  case notAStore
  /// Anything else, with the database's own code; 0 where it was no database that failed.
  case failed(code: Int32)

  package var isTransient: Bool {
    switch self {
    case .locked, .diskFull, .unavailable, .unconfirmed, .picturesUnavailable, .failed: true
    case .damaged, .readOnly, .readOnlyFolder, .newerVersion, .cannotOpen, .otherEncoding,
      .notAStore:
      false
    }
  }

  /// The reason in the words of what failed; nil where the case says all.
  package var reason: String? {
    switch self {
    case .cannotOpen(let reason), .unavailable(let reason), .picturesUnavailable(let reason): reason
    case .unconfirmed: "the connection was lost during a commit"
    case .damaged, .locked, .readOnly, .readOnlyFolder, .diskFull, .newerVersion, .otherEncoding,
      .notAStore, .failed:
      nil
    }
  }

  /// Whether the store itself is at fault, so that whatever else is asked of it now fails as well; a
  /// question that took too long, or that the store could not answer, says nothing of others.
  package var isOfWholeStore: Bool {
    switch self {
    case .damaged, .newerVersion, .cannotOpen, .unavailable, .unconfirmed, .otherEncoding,
      .notAStore:
      true
    case .locked, .readOnly, .readOnlyFolder, .diskFull, .picturesUnavailable, .failed: false
    }
  }

  /// Whether a change may have happened that failed so.
  ///
  /// Who was made to wait for too long was left alone with a change that may go on.
  package var leavesChangeOpen: Bool {
    switch self {
    case .unconfirmed, .locked: true
    case .damaged, .readOnly, .readOnlyFolder, .diskFull, .newerVersion, .cannotOpen, .unavailable,
      .picturesUnavailable, .otherEncoding, .notAStore, .failed:
      false
    }
  }
}

extension RepositoryError {
  /// Why a store is of no use, in the words of what failed; else as the log says it.
  package var reason: String {
    if case .store(let failure) = self, let reason = failure.reason { return reason }
    return logged ?? ""
  }

  /// Whether the database is at fault, whatever was asked.
  package var isDatabaseFailure: Bool {
    if case .store(let failure) = self { failure.isOfWholeStore } else { false }
  }

  /// The failure as the log says it: the case with its cause, never a product or what a server
  /// wrote; nil for what somebody ended.
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
