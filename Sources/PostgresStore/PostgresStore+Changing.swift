import MarketModel
import MarketStore

extension PostgresStore {
  package func lock(of id: Product.ID) async throws(RepositoryError) -> ProductLock? {
    try await ask(connections) { connection throws(PostgresError) in try connection.lock(of: id) }
  }

  package func earlierRegistration(
    _ intent: RegistrationIntent
  ) async throws(RepositoryError) -> Product.ID? {
    try await ask(connections) { connection throws(PostgresError) in
      try connection.earlierRegistration(intent)
    }
  }

  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail {
    let now = now()
    let words = words
    // By its key a registration happens once, however often it is run.
    return try await write(isRepeatable: true) { connection throws(PostgresError) in
      try connection.register(draft, for: intent, now: now, words: words)
    }
  }

  package func apply(
    _ patch: ProductPatch, to id: Product.ID, files: [PreparedPicture],
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let now = now()
    let words = words
    return try await write { connection throws(PostgresError) -> Outcome<ProductDetail> in
      guard let present = try connection.detail(of: id, lock: .forChanging) else {
        return .failure(.notFound)
      }
      if let refusal = patch.refusal(over: present, expecting: expected) {
        return .failure(refusal)
      }
      guard !patch.isEmpty else { return .success(present) }
      try connection.apply(patch, to: present, files: files, now: now, words: words)
      return try connection.detail(of: id).map { .success($0) } ?? .failure(.notFound)
    }
  }

  package func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await write { connection throws(PostgresError) -> Outcome<ProductDetail> in
      guard let present = try connection.detail(of: id, lock: .forChanging),
        let lock = try connection.lock(of: id)
      else { return .failure(.notFound) }
      guard lock.opens(for: author) else { return .failure(.notOwner) }
      try connection.delete(present)
      return .success(present)
    }
  }

  package func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    try await ask(connections) { connection throws(PostgresError) in
      try connection.file(ofPicture: hash, rendition)
    }
  }
}
