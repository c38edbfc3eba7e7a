import MarketModel

extension StoredMarket {
  package func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting {
    let problems = name.map(StorageRules.sellerName) ?? []
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, words) = (SellerKey(identifier), words)
    return try await writing(isRepeatable: true) { tables throws(Tables.Failure) in
      let known = try tables.knownSeller(key)
      if let number, number != known?.id {
        if try tables.isTaken(number.rawValue) { return .success(.numberTaken) }
        if let known, try tables.sells(known.id) { return .success(.sells(as: known)) }
      }
      var seller = try tables.seller(key, known, number: number)
      // A name that was made of the number before follows it.
      let name = name ?? (known?.isNamed == true ? seller.name : Seller(unnamed: seller.id).name)
      if name != seller.name {
        try tables.rename(seller, to: name, words: words)
        seller.name = name
      }
      return .success(.set(seller))
    }
  }

  package func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let words = words
    return try await writing(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.heldDetail(of: id) else { return .failure(.notFound) }
      try tables.delete(present, words: words)
      return .success(present)
    }
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller {
    try await writing(isRepeatable: true) { tables throws(Tables.Failure) in
      try tables.setBlocked(isBlocked, seller).map { .success($0) } ?? .failure(.notFound)
    }
  }
}

extension ImportTables {
  /// The seller of an identifier under a number that is free, or its own; nil is any.
  fileprivate func seller(
    _ key: SellerKey, _ known: Seller?, number: Seller.ID?
  ) throws(Failure) -> Seller {
    guard let number, number != known?.id else {
      if let known { return known }
      return try seller(key)
    }
    guard let known else {
      let archived = ArchivedSeller(
        id: number, name: Seller(unnamed: number).name, identifierHash: key.hash)
      _ = try add(archived, number: number.rawValue)
      return Seller(unnamed: number)
    }
    try renumber(known.id, to: number)
    return Seller(id: number, name: known.name)
  }
}
