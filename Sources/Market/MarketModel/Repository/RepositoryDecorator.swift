/// Operation on a repository, as a decorator sees it.
package struct RepositoryOperation: Hashable, Sendable {
  package static let capabilities = RepositoryOperation("capabilities")

  /// Name for the log.
  package let name: String
  /// Product of the operation; nil for operations without one.
  package let product: Product.ID?
  /// Author whose password is checked; nil where the operation needs no password.
  package let author: Author?

  /// Whether the operation asks or reports, which counts towards `QuestionRules.sentInHour`.
  package var sendsQuestion: Bool { name == "ask" || name == "report" }

  fileprivate init(_ name: String, _ product: Product.ID? = nil, by author: Author? = nil) {
    self.name = name
    self.product = product
    self.author = author
  }
}

/// Repository that wraps another one: every call passes through `perform`, which may act before and
/// after it.
package protocol RepositoryDecorator: ProductRepository {
  var repository: any ProductRepository { get }

  /// Runs `call`, the given operation of `repository`.
  ///
  /// - Throws: what `call` throws, or an error of the decorator's own.
  func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer
}

extension RepositoryDecorator {
  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    try await perform(.capabilities) { () throws(RepositoryError) in
      try await repository.capabilities()
    }
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await perform(.init("page")) { () throws(RepositoryError) in
      try await repository.page(request)
    }
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await perform(.init("total")) { () throws(RepositoryError) in
      try await repository.total(of: query)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await perform(.init("detail", id)) { () throws(RepositoryError) in
      try await repository.detail(of: id)
    }
  }

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await perform(.init("register")) { () throws(RepositoryError) in
      try await repository.register(registration, by: author, key: key)
    }
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await perform(.init("verify", id, by: author)) { () throws(RepositoryError) in
      try await repository.verify(password, for: id, by: author)
    }
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await perform(.init("update", id, by: author)) { () throws(RepositoryError) in
      try await repository.update(
        id, with: patch, password: password, by: author, expecting: expected)
    }
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await perform(.init("delete", id, by: author)) { () throws(RepositoryError) in
      try await repository.delete(id, password: password, by: author)
    }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    try await perform(.init("seller")) { () throws(RepositoryError) in
      try await repository.seller(of: identifier)
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await perform(.init("change seller")) { () throws(RepositoryError) in
      try await repository.change(identifier, change)
    }
  }

  package func questions(
    _ request: QuestionsRequest
  ) async throws(RepositoryError) -> QuestionPage {
    try await perform(.init("questions")) { () throws(RepositoryError) in
      try await repository.questions(request)
    }
  }

  package func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question {
    try await perform(.init("ask", product)) { () throws(RepositoryError) in
      try await repository.ask(question, about: product, by: asker, key: key)
    }
  }

  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question {
    try await perform(.init("answer")) { () throws(RepositoryError) in
      try await repository.answer(id, with: answer, by: author, password: password)
    }
  }

  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) {
    try await perform(.init("delete question")) { () throws(RepositoryError) in
      try await repository.deleteQuestion(id, by: author, password: password)
    }
  }

  package func report(_ report: NewReport, by author: Author) async throws(RepositoryError) {
    try await perform(.init("report")) { () throws(RepositoryError) in
      try await repository.report(report, by: author)
    }
  }
}
