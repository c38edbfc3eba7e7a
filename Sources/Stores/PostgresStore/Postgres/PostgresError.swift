import MarketModel

/// Failure of a PostgreSQL database, by what a caller can do about it.
///
/// See the appendix "PostgreSQL Error Codes" of its manual.
package enum PostgresError: Error, Hashable, Sendable {
  /// Nothing answers, or the connection is gone; what was not committed has not happened.
  case disconnected(String)
  /// The connection went while a commit was under way: nobody knows whether it happened.
  case commitUnknown
  /// Another transaction was in the way (classes 40 and 55); the same one may be run again.
  case conflict
  /// It took longer than it may.
  case timedOut
  case cancelled
  /// There is no room (53100).
  case diskFull
  case readOnly
  /// The database was refused to us, with the reason.
  case refused(String)
  /// The database keeps texts in this encoding, not in UTF-8.
  case otherEncoding(String)
  /// A newer version of the program made the tables.
  case newerVersion
  /// Anything else, with its code of five characters.
  case failed(state: String)

  /// Tells by an error's code.
  init(state: String, message: String) {
    self =
      switch state {
      // A key or a table that another has just made: it is there when this is run again.
      case "40001", "40P01", "55P03", "23505", "42P07", "42710": .conflict
      case "57014": .timedOut
      case "57P01", "57P02", "57P03": .disconnected(message)
      case "53100": .diskFull
      case "25006": .readOnly
      case _ where state.hasPrefix("08"): .disconnected(message)
      case _ where state.hasPrefix("28") || state == "3D000" || state == "42501": .refused(message)
      default: .failed(state: state)
      }
  }
}

extension RepositoryError {
  /// The failure of the store that an error of the database means.
  init(_ error: PostgresError) {
    self =
      switch error {
      case .disconnected(let reason): .store(.unavailable(reason))
      case .commitUnknown: .store(.unconfirmed)
      case .conflict, .timedOut: .store(.locked)
      case .cancelled: .cancelled
      case .diskFull: .store(.diskFull)
      case .readOnly: .store(.readOnly)
      case .refused(let reason): .store(.cannotOpen(reason))
      case .newerVersion: .store(.newerVersion)
      case .otherEncoding(let name): .store(.otherEncoding(name))
      case .failed(let state):
        .store(.failed(code: Int32(state, radix: PostgresMarketStore.radix) ?? 0))
      }
  }
}

extension PostgresMarketStore {
  /// Codes of errors are five digits and capital letters.
  fileprivate static let radix = 36

  /// The code, as PostgreSQL writes it, that a `StoreFailure.failed` stands for.
  package static func state(of code: Int32) -> String {
    let digits = String(code, radix: radix, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}
