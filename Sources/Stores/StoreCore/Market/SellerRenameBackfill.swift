import MarketModel
import SQLiteKit

/// Result of one step that brings the names of renamed sellers into the search index.
///
/// A rename itself indexes only the newest products. The others follow in steps, from the newest to the
/// oldest. The tables hold what is left, so that any server may go on.
package enum SellerRenameBackfill: Sendable {
  /// Number of the seller's newest products that are indexed before a rename is answered.
  package static let productsAtOnce = 50

  /// All products are indexed by their sellers' current names.
  case done
  /// Some products of a seller were indexed.
  case renewed(Seller.ID, isLast: Bool)
  /// Another server is indexing what is left.
  case elsewhere

  /// Pause before the next step, in which other writers get their turn; nil after the last.
  fileprivate var pause: Duration? {
    switch self {
    case .done: nil
    case .renewed: .milliseconds(5)
    case .elsewhere: .milliseconds(100)
    }
  }
}

extension StoredMarket {
  /// Indexes all names, and returns when this or another server has done so.
  /// - Throws: `.store` where the tables cannot be written; `.cancelled`.
  package func renewNames() async throws(RepositoryError) {
    try await repeatTurns { () throws(RepositoryError) in try await renewSomeNames().pause }
  }

  /// Repeats `turn` until it returns nil; sleeps for the duration that it returns.
  /// - Throws: what `turn` throws; `.cancelled`.
  func repeatTurns(
    _ turn: () async throws(RepositoryError) -> Duration?
  ) async throws(RepositoryError) {
    while let pause = try await turn() {
      do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    }
  }

  /// Like `renewNames()`, in the background until the store is released.
  package func followNames() {
    Task.detached(priority: .utility) { [weak self] in
      while let pause = await self?.pauseAfterNames() { try? await Task.sleep(for: pause) }
    }
  }

  /// Runs one step and returns the pause before the next; nil after the last.
  private func pauseAfterNames() async -> Duration? {
    do throws(RepositoryError) {
      return try await renewSomeNames().pause
    } catch {
      // Where the tables cannot be written, the next rename or start goes on.
      return error.isTransient && error != .cancelled ? .seconds(1) : nil
    }
  }

  private func renewSomeNames() async throws(RepositoryError) -> SellerRenameBackfill {
    let tokenizer = tokenizer
    return try await write(isRepeatable: true) { database throws(StoreError) in
      let renewal = try SellerNames(database, tokenizer).renew()
      // Caches of searches by the old name are invalidated.
      if case .renewed(let seller, isLast: true) = renewal { try database.log(renamed: seller) }
      return .success(renewal)
    }
  }
}
