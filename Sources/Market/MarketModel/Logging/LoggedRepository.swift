/// A repository whose failures are recorded on their way to whoever asked.
package struct LoggedRepository: ProductRepository {
  private let repository: any ProductRepository
  private let log: EventLog

  package init(_ repository: any ProductRepository, log: EventLog) {
    self.repository = repository
    self.log = log
  }

  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    try await watching("capabilities") { () throws(RepositoryError) in
      try await repository.capabilities()
    }
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await watching("page") { () throws(RepositoryError) in
      try await repository.page(request)
    }
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await watching("total") { () throws(RepositoryError) in
      try await repository.total(of: query)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await watching("detail \(id.rawValue)") { () throws(RepositoryError) in
      try await repository.detail(of: id)
    }
  }

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching("register") { () throws(RepositoryError) in
      try await repository.register(registration, by: author, key: key)
    }
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await watching("verify \(id.rawValue)") { () throws(RepositoryError) in
      try await repository.verify(password, for: id, by: author)
    }
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching("update \(id.rawValue)") { () throws(RepositoryError) in
      try await repository.update(
        id, with: patch, password: password, by: author, expecting: expected)
    }
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching("delete \(id.rawValue)") { () throws(RepositoryError) in
      try await repository.delete(id, password: password, by: author)
    }
  }

  package func seller(
    of identifier: SellerIdentifier
  ) async throws(RepositoryError) -> Seller? {
    try await watching("seller") { () throws(RepositoryError) in
      try await repository.seller(of: identifier)
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await watching("change seller") { () throws(RepositoryError) in
      try await repository.change(identifier, change)
    }
  }

  private func watching<Answer>(
    _ asked: @autoclosure () -> String, _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await log.watching(asked(), \.logged, body)
  }
}
