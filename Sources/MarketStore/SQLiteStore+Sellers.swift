import MarketModel
import SQLiteKit

extension SQLiteStore {
  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller {
    let key = SellerKey(identifier)
    let known = try await read(pages) { connection throws(DatabaseError) in
      try connection.knownSeller(key)
    }
    if let known { return known }
    return try await write { connection throws(DatabaseError) in
      try connection.writing { () throws(DatabaseError) in try connection.seller(key) }
    }
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let key = SellerKey(identifier)
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writing { () throws(DatabaseError) in
        var seller = try connection.seller(key)
        if seller.name != name { try connection.rename(seller, to: name, grams: grams) }
        seller.name = name
        return seller
      }
    }
  }
}
