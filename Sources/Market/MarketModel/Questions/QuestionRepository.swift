/// The port to a market's questions; `RepositoryCapabilities.hasQuestions` says whether it has any.
package protocol QuestionRepository: Sendable {
  /// Returns one page of questions.
  ///
  /// - Throws: `.notFound` where the product is gone; `.unknownCursor` for an unknown `after`;
  ///   `.unsupported` where the market has no questions.
  func questions(_ request: QuestionsRequest) async throws(RepositoryError) -> QuestionPage

  /// Asks about a product; a repeated key asks once.
  ///
  /// - Throws: `.invalid` naming `.description` or `.price`; `.questionRefused` with `.sold`,
  ///   `.ownProduct` or `.closed`; `.keyReused` where the key came with another question;
  ///   `.notFound`; `.blocked`.
  func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question

  /// Answers a question, or changes the answer within `Question.editableSeconds`; the same answer may
  /// be sent again.
  ///
  /// The product's seller may answer by identifier alone; other authors, and every answer that
  /// reserves, need the product's password.
  ///
  /// - Throws: `.invalid` naming `.description`; `.questionRefused` with `.tooLate` or `.sold`;
  ///   `.wrongPassword`; `.notOwner`; `.notFound`; `.blocked`; `.tooManyAttempts`.
  func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question

  /// Deletes a question; its asker may do so before the answer, the product's seller at any time,
  /// with the product's password or, where that is nil, by identifier.
  ///
  /// - Throws: `.questionRefused` with `.answered`; `.wrongPassword`; `.notOwner`; `.blocked` for a
  ///   hidden question of a blocked asker; `.notFound`; `.tooManyAttempts`.
  func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError)
}
