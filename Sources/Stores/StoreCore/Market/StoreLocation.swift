import TextCoding

/// Location of a market: a file or a PostgreSQL database.
package enum StoreLocation: Hashable, Sendable {
  /// The path of a market file.
  case file(String)
  /// The connection URI of a PostgreSQL database, which may hold a password.
  case database(String)

  private static let schemes = ["postgresql://", "postgres://"]

  /// Keywords of libpq's keyword/value connection strings (PostgreSQL, "Connection Strings").
  private static let parameters: Set = [
    "application_name", "connect_timeout", "dbname", "host", "hostaddr", "options", "passfile",
    "password", "port", "service", "sslmode", "target_session_attrs", "user",
  ]

  /// Error in the location of a store on a command line.
  package enum Mistake: Error, Hashable, Sendable {
    /// `host=... dbname=...`, which would otherwise be taken for a file name.
    case pairs
    /// A password in an argument, which the list of processes shows.
    case openPassword
  }

  /// The location that a command-line argument names: a file's path or a connection URI.
  ///
  /// The list of processes shows arguments to every user of the machine, so a password is accepted only
  /// where `allowsPassword` is true.
  ///
  /// - Throws: `.pairs` for a keyword/value string; `.openPassword` for a password that is not allowed.
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

  /// Whether it is a connection URI with a password.
  package var holdsPassword: Bool {
    guard case .database(let address) = self else { return false }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let user = parts[0].drop { $0 != ":" }.dropFirst("://".count)
    // A valid URI has its last @ before the host.
    if let sign = user.lastIndex(of: "@"), user[..<sign].contains(":") { return true }
    // libpq reads names of parameters percent-decoded.
    return parts.count > 1
      && parts[1].split(separator: "&").contains { pair in
        PercentCoding.decode(pair.prefix { $0 != "=" }).lowercased().hasSuffix("password")
      }
  }

  /// Takes a file's path or a connection URI, as `--store` does.
  package init(_ text: String) {
    let isAddress = Self.schemes.contains { text.lowercased().hasPrefix($0) }
    self = isAddress ? .database(text) : .file(text)
  }

  /// A command-line argument for messages: a connection URI in it is cut after its scheme, since the rest
  /// may hold a password.
  package static func withoutAddress(_ word: String) -> String {
    for scheme in schemes {
      if let start = word.firstRange(of: scheme) { return word[..<start.upperBound] + "…" }
    }
    return word
  }
}

/// Result of inspecting a store without changing it.
package struct StoreInspection: Hashable, Sendable {
  /// State of the tables.
  package enum Tables: Hashable, Sendable {
    /// No tables; the next opening creates them.
    case missing
    /// Of a lower version; the next opening migrates them.
    case outdated(version: Int)
    case current
  }

  package var tables: Tables
  /// The version of the tables that this program uses.
  package var version: Int
  package var isWritable: Bool

  package init(_ tables: Tables, version: Int, isWritable: Bool) {
    self.tables = tables
    self.version = version
    self.isWritable = isWritable
  }
}
