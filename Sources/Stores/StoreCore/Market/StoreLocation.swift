import TextCoding

/// Location of a market: a file or a database.
package enum StoreLocation: Hashable, Sendable {
  /// The path of a market file.
  case file(String)
  /// The address of a PostgreSQL database, which may hold a password.
  case database(String)

  private static let schemes = ["postgresql://", "postgres://"]

  /// Words that addresses in libpq's other form begin with (PostgreSQL, "Connection Strings").
  private static let parameters: Set = [
    "application_name", "connect_timeout", "dbname", "host", "hostaddr", "options", "passfile",
    "password", "port", "service", "sslmode", "target_session_attrs", "user",
  ]

  /// Mistake in the address of a database.
  package enum Mistake: Error, Hashable, Sendable {
    /// `host=... dbname=...`, which would be a file of that name.
    case pairs
    /// A password where the list of processes shows it.
    case openPassword
  }

  /// The location that a word of a command line names: a file's path or a database's address.
  ///
  /// Everybody on this machine can read the word, so a password in it is taken only where
  /// `allowsPassword` says so.
  package init(argument word: String, allowsPassword: Bool) throws(Mistake) {
    let name = word.drop { $0 == " " }.prefix { $0 != "=" }
    if word.contains("="), Self.parameters.contains(name.filter { $0 != " " }) { throw .pairs }
    self.init(word)
    if holdsPassword, !allowsPassword { throw .openPassword }
  }

  package var isDatabase: Bool {
    switch self {
    case .file: false
    case .database: true
    }
  }

  /// Whether it is an address with a password in it.
  package var holdsPassword: Bool {
    guard case .database(let address) = self else { return false }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let user = parts[0].drop { $0 != ":" }.dropFirst("://".count)
    // A readable address has its last @ before the host.
    if let sign = user.lastIndex(of: "@"), user[..<sign].contains(":") { return true }
    // libpq reads names of parameters percent-decoded.
    return parts.count > 1
      && parts[1].split(separator: "&").contains { pair in
        PercentCoding.decode(pair.prefix { $0 != "=" }).lowercased().hasSuffix("password")
      }
  }

  /// Takes a file's path or a database's address, as `--store` does.
  package init(_ text: String) {
    let isAddress = Self.schemes.contains { text.lowercased().hasPrefix($0) }
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

/// Finding of a look at a store that changed nothing.
package struct StoreInspection: Hashable, Sendable {
  /// State of the tables.
  package enum Tables: Hashable, Sendable {
    /// There are none; whoever starts makes them.
    case missing
    /// Of an older version; whoever starts brings them up to date.
    case outdated(version: Int)
    case current
  }

  package var tables: Tables
  /// The version that this program works with.
  package var version: Int
  package var isWritable: Bool

  package init(_ tables: Tables, version: Int, isWritable: Bool) {
    self.tables = tables
    self.version = version
    self.isWritable = isWritable
  }
}
