import MarketModel

/// Operation on questions.
package enum QuestionOperation: Sendable {
  case page(QuestionsRequest)
  /// The key is nil where the client sent none.
  case ask(NewQuestion, about: Product.ID, by: SellerIdentifier, IdempotencyKey?)
  case answer(Question.ID, NewAnswer, Author, Password?)
  case delete(Question.ID, Author, Password?)

  /// Whether a password or an identifier authorizes the operation.
  var isGuarded: Bool {
    switch self {
    case .page, .ask: false
    case .answer, .delete: true
    }
  }
}
