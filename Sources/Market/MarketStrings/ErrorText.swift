package import MarketModel
package import SafeTextKit

/// Message of an error for users.
package enum ErrorText {
  package static func text(_ error: RepositoryError, _ strings: Strings) -> SafeText {
    switch error {
    case .notFound: strings[.errorNotFound]
    case .wrongPassword: strings[.errorWrongPassword]
    case .notOwner: strings[.errorNotOwner]
    case .tooManyAttempts(let seconds):
      strings(.errorTooManyAttempts, DurationText.text(seconds: seconds, strings))
    case .tooManyRequests(let seconds):
      strings(.errorTooManyRequests, DurationText.text(seconds: seconds, strings))
    case .blocked: strings[.errorBlocked]
    case .keyReused: strings[.errorKeyReused]
    case .marketFull: strings[.errorMarketFull]
    case .conflict: strings[.errorConflict]
    case .invalid: strings[.errorInvalid]
    case .questionRefused(let refusal): strings[refusal.phrase]
    case .unknownCursor: strings[.errorUnknownCursor]
    case .unsupported: strings[.errorUnsupported]
    case .unreachable(let failure), .badAnswer(let failure): text(failure, strings)
    case .store(let failure): text(failure, strings)
    case .cancelled: strings[.errorCancelled]
    }
  }

  /// Returns the message after a cross, with the key for a retry; in a narrow space the message is
  /// truncated, never the key.
  package static func withRetry(
    _ error: RepositoryError, _ strings: Strings, key: SafeText = "R", columns: Int
  ) -> SafeText {
    let mark: SafeText = "✗ "
    let room = columns - mark.columns - strings(.retryWith, .empty, key).columns
    return mark + strings(.retryWith, text(error, strings).truncated(toColumns: max(0, room)), key)
  }

  package static func text(_ failure: ServerFailure, _ strings: Strings) -> SafeText {
    switch failure {
    case .libraryMissing: strings[.errorNoHTTPLibrary]
    case .otherScheme: strings[.errorOtherScheme]
    case .nameNotFound: strings[.errorNameNotFound]
    case .refused: strings[.errorRefused]
    case .timedOut: strings[.errorTimedOut]
    case .disconnected: strings[.errorDisconnected]
    case .exhausted: strings[.errorExhausted]
    case .insecure: strings[.errorInsecure]
    case .tooManyRedirects: strings[.errorTooManyRedirects]
    case .redirectRefused: strings[.errorRedirectRefused]
    case .redirectUnencrypted: strings[.errorRedirectUnencrypted]
    case .status(let status), .busy(let status, _): strings(.errorStatus, SafeText(status))
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
    case .readOnlyFolder: strings[.errorStoreReadOnlyFolder]
    case .noLocks: strings[.errorStoreNoLocks]
    case .noSharedMemory: strings[.errorStoreNoSharedMemory]
    case .diskFull: strings[.errorStoreDiskFull]
    case .newerVersion: strings[.errorStoreNewer]
    case .beforeFirstRelease: strings[.errorStoreBeforeFirstRelease]
    case .cannotOpen, .unavailable, .unconfirmed, .picturesUnavailable:
      strings(.errorStoreCannotOpen, SafeText(failure.reason ?? ""))
    case .otherEncoding(let name): strings(.databaseEncoding, SafeText(name))
    case .notAStore: strings[.errorStoreNotAStore]
    case .failed(let code): strings(.errorStoreFailed, SafeText(code))
    }
  }
}

