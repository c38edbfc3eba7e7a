import MarketModel
import SQLiteKit

/// Result of one step that renews the search index, after a change of the folding or of a seller's name.
///
/// The tables hold what is not renewed yet, so that any server may go on.
package enum IndexRenewal: Sendable {
  case done
  /// Some products were renewed; `share` is the renewed part of all products, 0 to 1, nil for names.
  case renewed(share: Double?)
  /// Another server is renewing the others.
  case elsewhere
}

/// What of the search index is renewed.
private enum RenewedPart {
  /// All texts, after a change of the folding.
  case folding
  /// The names of renamed sellers. A rename itself indexes only the newest products; the others follow
  /// from the newest to the oldest.
  case names
}

extension StoredMarket {
  /// Goes on in the background with renewals that another program has not finished.
  /// - Throws: `.store` where the tables cannot be read; `.cancelled`.
  package func resumeRenewals() async throws(RepositoryError) {
    let tokenizer = tokenizer
    let (hasPreviousNames, share) = try await read(.statements) { database throws(StoreError) in
      (try database.hasPreviousNames(), try database.renewedShare(tokenizer))
    }
    if hasPreviousNames { renewInBackground(.names) }
    indexing.set(to: share)
    if share != nil { renewInBackground(.folding) }
  }

  /// Indexes all products by their sellers' names, and returns when this or another server has done so.
  /// - Throws: `.store` where the tables cannot be written; `.cancelled`.
  package func renewNames() async throws(RepositoryError) {
    while let pause = try await renewSome(.names) {
      do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    }
  }

  /// Like `renewNames()`, in the background until the store is released.
  func renewNamesInBackground() { renewInBackground(.names) }

  private func renewInBackground(_ part: RenewedPart) {
    Task.detached(priority: .utility) { [weak self] in
      while let pause = await self?.pause(afterRenewing: part) { try? await Task.sleep(for: pause) }
      if part == .folding { self?.indexing.set(to: nil) }
    }
  }

  /// Runs one step, and returns the pause before the next; nil after the last.
  private func pause(afterRenewing part: RenewedPart) async -> Duration? {
    do throws(RepositoryError) {
      return try await renewSome(part)
    } catch {
      // Where the tables cannot be written, the next rename or start goes on.
      return error.isTransient && error != .cancelled ? .seconds(1) : nil
    }
  }

  /// Runs one step, and returns the pause before the next, in which other writers get their turn; nil
  /// after the last.
  private func renewSome(_ part: RenewedPart) async throws(RepositoryError) -> Duration? {
    let tokenizer = tokenizer
    let renewal = try await write(isRepeatable: true) { database throws(StoreError) in
      .success(
        part == .names
          ? try SellerNameIndex(database, tokenizer).renew() : try database.renewIndex(tokenizer))
    }
    switch renewal {
    case .done: return nil
    case .renewed(let share):
      if let share { indexing.set(to: share) }
      return .milliseconds(5)
    case .elsewhere: return part == .names ? .milliseconds(100) : .seconds(1)
    }
  }
}
