import MarketModel

extension StoredMarket {
  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let lock = try await asking { tables throws(Tables.Failure) in
      try tables.lock(of: id, for: author)
    }
    guard let lock else { throw .notFound }
    // The owner first: it costs nothing, and a stranger learns nothing about the password.
    if let refusal = lock.refusal(of: author) { throw refusal }
    guard await passwords.matches(password, lock.passwordHash) else { throw .wrongPassword }
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    // Refused before the pictures are worked on; the transaction asks again.
    let present = try await detail(of: id)
    if let refusal = patch.refusal(over: present, expecting: expected) { throw refusal }
    let files = try await prepare(patch.pictures?.newFiles ?? [])
    return try await apply(patch, to: id, files: files, expecting: expected)
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    return try await delete(id, by: author)
  }
}
