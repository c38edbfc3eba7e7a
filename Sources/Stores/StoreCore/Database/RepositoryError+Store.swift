import MarketModel
import SQLiteKit

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
      case .fileSystemLacks(.locks): .store(.noLocks)
      case .fileSystemLacks(.sharedMemory): .store(.noSharedMemory)
      // The stores' own statements satisfy the constraints; only existing rows can violate them.
      case .damaged, .constraint: .store(.damaged)
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