/// Message of a field's validation error.
package enum ProblemText {
  package static func text(
    _ problem: FieldError.Problem, of field: ProductField, inQuestion: Bool = false,
    _ strings: Strings
  ) -> SafeText {
    let kind = field.kind
    return switch problem {
    case .missing: strings[kind == .pictures ? .problemNoPhoto : .problemMissing]
    case .unreadable: strings[kind.expectation]
    case .controls: strings[.problemControls]
    case .tooShort(let minimum): strings.counted(.problemTooShort, minimum)
    case .tooLong(let maximum):
      strings.counted(kind.isNumber ? .problemTooMany : .problemTooLong, maximum)
    case .negative: strings[inQuestion ? .problemOfferOfNothing : .problemNegative]
    case .abovePrice(let hundredths):
      strings(
        .problemAbovePrice,
        SafeText(String(hundredths: hundredths, decimals: .twoOrNone, isGrouped: true)))
    case .amount(let error): kind == .amount ? text(error, strings) : strings[kind.expectation]
    case .notWhole: strings[.problemNotWhole]
    case .unsupportedCurrency([]): strings[.problemCurrency]
    case .unsupportedCurrency(let taken):
      strings(
        .problemCurrencyOf, taken.map { SafeText($0.rawValue) }.joined(separator: ", "))
    case .lacking: strings[.problemLacking]
    case .unsupportedPicture: strings[.photoUnusable]
    case .pictureTooLarge: strings[.photoTooLarge]
    case .refused(let words): strings(.problemRefused, SafeText(words))
    }
  }

  /// Returns a short message, for errors with a number; nil for others.
  package static func short(_ problem: FieldError.Problem, _ strings: Strings) -> SafeText? {
    switch problem {
    case .tooShort(let minimum): strings(.problemShortMin, SafeText(minimum))
    case .tooLong(let maximum): strings(.problemShortMax, SafeText(String(grouped: Int64(maximum))))
    case .abovePrice(let hundredths):
      strings(
        .problemShortMax,
        SafeText(String(hundredths: hundredths, decimals: .twoOrNone, isGrouped: true)))
    default: nil
    }
  }

  package static func text(_ error: AmountError, _ strings: Strings) -> SafeText {
    switch error {
    case .ambiguous(let decimal, let grouped):
      strings(.problemAmbiguous, SafeText(decimal), SafeText(grouped))
    case .decimals(let currency): strings(.problemDecimals, SafeText(currency.rawValue))
    case .otherCurrency(let named, let expected):
      strings(.problemOtherCurrency, SafeText(named.rawValue), SafeText(expected.rawValue))
    case .noAmount: strings[.problemNoAmount]
    case .tooLarge: strings[.problemTooLarge]
    case .negative: strings[.problemNegative]
    }
  }
}

extension FieldKind {
  fileprivate var isNumber: Bool { if case .number = self { true } else { false } }

  /// Message for a value of another kind.
  fileprivate var expectation: Phrase {
    switch self {
    case .amount: .problemNoAmount
    case .number: .problemNotANumber
    case .line, .text, .currency, .password: .problemNotText
    case .choice, .flag: .problemNotAChoice
    case .pictures: .problemNotPhotos
    }
  }
}

extension QuestionRefusal {
  package var phrase: Phrase {
    switch self {
    case .sold: .errorQuestionSold
    case .ownProduct: .errorQuestionOwn
    case .closed: .errorQuestionClosed
    case .answered: .errorQuestionAnswered
    case .tooLate: .errorAnswerTooLate
    case .full: .errorQuestionsFull
    case .alreadyReported: .errorAlreadyReported
    }
  }
}

/// Format of durations.
package enum DurationText {
  /// Returns seconds up to 90, minutes up to 90, then hours, rounded up.
  static func text(seconds: Int, _ strings: Strings) -> SafeText {
    switch seconds {
    case ...90: strings.counted(.durationSeconds, seconds)
    case ...5_400: strings.counted(.durationMinutes, (seconds + 59) / 60)
    default: strings.counted(.durationHours, (seconds + 3_599) / 3_600)
    }
  }

  /// Like `text(seconds:_:)`, with short units: 8 s, 2 min.
  package static func short(seconds: Int, _ strings: Strings) -> SafeText {
    switch seconds {
    case ...90: strings.counted(.shortSeconds, seconds)
    case ...5_400: strings.counted(.shortMinutes, (seconds + 59) / 60)
    default: strings.counted(.shortHours, (seconds + 3_599) / 3_600)
    }
  }
}
