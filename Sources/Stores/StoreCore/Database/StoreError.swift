import MarketModel
import SQLiteKit

/// Failure of the database of a market, by what a caller can do about it.
package enum StoreError: Error, Hashable, Sendable {
  /// The database does not answer, or the connection was lost; an uncommitted transaction is undone.
  case disconnected(String)
  /// The connection was lost during a commit, which may have happened or not.
  case commitUnknown
  /// Another transaction was in the way; the same transaction may be run again.
  case conflict
  /// The statement or the wait for the database took longer than its limit.
  case timedOut
  case cancelled
  /// The disk is full.
  case full
  case readOnly
  /// The file may be readable, but not without writing beside it (https://www.sqlite.org/wal.html,
  /// "Read-Only Databases").
  case readOnlyFolder
  /// Stored data contradicts itself or cannot be read.
  case damaged
  /// The file is no database, or a database of another program.
  case foreign
  /// A newer version of the program made the tables.
  case newerVersion
  /// A version of the program before its first release made the tables.
  case beforeFirstRelease
  /// The reason as the system or the database words it.
  case cannotOpen(String)
  /// The database keeps texts in this encoding, not in UTF-8.
  case otherEncoding(String)
  /// Anything else: SQLite's extended result code, or PostgreSQL's five characters as a number.
  case failed(code: Int32)

  package init(_ error: DatabaseError) {
    self =
      switch error {
      case .busy: .conflict
      case .readOnly: .readOnly
      case .readOnlyFolder: .readOnlyFolder
      case .full: .full
      // The stores' own statements satisfy the constraints; only existing rows can violate them.
      case .damaged, .constraint: .damaged
      case .foreign: .foreign
      case .newerVersion: .newerVersion
      case .beforeFirstRelease: .beforeFirstRelease
      case .cannotOpen(let reason): .cannotOpen(reason)
      case .cancelled: .cancelled
      case .failed(let code): .failed(code: code)
      }
  }
}

extension StoreError {
  /// SQLSTATE codes are five digits and capital letters.
  private static let radix = 36

  package static func failed(state: String) -> StoreError {
    .failed(code: Int32(state, radix: radix) ?? 0)
  }

  /// The error in a shared database, where one invalid row affects no others: `.damaged` becomes
  /// PostgreSQL's `data_corrupted`.
  package var ofDatabase: StoreError { self == .damaged ? .failed(state: "XX001") : self }

  /// The SQLSTATE, as PostgreSQL writes it, of a `StoreFailure.failed`.
  package static func state(of code: Int32) -> String {
    let digits = String(code, radix: radix, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}

extension RepositoryError {
  /// Maps a database error to the repository's: `.conflict` and `.timedOut` to `.store(.locked)`.
  package init(_ error: StoreError) {
    self =
      switch error {
      case .disconnected(let reason): .store(.unavailable(reason))
      case .commitUnknown: .store(.unconfirmed)
      case .conflict, .timedOut: .store(.locked)
      case .cancelled: .cancelled
      case .full: .store(.diskFull)
      case .readOnly: .store(.readOnly)
      case .readOnlyFolder: .store(.readOnlyFolder)
      case .damaged: .store(.damaged)
      case .foreign: .store(.notAStore)
      case .newerVersion: .store(.newerVersion)
      case .beforeFirstRelease: .store(.beforeFirstRelease)
      case .cannotOpen(let reason): .store(.cannotOpen(reason))
      case .otherEncoding(let name): .store(.otherEncoding(name))
      case .failed(let code): .store(.failed(code: code))
      }
  }
}

extension Optional {
  /// The value, where a row could be read.
  /// - Throws: `.damaged` for nil.
  package func orDamaged() throws(StoreError) -> Wrapped {
    guard let self else { throw .damaged }
    return self
  }
}
