package import MarketModel
package import SafeText

/// Something that happened and that the bottom bar says until the next key.
package enum Notice: Hashable, Sendable {
  /// A refresh came back; `newProducts` were not there before.
  case refreshed(newProducts: Int)
  case failed(RepositoryError)
  /// The terminal cannot do something that was asked for.
  case hint(Hint)
  /// Something that only the program around can word.
  case words(SafeText)

  package enum Hint: Hashable, Sendable {
    case noSearch
    case noOrder
    case nothingToRetry
    case mouseReleased
    case mouseCaptured
    case noUTF8Locale
  }
}
