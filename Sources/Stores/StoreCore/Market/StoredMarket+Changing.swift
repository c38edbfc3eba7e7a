import MarketModel

/// Registering, changing and deleting products: what costs much comes before the transaction, which
/// asks again.
extension StoredMarket {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let problems = StorageRules.problems(of: registration)
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    guard problems.isEmpty, let price else { throw .invalid(problems) }
    let intent = RegistrationIntent(author: author, key: key, registration)
    let (isBlocked, isKnown) = try await read(.statements) { tables throws(Tables.Failure) in
      (
        try tables.sellers.isBlocked(intent.seller),
        try tables.registrations.earlier(intent) != nil
      )
    }
    if isBlocked { throw .blocked }
    if isKnown, let answer = try await answer(to: intent) { return answer }
    let pictures = try await prepare(registration.pictures)
    let hash = try await hash(registration.password)
    let draft = RegistrationDraft(
      registration, price: price, pictures: pictures, passwordHash: hash)
    return try await register(draft, for: intent)
  }

  private func answer(
    to intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail? {
    try await read(.oneState) { tables throws(Tables.Failure) in try tables.answer(to: intent) }?
      .get()
  }

  private func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail {
    let (now, tokenizer) = (now(), tokenizer)
    // By its key a registration happens once, however often it is run.
    return try await write(isRepeatable: true) { tables throws(Tables.Failure) in
      if let answer = try tables.answer(to: intent) { return answer }
      var seller = Seller.guest
      if let key = intent.seller { seller = try tables.sellers.seller(key) }
      let detail = try tables.registrations.register(
        draft, of: seller, for: intent, now: now, tokenizer: tokenizer)
      return detail.map { .success($0) } ?? .failure(.notFound)
    }
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let lock = try await read(.statements) { tables throws(Tables.Failure) in
      try tables.products.lock(of: id, for: author)
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
    // Refused before the pictures are worked on.
    let present = try await detail(of: id)
    if let refusal = patch.refusal(over: present, expecting: expected) { throw refusal }
    let files = try await prepare(patch.pictures?.newFiles ?? [])
    return try await apply(patch, to: id, files: files, expecting: expected)
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
  private func apply(
    _ patch: ProductPatch, to id: Product.ID, files: [PreparedPicture],
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let (now, tokenizer) = (now(), tokenizer)
    return try await write(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.products.heldDetail(of: id) else {
        return .failure(.notFound)
      }
      if let refusal = patch.refusal(over: present, expecting: expected) {
        return .failure(refusal)
      }
      guard !patch.isEmpty else { return .success(present) }
      try tables.changes.apply(patch, to: present, files: files, now: now, tokenizer: tokenizer)
      return try tables.products.detail(of: id).map { .success($0) } ?? .failure(.notFound)
    }
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
    let tokenizer = tokenizer
    return try await write(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.products.heldDetail(of: id),
        let lock = try tables.products.lock(of: id, for: author)
      else { return .failure(.notFound) }
      if let refusal = lock.refusal(of: author) { return .failure(refusal) }
      try tables.changes.delete(present, tokenizer: tokenizer)
      return .success(present)
    }
  }

  package func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let tokenizer = tokenizer
    return try await write(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let present = try tables.products.heldDetail(of: id) else {
        return .failure(.notFound)
      }
      try tables.changes.delete(present, tokenizer: tokenizer)
      return .success(present)
    }
  }

  /// Makes uploaded files fit to be kept.
  private func prepare(_ files: [[UInt8]]) async throws(RepositoryError) -> [PreparedPicture] {
    var pictures: [PreparedPicture] = []
    for file in files {
      do {
        pictures.append(try await pictureProcessor.prepare(file))
      } catch .cancelled {
        throw .cancelled
      } catch .tooLarge {
        let problem = FieldError.Problem.pictureTooLarge(maximumBytes: StorageRules.pictureBytes)
        throw .invalid([FieldError(.pictures, problem)])
      } catch {
        throw .invalid([FieldError(.pictures, .unsupportedPicture)])
      }
    }
    return pictures
  }

  private func hash(_ password: Password) async throws(RepositoryError) -> String {
    do {
      return try await passwords.hash(password)
    } catch {
      // Argon2id fails for want of memory only.
      throw .store(.failed(code: 0))
    }
  }
}
