import MarketModel
import StoreCore
import TestSupport

extension StoredMarket {
  /// Lists a product with three questions: with an offer and a name, answered, and with neither.
  package func fillWithQuestions() async throws -> (Product.ID, [ArchivedQuestion]) {
    let seller = SellerIdentifier(secret: "seller")
    let id = try await register(
      .sample(), by: .seller(seller), key: IdempotencyKey(rawValue: "product")
    ).id
    // So that none has the number that it would get in a new market.
    let gone = try await ask(
      NewQuestion(text: "Gone"), about: id, by: SellerIdentifier(secret: "gone"),
      key: IdempotencyKey(rawValue: "gone"))
    try await removeQuestion(gone.id)
    for (number, text) in ["Is it there?", "a\t[31m\"\u{202e}\n한글", "Which size?"].enumerated() {
      let asker = SellerIdentifier(secret: "asker-\(number + 1)")
      if number == 0 { _ = try await rename(asker, to: "Asker Mina") }
      let question = try await ask(
        NewQuestion(text: text, offerHundredths: number == 0 ? 8_000_00 : nil), about: id,
        by: asker,
        key: IdempotencyKey(rawValue: "ask"))
      if number == 1 {
        _ = try await answer(
          question.id, with: NewAnswer(text: "It is."), by: .seller(seller), password: nil)
      }
    }
    let questions = try await archivedQuestions()
    return (id, questions)
  }

  /// All questions with their askers, the oldest first.
  package func archivedQuestions() async throws -> [ArchivedQuestion] {
    try await questions(by: nil, below: nil, atMost: 1_000).reversed()
  }
}
