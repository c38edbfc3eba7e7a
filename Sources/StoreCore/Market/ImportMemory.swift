import MarketModel

/// What an import has found out about a store and need not ask again.
package struct ImportMemory: Sendable {
  /// Ids up to this one may have been those of products that were deleted.
  private let highestOwnID: Int64
  package var sellers = RecentValues<ArchivedSeller, Seller>()
  /// Keys of passwords by their hashes.
  package var passwords = RecentValues<String, Int64>()

  /// - Parameter highest: the highest id that a product of the store has ever had.
  package init(highestOwnID highest: Int64) {
    highestOwnID = highest
  }

  /// The number that a product may keep: one that none of this store has had, and in no way out of
  /// proportion, or later products would find none.
  package func keptID(of product: ArchivedProduct) -> Int64? {
    guard let id = product.id?.rawValue, id > highestOwnID, StoredNumbers.keptIDs.contains(id)
    else {
      return nil
    }
    return id
  }
}

extension ArchivedSeller {
  /// The number that the seller may keep where nobody has it: below 0 for who cannot sign in.
  ///
  /// In no way out of proportion, as with products: numbers that follow have to find room.
  package var keptID: Int64? {
    guard let id = id?.rawValue else { return nil }
    let range = StoredNumbers.keptIDs
    let isSound =
      identifierHash == nil ? (-range.upperBound..<0).contains(id) : range.contains(id)
    return isSound ? id : nil
  }
}
