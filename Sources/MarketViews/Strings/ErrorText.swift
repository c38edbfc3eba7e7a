package import MarketModel
package import SafeText

/// The one sentence that a person reads about an error.
package enum ErrorText {
  package static func text(_ error: RepositoryError, _ strings: Strings) -> SafeText {
    switch error {
    case .notFound: strings[.errorNotFound]
    case .wrongPassword: strings[.errorWrongPassword]
    case .notOwner: strings[.errorNotOwner]
    case .tooManyAttempts(let seconds): strings.counted(.errorTooManyAttempts, seconds)
    case .conflict: strings[.errorConflict]
    case .invalid: strings[.errorInvalid]
    case .unsupported: strings[.errorUnsupported]
    case .unreachable(let failure), .badAnswer(let failure): text(failure, strings)
    case .store(let failure): text(failure, strings)
    case .cancelled: strings[.errorCancelled]
    }
  }

  package static func text(_ failure: ServerFailure, _ strings: Strings) -> SafeText {
    switch failure {
    case .libraryMissing: strings[.errorNoHTTPLibrary]
    case .nameNotFound: strings[.errorNameNotFound]
    case .refused: strings[.errorRefused]
    case .timedOut: strings[.errorTimedOut]
    case .disconnected: strings[.errorDisconnected]
    case .insecure: strings[.errorInsecure]
    case .tooManyRedirects: strings[.errorTooManyRedirects]
    case .status(let status): strings(.errorStatus, SafeText(status))
    case .notAMarket: strings[.errorNotAMarket]
    case .tooLarge: strings[.errorTooLarge]
    case .unreadable: strings[.errorUnreadable]
    }
  }

  package static func text(_ failure: StoreFailure, _ strings: Strings) -> SafeText {
    switch failure {
    case .damaged: strings[.errorStoreDamaged]
    case .locked: strings[.errorStoreLocked]
    case .readOnly: strings[.errorStoreReadOnly]
    case .diskFull: strings[.errorStoreDiskFull]
    case .newerVersion: strings[.errorStoreNewer]
    case .cannotOpen(let reason): strings(.errorStoreCannotOpen, SafeText(reason))
    case .notAStore: strings[.errorStoreNotAStore]
    case .failed(let code): strings(.errorStoreFailed, SafeText(code))
    }
  }
}
