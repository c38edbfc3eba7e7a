import MarketModel

/// What one transaction does, whichever database it is of.
extension StoredMarket {
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail {
    let (now, words) = (now(), words)
    // By its key a registration happens once, however often it is run.
    return try await writing(isRepeatable: true) { tables throws(Tables.Failure) in
      try tables.register(draft, for: intent, now: now, words: words)
    }
  }

  /// Changes a product in one step, unless `ProductPatch.refusal(over:expecting:)` says no.
  ///
  /// - Parameters:
  ///   - patch: the changes.
  ///   - id: the product.
  ///   - files: the new pictures of the patch, fit to be kept, in its order.
  ///   - expected: the version that was read; nil changes whatever is there.
  /// - Returns: the product as it is now.
  /// - Throws: the refusal, or `.notFound`.
  func apply(
    _ patch: ProductPatch, to id: Product.ID, files: [PreparedPicture],
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let (now, words) = (now(), words)
    return try await writing(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.heldDetail(of: id) else { return .failure(.notFound) }
      if let refusal = patch.refusal(over: present, expecting: expected) {
        return .failure(refusal)
      }
      guard !patch.isEmpty else { return .success(present) }
      try tables.apply(patch, to: present, files: files, now: now, words: words)
      return try tables.detail(of: id).map { .success($0) } ?? .failure(.notFound)
    }
  }

  package func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let words = words
    return try await writing(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.heldDetail(of: id),
        let lock = try tables.lock(of: id, for: author)
      else { return .failure(.notFound) }
      if let refusal = lock.refusal(of: author) { return .failure(refusal) }
      try tables.delete(present, words: words)
      return .success(present)
    }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    let key = SellerKey(identifier)
    return try await asking { tables throws(Tables.Failure) in try tables.knownSeller(key) }
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, words) = (SellerKey(identifier), words)
    return try await writing(isRepeatable: true) { tables throws(Tables.Failure) in
      if try tables.isBlocked(key) { return .failure(.blocked) }
      var seller = try tables.seller(key)
      if seller.name != name { try tables.rename(seller, to: name, words: words) }
      seller.name = name
      return .success(seller)
    }
  }
}
