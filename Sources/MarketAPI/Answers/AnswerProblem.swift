import MarketModel

/// Why an answer, or one row of it, cannot be read.
enum AnswerProblem: Error, Hashable, Sendable {
  /// Markup where data was expected: whatever answers is no market.
  case markup
  case notJSON(JSONError)
  /// A key that must be there is absent or null.
  case missing(String)
  /// The value of a key is of another type or beyond what it may be.
  case unreadable(String)

  /// The problem as the repository reports it.
  var error: RepositoryError {
    switch self {
    case .markup: .badAnswer(.notAMarket)
    case .notJSON, .missing, .unreadable: .badAnswer(.unreadable)
    }
  }
}
