import MarketModel
import SQLiteKit

extension SQLiteStore {
  package func lock(of id: Product.ID) async throws(RepositoryError) -> ProductLock? {
    try await read(pages) { connection throws(DatabaseError) in try connection.lock(of: id) }
  }

  package func earlierRegistration(
    _ intent: RegistrationIntent
  ) async throws(RepositoryError) -> Product.ID? {
    try await read(pages) { connection throws(DatabaseError) in
      try connection.earlierRegistration(intent)
    }
  }

  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail {
    let now = now()
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) in
        try connection.register(draft, for: intent, now: now, grams: grams)
      }
    }.get()
  }

  package func apply(
    _ patch: ProductPatch, to id: Product.ID, files: [PreparedPicture],
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
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

  package func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    try await read(files) { connection throws(DatabaseError) in
      try connection.file(ofPicture: hash, rendition)
    }
  }
}
