import MarketModel

extension Question {
  /// A question to test with, unanswered unless it says otherwise.
  package static func sample(
    _ id: Int64 = 1, about product: Int64 = 7, _ text: String = "Is it still there?",
    offer: Int64? = nil, by asker: String? = "Mina", answer: String? = nil, isOwn: Bool = false,
    at seconds: Int64 = 1_750_000_000
  ) -> Question {
    Question(
      id: ID(rawValue: id), product: Product.ID(rawValue: product), text: text,
      offer: offer.map { Money(hundredths: $0 * 100, currency: .krw) }, asker: asker,
      asked: Timestamp(seconds: seconds),
      answer: answer.map { Answer(text: $0, given: Timestamp(seconds: seconds + 60)) },
      isOwn: isOwn)
  }
}
