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

/// Writer of the names of sellers, by which the search index finds their products.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct SellerNameIndex {
  /// Number of the seller's newest products that are indexed before a rename is answered.
  package static let productsAtOnce = 50

  /// Locks the products before their texts are read, so that a concurrent edit neither writes the previous
  /// name afterwards nor is lost.
  private static let newest = DialectSQL { sql in
    """
    SELECT id FROM product\(sql.indexed(by: "product_of_seller"))
    WHERE seller = $1 AND newness >= $2 ORDER BY newness LIMIT $3\(sql.locking("FOR NO KEY UPDATE"))
    """
  }

  private let database: any MarketDatabase
  private let tokenizer: SearchTokenizer

  package init(_ database: any MarketDatabase, _ tokenizer: SearchTokenizer) {
    self.database = database
    self.tokenizer = tokenizer
  }

  /// Renames a seller, and indexes its newest products by the new name; `renew(atMost:)` indexes the others.
  ///
  /// The seller is locked first, so that no product is registered under the old name meanwhile.
  package func rename(
    _ seller: Seller, to name: String, atOnce count: Int = productsAtOnce
  ) throws(StoreError) {
    try database.setName(of: seller, to: name)
    _ = try renewNewest(count, of: seller.id, upTo: .max)
  }

  /// Indexes some products by the current name of their seller.
  package func renew(atMost count: Int? = nil) throws(StoreError) -> IndexRenewal {
    guard let (seller, last) = try database.nextRenamed() else {
      return try database.hasPreviousNames() ? .elsewhere : .done
    }
    // Some 50 µs each in a file.
    let count = count ?? (database.dialect == .sqlite ? 200 : 500)
    // Caches of searches by the old name are invalidated.
    if try renewNewest(count, of: seller, upTo: last) { try database.log(renamed: seller) }
    return .renewed(share: nil)
  }

  /// Indexes the newest products up to an id by their seller's name, and records which others have a
  /// previous one; true where none have.
  private func renewNewest(
    _ count: Int, of seller: Seller.ID, upTo last: Int64
  ) throws(StoreError) -> Bool {
    let ids = try database.all(
      Self.newest[database.dialect],
      [.integer(seller.rawValue), .integer(0 &- last), .integer(Int64(count))]
    ) { row throws(StoreError) in try row.productID(0).orDamaged() }
    if !ids.isEmpty { try database.indexName(of: seller, in: ids, tokenizer) }
    let next = ids.count == count ? ids.last.map { $0.rawValue - 1 } : nil
    try database.recordPreviousNames(of: seller, upTo: next)
    return next == nil
  }
}
