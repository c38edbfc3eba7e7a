import MarketModel

extension InMemoryProductRepository {
  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let entry = try entry(of: id)
    let owner = entry.detail.product.seller.id
    if case .seller = author, owner != Seller.guest.id, owner != seller(behind: author).id {
      throw .notOwner
    }
    guard entry.password == nil || entry.password == password.copy else { throw .wrongPassword }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    sellers[identifier]
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(name)
    guard problems.isEmpty else { throw .invalid(problems) }
    var seller = seller(behind: .seller(identifier))
    seller.name = name
    sellers[identifier] = seller
    for id in entries.keys where entries[id]?.detail.product.seller.id == seller.id {
      entries[id]?.detail.product.seller = seller
    }
    return seller
  }

  func seller(behind author: Author) -> Seller {
    guard case .seller(let identifier) = author else { return .guest }
    if let known = sellers[identifier] { return known }
    let seller = Seller(unnamed: Seller.ID(rawValue: Int64(sellers.count) + 1))
    sellers[identifier] = seller
    return seller
  }
}

extension Password {
  /// The bytes, to be compared; in tests only.
  var copy: [UInt8] { withBytes { Array($0) } }
}
