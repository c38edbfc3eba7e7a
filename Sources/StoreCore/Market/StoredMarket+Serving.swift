import MarketModel

extension StoredMarket {
  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await asking { tables throws(Tables.Failure) in
      try tables.descriptions(of: ids, atMost: characters)
    }
  }

  package func changeTries<Answer: Sendable>(
    on id: Product.ID, by origin: TryOrigin,
    _ change: @escaping @Sendable (inout PasswordTries) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let now = now()
    return try await writing(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let isOpen = try tables.lockTries(on: id) else { return .failure(.notFound) }
      let place = TryPlace(origin, on: id, isOpen: isOpen)
      var tries = try tables.tries(at: place)
      let answer = change(&tries)
      try tables.keep(tries, at: place, now: now)
      return .success(answer)
    }
  }

  package func storedBytes() async throws(RepositoryError) -> Int64 {
    try await asking { tables throws(Tables.Failure) in try tables.storedBytes() }
  }

  package func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8] {
    try await signature.code(for: message) { () throws(RepositoryError) in
      try await self.writing(isRepeatable: true) { tables throws(Tables.Failure) in
        .success(try tables.serverKey())
      }
    }
  }
}
