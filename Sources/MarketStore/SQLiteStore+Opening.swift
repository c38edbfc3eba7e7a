import Glibc
import MarketModel
import SQLiteKit
import StoreCore

extension SQLiteStore {
  /// How a store is opened and what it takes from outside.
  package struct Options: Sendable {
    /// Whether a file is made where there is none.
    package var createsFile: Bool
    /// How texts are made comparable in searches; always the same for one file.
    package var fold: TextFolding
    package var passwordCost: PasswordHasher.Cost
    /// How long to wait while another program writes.
    package var busyMilliseconds: Int32
    /// Most pages of 4 KB that the file may have; nil is as many as the disk takes.
    package var maximumPages: Int?
    /// The clock, in seconds since 1970 in UTC.
    package var now: @Sendable () -> Int64

    package init(
      createsFile: Bool = false, fold: @escaping TextFolding,
      passwordCost: PasswordHasher.Cost = .standard, busyMilliseconds: Int32 = 2_000,
      maximumPages: Int? = nil,
      now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
      self.createsFile = createsFile
      self.fold = fold
      self.passwordCost = passwordCost
      self.busyMilliseconds = busyMilliseconds
      self.maximumPages = maximumPages
      self.now = now
    }
  }

  /// Opens a market's file, and brings one of an older version up to date.
  ///
  /// - Parameters:
  ///   - path: the file; its folder exists.
  ///   - pictureProcessor: what makes uploaded pictures fit to be kept.
  ///   - options: see there.
  ///   - sample: what an empty file is filled with, in the same transaction that makes its tables:
  ///     after a crash it is either full or still empty.
  /// - Returns: the store, ready to be asked.
  /// - Throws: `.store` with the reason; the file is then as it was.
  package static func open(
    at path: String, pictureProcessor: any PictureProcessor, options: Options,
    filledWith sample: (@Sendable () -> SeedMarket)? = nil
  ) async throws(RepositoryError) -> SQLiteStore {
    let store = SQLiteStore(path: path, pictureProcessor: pictureProcessor, options: options)
    guard try await !store.isCurrent(mayBeMissing: options.createsFile) else { return store }
    let words = store.words
    try await store.write { connection throws(DatabaseError) in
      try connection.migrate(to: .store) { () throws(DatabaseError) in
        if let sample { try connection.insert(sample(), words: words) }
      }
    }
    return store
  }

  /// Looks over the connection that the first page will need, so that a store in order is opened
  /// once.
  private func isCurrent(mayBeMissing: Bool) async throws(RepositoryError) -> Bool {
    do {
      return try await pages.use { connection throws(DatabaseError) in
        try connection.state(of: .store) == .current
      }
    } catch .cannotOpen where mayBeMissing {
      // The writer makes the file, or says why it cannot.
      return false
    } catch {
      throw RepositoryError(error)
    }
  }
}
