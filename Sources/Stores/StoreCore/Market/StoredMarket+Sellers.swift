import MarketModel
import SQLiteKit

/// Sellers of a market.
extension StoredMarket {
  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    let key = SellerKey(identifier)
    return try await read(.statements) { database throws(StoreError) in
      try database.sellers.known(key)
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(change.name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    let changed = try await write(isRepeatable: true) {
      database throws(StoreError) -> Outcome<(seller: Seller, isRenamed: Bool)> in
      if try database.read(database.sellers.isBlocked(key)) { return .failure(.blocked) }
      let seller = try database.sellers.seller(key)
      let changed = change.applied(to: seller)
      if changed.name != seller.name {
        try SellerNameIndex(database, tokenizer).rename(seller, to: changed.name)
      }
      if changed.contact != seller.contact {
        try database.sellers.setContact(of: seller.id, to: changed.contact)
      }
      if changed != seller { try database.log(renamed: seller.id) }
      return .success((seller: changed, isRenamed: changed.name != seller.name))
    }
    if changed.isRenamed { renewNamesInBackground() }
    return changed.seller
  }

  package func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting {
    let problems = name.map(StorageRules.sellerName) ?? []
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    let setting: SellerSetting = try await write(isRepeatable: true) {
      database throws(StoreError) in
      let sellers = database.sellers
      let known = try sellers.known(key)
      if let number, number != known?.id {
        if try sellers.isTaken(number.rawValue) { return .success(.numberTaken) }
        if let known, try sellers.sells(known.id) { return .success(.sells(as: known)) }
      }
      var seller = try sellers.seller(key, known, number: number)
      // A name derived from the previous number follows the new one.
      let name = name ?? (known?.isNamed == true ? seller.name : Seller(unnamed: seller.id).name)
      if name != seller.name {
        try SellerNameIndex(database, tokenizer).rename(seller, to: name)
        seller.name = name
      }
      if seller != known { try database.log(renamed: seller.id) }
      return .success(.set(seller))
    }
    // An operator's program exits after its answer, and servers beside it do not know of the name. Where
    // the renewal fails the next start repeats it; the seller is renamed all the same.
    try? await renewNames()
    return setting
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller {
    try await write(isRepeatable: true) { database throws(StoreError) in
      guard let changed = try database.sellers.setBlocked(isBlocked, seller) else {
        return .failure(.notFound)
      }
      // The seller's questions are hidden, or shown again.
      try database.questions.recount(askedBy: seller)
      try database.log(renamed: seller)
      return .success(changed)
    }
  }
}
