/// Where a market is kept.
package enum MarketPlace: Hashable, Sendable {
  /// The path of a market file.
  case file(String)
  /// The address of a PostgreSQL database, which may hold a password.
  case database(String)

  private static let schemes = ["postgresql://", "postgres://"]

  /// - Parameter text: a file's path or a database's address, as `--store` takes either.
  package init(_ text: String) {
    let isAddress = Self.schemes.contains { text.hasPrefix($0) }
    self = isAddress ? .database(text) : .file(text)
  }

  /// A word of a command line for messages: of an address in it the scheme is left, since the rest may
  /// hold a password.
  package static func withoutAddress(_ word: String) -> String {
    for scheme in schemes {
      if let start = word.firstRange(of: scheme) { return word[..<start.upperBound] + "…" }
    }
    return word
  }
}
