import MarketModel

/// What a call comes to where the store may refuse it.
typealias Outcome<Value> = Result<Value, RepositoryError>

extension RepositoryError {
  /// What an error of the database means to whoever asked the store.
  init(_ error: PostgresError) {
    self =
      switch error {
      case .disconnected: .unreachable(.disconnected)
      case .commitUnknown: .store(.failed(code: 0))
      case .conflict, .timedOut: .store(.locked)
      case .cancelled: .cancelled
      case .diskFull: .store(.diskFull)
      case .readOnly: .store(.readOnly)
      case .refused(let reason): .store(.cannotOpen(reason))
      case .newerVersion: .store(.newerVersion)
      // The five characters are digits and capital letters.
      case .failed(let state): .store(.failed(code: Int32(state, radix: 36) ?? 0))
      }
  }
}
