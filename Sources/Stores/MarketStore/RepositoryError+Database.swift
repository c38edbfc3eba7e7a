import MarketModel
import SQLiteKit
import StoreCore

extension RepositoryError {
  /// What an error of the database means to whoever asked the store.
  init(_ error: DatabaseError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .busy: .store(.locked)
      case .readOnly: .store(.readOnly)
      case .readOnlyFolder: .store(.readOnlyFolder)
      case .full: .store(.diskFull)
      // What a store writes keeps the constraints; only what is there already can be in its way.
      case .damaged, .constraint: .store(.damaged)
      case .foreign: .store(.notAStore)
      case .newerVersion: .store(.newerVersion)
      case .cannotOpen(let reason): .store(.cannotOpen(reason))
      case .failed(let code): .store(.failed(code: code))
      }
  }
}
