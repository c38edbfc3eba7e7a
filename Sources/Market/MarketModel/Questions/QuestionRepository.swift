/// The port to the questions of a market; `RepositoryCapabilities.hasQuestions` says whether it has any.
package protocol QuestionRepository: Sendable {
  /// One page of questions.
  ///
  /// - Throws: `.notFound` where the product is gone, `.unknownCursor` for a place that is none,
  ///   `.unsupported` where the market has no questions.
  func questions(_ request: QuestionsRequest) async throws(RepositoryError) -> QuestionPage

  /// Asks about a product; the same key never asks twice.
  ///
  /// - Throws: `.invalid` naming `.description` or `.price`, `.questionRefused` with `.sold`,
  ///   `.ownProduct` or `.closed`, `.keyReused`, `.notFound`, `.blocked`.
  func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question

  /// Answers a question, or changes the answer within ten minutes; the same answer may come again.
  ///
  /// The product's seller answers by the identifier, anybody else by the product's password, without
  /// which nothing is reserved.
  ///
  /// - Throws: `.invalid` naming `.description`, `.questionRefused` with `.tooLate` or `.sold`,
  ///   `.wrongPassword`, `.notOwner`, `.notFound`, `.blocked`, `.tooManyAttempts`.
  func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question

  /// Deletes a question: its asker before it is answered, the product's seller at any time, who shows
  /// the product's password or, where that is nil, the identifier.
  ///
  /// - Throws: `.questionRefused` with `.answered`, `.wrongPassword`, `.notOwner`, `.notFound`,
  ///   `.tooManyAttempts`.
  func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError)
}
