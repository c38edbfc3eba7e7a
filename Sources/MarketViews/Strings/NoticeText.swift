internal import MarketViewModels
internal import SafeText

/// What the bottom bar says about something that happened.
enum NoticeText {
  static func text(_ notice: Notice, _ strings: Strings) -> SafeText {
    switch notice {
    case .refreshed(0): strings[.refreshedNone]
    case .refreshed(let count): strings.counted(.refreshedSome, count)
    case .failed(let error):
      "✗ " + strings(.retryWith, ErrorText.text(error, strings), "R")
    case .hint(let hint): strings[phrase(for: hint)]
    case .words(let text): text
    }
  }

  private static func phrase(for hint: Notice.Hint) -> Phrase {
    switch hint {
    case .noSearch: .hintNoSearch
    case .noOrder: .hintNoOrder
    case .nothingToRetry: .hintNothingToRetry
    case .mouseReleased: .hintMouseReleased
    case .mouseCaptured: .hintMouseCaptured
    case .noUTF8Locale: .hintNoUTF8
    }
  }
}
