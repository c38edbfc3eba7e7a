import MarketModel
import SQLiteKit

extension SQLiteStore {
  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let lock = try await read(pages) { connection throws(DatabaseError) in
      try connection.lock(of: id)
    }
    guard let lock else { throw .notFound }
    // The owner first: it costs nothing, and a stranger learns nothing about the password.
    if case .seller(let identifier) = author, !lock.opens(for: SellerKey(identifier)) {
      throw .notOwner
    }
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
    let now = now()
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) -> Outcome<ProductDetail> in
        guard let present = try connection.detail(of: id) else { return .failure(.notFound) }
        if let refusal = patch.refusal(over: present, expecting: expected) {
          return .failure(refusal)
        }
        guard !patch.isEmpty else { return .success(present) }
        try connection.apply(patch, to: present, files: files, now: now, grams: grams)
        return try connection.detail(of: id).map { .success($0) } ?? .failure(.notFound)
      }
    }.get()
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) -> Outcome<ProductDetail> in
        guard let present = try connection.detail(of: id) else { return .failure(.notFound) }
        try connection.delete(present, grams: grams)
        return .success(present)
      }
    }.get()
  }
}

extension ProductPatch {
  /// Why these changes are not made; nil where they may be.
  fileprivate func refusal(
    over present: ProductDetail, expecting expected: ProductVersion?
  ) -> RepositoryError? {
    if let expected, expected != present.version { return .conflict(current: present) }
    let problems = StorageRules.problems(of: self, over: present)
    return problems.isEmpty ? nil : .invalid(problems)
  }
}

extension ProductPatch.Pictures {
  /// The files that are to be added, in order.
  fileprivate var newFiles: [[UInt8]] {
    guard case .list(let elements) = self else { return [] }
    return elements.compactMap { element in
      guard case .new(let file) = element else { return nil }
      return file
    }
  }
}
