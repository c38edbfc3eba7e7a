import MarketModel

/// Lets a market whose sellers must show an identifier take calls of *guest*: one seller stands in.
package struct SoleSeller: RepositoryDecorator {
  package let repository: any ProductRepository
  private let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00f")

  package init(_ repository: any ProductRepository) {
    self.repository = repository
  }

  package func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer { try await call() }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    var page = try await repository.page(request)
    page.products = try await unmasked(page.products)
    return page
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await unmasked(try await repository.detail(of: id))
  }

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await unmasked(
      try await repository.register(registration, by: masked(author), key: key))
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await repository.verify(password, for: id, by: masked(author))
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    do throws(RepositoryError) {
      return try await unmasked(
        try await repository.update(
          id, with: patch, password: password, by: masked(author), expecting: expected))
    } catch {
      guard case .conflict(let current) = error else { throw error }
      throw .conflict(current: try await unmasked(current))
    }
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await unmasked(try await repository.delete(id, password: password, by: masked(author)))
  }

  private func masked(_ author: Author) -> Author {
    author == .guest ? .seller(identifier) : author
  }

  private func unmasked(_ products: [Product]) async throws(RepositoryError) -> [Product] {
    let seller = try await repository.seller(of: identifier)?.id
    return products.map { product in
      var product = product
      if product.seller.id == seller { product.seller = .guest }
      return product
    }
  }

  private func unmasked(_ detail: ProductDetail) async throws(RepositoryError) -> ProductDetail {
    var detail = detail
    for product in try await unmasked([detail.product]) { detail.product = product }
    return detail
  }
}
