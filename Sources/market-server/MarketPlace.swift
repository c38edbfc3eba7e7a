import MarketModel
import MarketStore
import PictureKit
import PostgresStore
import SafeText

/// Where the market is that is served.
enum MarketPlace: Hashable {
  case file(String)
  /// The address of a PostgreSQL database, which may hold a password.
  case database(String)

  /// - Parameter text: a file's path or a database's address.
  init(_ text: String) {
    let isAddress = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
    self = isAddress ? .database(text) : .file(text)
  }

  /// Opens the market; a new one where there is none.
  func open() async throws(RepositoryError) -> any ServedMarket {
    switch self {
    case .file(let path):
      try await SQLiteStore.open(
        at: path, pictureProcessor: UploadPreparer(),
        options: SQLiteStore.Options(createsFile: true, fold: { $0.folded }))
    case .database(let address):
      try await PostgresStore.open(
        at: address, pictureProcessor: UploadPreparer(),
        options: PostgresStore.Options(fold: { $0.folded }))
    }
  }

  /// Why it cannot be served, in one sentence.
  func sentence(on error: RepositoryError) -> String {
    guard case .store(let failure) = error else { return "\(name) cannot be opened" }
    return switch failure {
    case .damaged: "\(name) is damaged"
    case .locked: "\(name) is held by another program"
    case .readOnly: "\(name) cannot be written to"
    case .diskFull: "there is no room for \(name)"
    case .newerVersion: "\(name) was written by a newer version"
    case .cannotOpen(let reason): "\(name) cannot be opened: \(reason)"
    case .notAStore: "\(name) is no market file"
    case .failed(let code): "\(name) cannot be used: \(problem(code))"
    }
  }

  /// What it is called; of an address nothing is repeated.
  private var name: String {
    switch self {
    case .file(let path): path
    case .database: "the database"
    }
  }

  private func problem(_ code: Int32) -> String {
    switch self {
    case .file: "SQLite says \(code)"
    case .database: "PostgreSQL says \(PostgresStore.state(of: code))"
    }
  }
}
