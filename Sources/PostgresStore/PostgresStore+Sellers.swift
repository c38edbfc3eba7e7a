import MarketModel
import MarketStore

extension PostgresStore {
  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller {
    let key = SellerKey(identifier)
    let known = try await ask(connections) { connection throws(PostgresError) in
      try connection.knownSeller(key)
    }
    if let known { return known }
    return try await write(isRepeatable: true) { connection throws(PostgresError) in
      .success(try connection.seller(key))
    }
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let key = SellerKey(identifier)
    let words = words
    return try await write(isRepeatable: true) { connection throws(PostgresError) in
      var seller = try connection.seller(key)
      if seller.name != name { try connection.rename(seller, to: name, words: words) }
      seller.name = name
      return .success(seller)
    }
  }
}
