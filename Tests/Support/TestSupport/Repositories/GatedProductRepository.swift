import MarketModel

/// A repository whose every call waits until the test answers it.
///
/// A test takes a call with `await repository.pages.next()`, looks at its `request` and answers it
/// with `answer(_:)` or `fail(_:)`, in any order. Only `capabilities()` answers at once,
/// unless the test wants to do that as well.
package final class GatedProductRepository: ProductRepository {
  package struct Edit: Sendable {
    package let id: Product.ID
    package let patch: ProductPatch
    /// The password's text, as it was when it was sent.
    package let secret: String
    package let author: Author
    package let expected: ProductVersion?
  }

  package struct Registration: Sendable {
    package let registration: ProductRegistration
    package let author: Author
    package let key: IdempotencyKey
  }

  package struct Asking: Sendable {
    package let question: NewQuestion
    package let product: Product.ID
    package let key: IdempotencyKey
  }

  package struct Answering: Sendable {
    package let question: Question.ID
    package let answer: NewAnswer
    /// The password's text; nil where the identifier is to be enough.
    package let secret: String?
  }

  package let questions: Gate<QuestionsRequest, QuestionPage>
  package let askings: Gate<Asking, Question>
  package let answers: Gate<Answering, Question>
  package let questionDeletions: Gate<Question.ID, Void>
  package let pages: Gate<PageRequest, ProductPage>
  package let totals: Gate<ProductQuery, ProductTotal>
  package let details: Gate<Product.ID, ProductDetail>
  package let registrations: Gate<Registration, ProductDetail>
  package let verifications: Gate<Product.ID, Void>
  package let updates: Gate<Edit, ProductDetail>
  package let deletions: Gate<Product.ID, ProductDetail>
  package let sellers: Gate<SellerIdentifier, Seller?>
  package let renames: Gate<SellerChange, Seller>
  package let capabilityCalls: Gate<Int, RepositoryCapabilities>
  private let stated: RepositoryCapabilities?

  /// - Parameters:
  ///   - capabilities: what the repository says it can do; nil where that waits for the test.
  ///   - answersCancelledCalls: whether a call whose task is cancelled fails with `.cancelled` by
  ///     itself; if not, it waits for the test like any other and its answer comes late.
  package init(
    capabilities: RepositoryCapabilities? = .full, answersCancelledCalls: Bool = true
  ) {
    stated = capabilities
    capabilityCalls = Gate(answersCancelledCalls: answersCancelledCalls)
    questions = Gate(answersCancelledCalls: answersCancelledCalls)
    askings = Gate(answersCancelledCalls: answersCancelledCalls)
    answers = Gate(answersCancelledCalls: answersCancelledCalls)
    questionDeletions = Gate(answersCancelledCalls: answersCancelledCalls)
    pages = Gate(answersCancelledCalls: answersCancelledCalls)
    totals = Gate(answersCancelledCalls: answersCancelledCalls)
    details = Gate(answersCancelledCalls: answersCancelledCalls)
    registrations = Gate(answersCancelledCalls: answersCancelledCalls)
    verifications = Gate(answersCancelledCalls: answersCancelledCalls)
    updates = Gate(answersCancelledCalls: answersCancelledCalls)
    deletions = Gate(answersCancelledCalls: answersCancelledCalls)
    sellers = Gate(answersCancelledCalls: answersCancelledCalls)
    renames = Gate(answersCancelledCalls: answersCancelledCalls)
  }

  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    if let stated { return stated }
    return try await capabilityCalls.pass(0)
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await pages.pass(request)
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await totals.pass(query)
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await details.pass(id)
  }

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await registrations.pass(
      Registration(registration: registration, author: author, key: key))
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await verifications.pass(id)
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let secret = password.withBytes { String(decoding: $0, as: UTF8.self) }
    return try await updates.pass(
      Edit(id: id, patch: patch, secret: secret, author: author, expected: expected))
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await deletions.pass(id)
  }

  package func questions(
    _ request: QuestionsRequest
  ) async throws(RepositoryError) -> QuestionPage {
    try await questions.pass(request)
  }

  package func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question {
    try await askings.pass(Asking(question: question, product: product, key: key))
  }

  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question {
    let secret = password?.withBytes { String(decoding: $0, as: UTF8.self) }
    return try await answers.pass(Answering(question: id, answer: answer, secret: secret))
  }

  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) {
    try await questionDeletions.pass(id)
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    try await sellers.pass(identifier)
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await renames.pass(change)
  }
}
