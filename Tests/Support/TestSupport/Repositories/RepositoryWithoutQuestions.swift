import MarketModel

/// A repository without questions.
extension ProductRepository {
  package func questions(
    _ request: QuestionsRequest
  ) async throws(RepositoryError) -> QuestionPage { throw .unsupported }

  package func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question { throw .unsupported }

  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question { throw .unsupported }

  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) { throw .unsupported }
}
