import MarketModel

/// Call over the wire about questions.
package enum QuestionOperation: Sendable {
  case page(QuestionsRequest)
  /// The key is nil where the client sent none.
  case ask(NewQuestion, about: Product.ID, by: SellerIdentifier, IdempotencyKey?)
  case answer(Question.ID, NewAnswer, Author, Password?)
  case delete(Question.ID, Author, Password?)

  /// Whether a password or an identifier decides if the operation may be done.
  var isGuarded: Bool {
    switch self {
    case .page, .ask: false
    case .answer, .delete: true
    }
  }
}
