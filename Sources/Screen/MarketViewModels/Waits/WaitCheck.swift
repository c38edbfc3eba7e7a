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
  /// Something that is asked with one request.
  private enum Question: Hashable {
    case products([Product.ID])
    case product(Product.ID)
    /// The newest products of a seller or a search.
    case newest(Wait.Subject)
    /// The same, also those that are sold out where a search leaves them out.
    case stock(Wait.Subject)
    /// The cheapest of them.
    case cheapest(Wait.Subject, Currency)
  }

  private let repository: any ProductRepository
  private let now: Timestamp

  /// Requests of one look while somebody works with the program.
  package static let usualRequests = 20
  /// The first products of a seller or a search that are looked at.
  private static let mostFirst = 50

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
    var (ids, pages, asked): (Set<Product.ID>, [Question], Set<Question>) = ([], [], [])
    for wait in waits {
      switch wait.subject {
      case .product(let id):
        ids.insert(id)
        continue
      case .seller: guard capabilities.queriesBySeller else { continue }
      case .search: break
      }
      let question = page(for: wait)
      if asked.insert(question).inserted { pages.append(question) }
    }
    let sorted = ids.sorted()
    let products =
      capabilities.parts.contains(.ids)
      ? stride(from: 0, to: sorted.count, by: ProductQuery.mostIDs).map { start in
        Question.products(Array(sorted[start...].prefix(ProductQuery.mostIDs)))
      } : sorted.map(Question.product)
    return products + pages
  }

  private static func page(for wait: Wait) -> Question {
    switch wait.condition {
    case .below(let limit): .cheapest(wait.subject, limit.currency)
    case .backInStock: .stock(wait.subject)
    case .anythingNew: .newest(wait.subject)
    }
  }

  private func answer(to question: Question) async throws(RepositoryError) -> [Product] {
    switch question {
    case .products(let ids):
      let query = ProductQuery(ids: ids)
      return try await repository.page(PageRequest(query: query, size: ids.count)).products
    case .product(let id): return [try await repository.detail(of: id).product]
    case .newest(let subject):
      guard let query = try await query(for: subject) else { return [] }
      return try await first(of: query, by: .newest)
    case .stock(let subject):
      guard var query = try await query(for: subject) else { return [] }
      query.filters.remove(.inStock)
      return try await first(of: query, by: .newest)
    case .cheapest(let subject, let currency):
      guard var query = try await query(for: subject) else { return [] }
      let capabilities = try await repository.capabilities()
      // Another currency would stand before the one that is meant.
      if capabilities.parts.contains(.currency) { query.currency = query.currency ?? currency }
      return try await first(
        of: query, by: capabilities.orders.contains(.cheapest) ? .cheapest : .newest)
    }
  }

  /// The query for a seller or a search; nil where nobody has the name that the search says.
  private func query(for subject: Wait.Subject) async throws(RepositoryError) -> ProductQuery? {
    switch subject {
    case .product(let id): return ProductQuery(ids: [id])
    case .seller(let id): return ProductQuery(sellers: [id])
    case .search(let line):
      let request = SearchRequest(reading: line)
      let capabilities = try await repository.capabilities()
      guard capabilities.parts.isSuperset(of: request.parts) else { throw .unsupported }
      let (ids, _) = try await SellerNames(repository: repository).ids(in: request)
      return ids.isEmpty && !request.sellers.isEmpty ? nil : request.query(sellers: ids, now: now)
    }
  }

  /// The first page in an order, whatever order the search asks for.
  private func first(
    of query: ProductQuery, by order: ProductOrder
  ) async throws(RepositoryError) -> [Product] {
    var query = query
    query.order = order
    return try await repository.page(PageRequest(query: query, size: Self.mostFirst)).products
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
      case (_, .seller(let id)) where page(for: wait) == question:
        // A server that passes over what it does not know sends everybody's.
        WaitObservation(wait.id, products.filter { $0.seller.id == id })
      case (_, .search) where page(for: wait) == question: WaitObservation(wait.id, products)
      case _: nil
      }
    }
  }
}
