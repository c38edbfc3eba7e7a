package import MarketModel

/// What a market said of what is waited for there.
package struct WaitLook: Sendable {
  package var observations: [WaitObservation]
  /// Why it did not say all of it; nil where it did.
  package var failure: RepositoryError?

  package init(_ observations: [WaitObservation] = [], failure: RepositoryError? = nil) {
    self.observations = observations
    self.failure = failure
  }
}

/// Look at what is waited for in one market, with few requests however many waits there are.
package struct WaitCheck {
  /// Something that is asked with one request, and for which waits.
  private enum Question {
    case products([Product.ID])
    case product(Product.ID)
    case seller(Seller.ID)
    case search(String)
  }

  private let repository: any ProductRepository
  private let now: Timestamp

  /// Requests of one look while somebody works with the program.
  package static let usualRequests = 20
  /// The newest products of a seller or a search that are looked at.
  private static let mostNewest = 50

  package init(_ repository: any ProductRepository, now: Timestamp) {
    self.repository = repository
    self.now = now
  }

  /// What the market says, with so many requests at most; a further round begins where the one before
  /// it ended.
  ///
  /// What it cannot tell of one wait is left out; it throws why it says nothing at all.
  package func look(
    for waits: [Wait], atMost limit: Int = usualRequests, round: Int = 0
  ) async throws(RepositoryError) -> WaitLook {
    let questions = Self.questions(for: waits, try await repository.capabilities())
    guard !questions.isEmpty else { return WaitLook() }
    let start = limit < questions.count ? round * limit % questions.count : 0
    var look = WaitLook()
    asking: for question in (questions[start...] + questions[..<start]).prefix(limit) {
      do throws(RepositoryError) {
        let products = try await answer(to: question)
        look.observations += Self.observations(of: question, products, for: waits)
      } catch {
        switch error {
        case .notFound, .unsupported: continue
        // A market that fails at one thing may tell the others.
        case .badAnswer: look.failure = look.failure ?? error
        default:
          look.failure = error
          break asking
        }
      }
    }
    if let failure = look.failure, look.observations.isEmpty { throw failure }
    return look
  }

  private static func questions(
    for waits: [Wait], _ capabilities: RepositoryCapabilities
  ) -> [Question] {
    var (ids, sellers, lines): (Set<Product.ID>, Set<Seller.ID>, Set<String>) = ([], [], [])
    for wait in waits {
      switch wait.subject {
      case .product(let id): ids.insert(id)
      case .seller(let id): sellers.insert(id)
      case .search(let line): lines.insert(line)
      }
    }
    let sorted = ids.sorted()
    let products =
      capabilities.parts.contains(.ids)
      ? stride(from: 0, to: sorted.count, by: ProductQuery.mostIDs).map { start in
        Question.products(Array(sorted[start...].prefix(ProductQuery.mostIDs)))
      } : sorted.map(Question.product)
    let pages =
      (capabilities.queriesBySeller
        ? sellers.sorted { $0.rawValue < $1.rawValue }.map(Question.seller) : [])
      + lines.sorted().map(Question.search)
    return products + pages
  }

  private func answer(to question: Question) async throws(RepositoryError) -> [Product] {
    switch question {
    case .products(let ids):
      let query = ProductQuery(ids: ids)
      return try await repository.page(PageRequest(query: query, size: ids.count)).products
    case .product(let id): return [try await repository.detail(of: id).product]
    case .seller(let id):
      let query = ProductQuery(order: .newest, sellers: [id])
      return try await newest(of: query)
    case .search(let line):
      let request = SearchRequest(reading: line)
      let capabilities = try await repository.capabilities()
      guard capabilities.parts.isSuperset(of: request.parts) else { throw .unsupported }
      let (ids, _) = try await SellerNames(repository: repository).ids(in: request)
      if ids.isEmpty, !request.sellers.isEmpty { return [] }
      return try await newest(of: request.query(sellers: ids, now: now))
    }
  }

  /// The first page by age, whatever order the search asks for.
  private func newest(of query: ProductQuery) async throws(RepositoryError) -> [Product] {
    var query = query
    query.order = .newest
    return try await repository.page(PageRequest(query: query, size: Self.mostNewest)).products
  }

  private static func observations(
    of question: Question, _ products: [Product], for waits: [Wait]
  ) -> [WaitObservation] {
    waits.compactMap { wait in
      switch (question, wait.subject) {
      case (.products(let ids), .product(let id)) where ids.contains(id):
        WaitObservation(wait.id, products.filter { $0.id == id })
      case (.product(let asked), .product(let id)) where asked == id:
        WaitObservation(wait.id, products)
      case (.seller(let asked), .seller(let id)) where asked == id:
        // A server that passes over what it does not know sends everybody's.
        WaitObservation(wait.id, products.filter { $0.seller.id == id })
      case (.search(let asked), .search(let line)) where asked == line:
        WaitObservation(wait.id, products)
      case _: nil
      }
    }
  }
}
