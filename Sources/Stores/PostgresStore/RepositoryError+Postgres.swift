import MarketModel

extension RepositoryError {
  /// What an error of the database means to whoever asked the store.
  init(_ error: PostgresError) {
    self =
      switch error {
      case .disconnected(let reason): .store(.unavailable(reason))
      case .commitUnknown: .store(.unavailable("the connection was lost during a commit"))
      case .conflict, .timedOut: .store(.locked)
      case .cancelled: .cancelled
      case .diskFull: .store(.diskFull)
      case .readOnly: .store(.readOnly)
      case .refused(let reason): .store(.cannotOpen(reason))
      case .newerVersion: .store(.newerVersion)
      case .otherEncoding(let name): .store(.otherEncoding(name))
      case .failed(let state): .store(.failed(code: Int32(state, radix: PostgresStore.radix) ?? 0))
      }
  }
}

extension PostgresStore {
  /// Codes of errors are five digits and capital letters.
  fileprivate static let radix = 36

  /// The code, as PostgreSQL writes it, that a `StoreFailure.failed` stands for.
  package static func state(of code: Int32) -> String {
    let digits = String(code, radix: radix, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}
