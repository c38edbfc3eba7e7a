import MarketModel
import SQLiteKit

extension SQLiteStore {
  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await read(pages) { connection throws(DatabaseError) in
      var texts: [String] = []
      for id in ids {
        texts.append(try connection.description(of: id, atMost: characters) ?? "")
      }
      return texts
    }
  }

  package func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) -> Outcome<ProductDetail> in
        guard let lock = try connection.lock(of: id), let present = try connection.detail(of: id)
        else { return .failure(.notFound) }
        guard lock.opens(for: author) else { return .failure(.notOwner) }
        try connection.delete(present, grams: grams)
        return .success(present)
      }
    }.get()
  }

  package func changeTries<Answer: Sendable>(
    on id: Product.ID, by origin: TryOrigin,
    _ change: @escaping @Sendable (inout PasswordTries) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let now = now()
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) -> Outcome<Answer> in
        guard let isOpen = try connection.isOpen(id) else { return .failure(.notFound) }
        let place = TryPlace(origin, on: id, isOpen: isOpen)
        var tries = try connection.tries(at: place)
        let answer = change(&tries)
        try connection.keep(tries, at: place, now: now)
        return .success(answer)
      }
    }.get()
  }

  package func authenticationCode(
    for message: [UInt8]
  ) async throws(RepositoryError) -> [UInt8] {
    try await signature.code(for: message) { () throws(RepositoryError) in
      try await self.write { connection throws(DatabaseError) in
        try connection.writing { () throws(DatabaseError) in try connection.serverKey() }
      }
    }
  }
}
