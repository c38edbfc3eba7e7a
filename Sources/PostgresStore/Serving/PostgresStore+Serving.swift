import MarketModel
import MarketStore

extension PostgresStore {
  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await ask(connections) { connection throws(PostgresError) in
      try connection.descriptions(of: ids, atMost: characters)
    }
  }

  package func changeTries<Answer: Sendable>(
    on id: Product.ID, by origin: TryOrigin,
    _ change: @escaping @Sendable (inout PasswordTries) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let now = now()
    return try await write { connection throws(PostgresError) -> Outcome<Answer> in
      guard let isOpen = try connection.lockTries(on: id) else { return .failure(.notFound) }
      let place = TryPlace(origin, on: id, isOpen: isOpen)
      var tries = try connection.tries(at: place)
      let answer = change(&tries)
      try connection.keep(tries, at: place, now: now)
      return .success(answer)
    }
  }

  package func authenticationCode(
    for message: [UInt8]
  ) async throws(RepositoryError) -> [UInt8] {
    try await signature.code(for: message) { () throws(RepositoryError) in
      try await self.write(isRepeatable: true) { connection throws(PostgresError) in
        .success(try connection.serverKey())
      }
    }
  }
}
