import MarketModel
import SQLiteKit

/// Registering, changing and deleting products.
///
/// Expensive work is done before the transaction, which checks everything again.
extension StoredMarket {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let problems = StorageRules.problems(of: registration)
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    guard problems.isEmpty, let price else { throw .invalid(problems) }
    let intent = RegistrationIntent(author: author, key: key, registration)
    let (isBlocked, earlier) = try await read(.statements) { database in
      together(
        database.sellers.isBlocked(intent.seller), database.registrations.earlier(intent))
    }
    if isBlocked { throw .blocked }
    if let earlier {
      return try await read(.oneState) { $0.registrations.answer(earlier, to: intent) }.get()
    }
    let prepared = try await prepare(registration.pictures)
    let hash = try await passwords.hash(registration.password)
    let files = try await upload(prepared)
    let product = ArchivedProduct(registration, price: price, passwordHash: hash, at: now())
    // The key makes a registration unique, however often it is run.
    let registered = try await write(isRepeatable: true) { database throws(StoreError) in
      try database.registrations.register(product, files, for: intent, indexing: self.indexText)
    }
    guard let registered else { throw .notFound }
    return registered
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let lock = try await read(.statements) { $0.products.lock(of: id, for: author) }
    guard let lock else { throw .notFound }
    try await verify(password, against: lock, by: author)
  }

  private func verify(
    _ password: Password, against lock: ProductLock, by author: Author
  ) async throws(RepositoryError) {
    // The owner is checked first: it costs nothing, and another seller learns nothing about the password.
    if let refusal = lock.refusal(of: author) { throw refusal }
    guard try await passwords.matches(password, lock.passwordHash) else { throw .wrongPassword }
  }

  /// Whether the stored password hash of a product equals this text, as in a sample market; any other
  /// password has a salt of its own.
  package func hasPasswordHash(_ passwordHash: String, for id: Product.ID) async -> Bool {
    let lock = try? await read(.statements) { $0.products.lock(of: id, for: .guest) }
    return lock?.passwordHash == passwordHash
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let (present, lock) = try await read(.oneState) { database in
      together(database.products.detail(of: id), database.products.lock(of: id, for: author))
    }
    guard let present, let lock else { throw .notFound }
    try await verify(password, against: lock, by: author)
    // Refused before the pictures are processed.
    if let refusal = patch.refusal(over: present, expecting: expected) { throw refusal }
    let files = try await upload(try await prepare(patch.pictures?.newFiles ?? []))
    let (now, tokenizer) = (now(), tokenizer)
    let changed = try await write(isRepeatable: false) {
      database throws(StoreError) -> Outcome<Reading<ProductDetail?>> in
      guard let present = try database.products.lockedDetail(of: id) else {
        return .failure(.notFound)
      }
      if let refusal = patch.refusal(over: present, expecting: expected) {
        return .failure(refusal)
      }
      guard !patch.isEmpty else { return .success(Reading(present)) }
      try database.changes.apply(patch, to: present, files: files, now: now, tokenizer)
      return .success(database.products.detail(of: id))
    }
    guard let changed else { throw .notFound }
    return changed
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    return try await delete(id, by: author)
  }

  package func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await deleteProduct(id, by: author)
  }

  package func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await deleteProduct(id, by: nil)
  }

  /// Deletes a product that its author may delete; nil is the operator, who may delete any.
  private func deleteProduct(
    _ id: Product.ID, by author: Author?
  ) async throws(RepositoryError) -> ProductDetail {
    let tokenizer = tokenizer
    return try await write(isRepeatable: false) { database throws(StoreError) in
      guard let present = try database.products.lockedDetail(of: id) else {
        return .failure(.notFound)
      }
      if let author {
        let lock = try database.read(database.products.lock(of: id, for: author))
        guard let lock else { return .failure(.notFound) }
        if let refusal = lock.refusal(of: author) { return .failure(refusal) }
      }
      try database.changes.delete(present, tokenizer)
      return .success(present)
    }
  }

  package func setPassword(
    _ password: Password, of id: Product.ID
  ) async throws(RepositoryError) -> Product {
    let problems = StorageRules.password(password)
    guard problems.isEmpty else { throw .invalid(problems) }
    let hash = try await passwords.hash(password)
    return try await write(isRepeatable: true) { database throws(StoreError) in
      guard let present = try database.products.lockedDetail(of: id) else {
        return .failure(.notFound)
      }
      try database.changes.setPassword(of: id, toHash: hash)
      try database.attempts.deleteAll(on: id)
      return .success(present.product)
    }
  }
}
