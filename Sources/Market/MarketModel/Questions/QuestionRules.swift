/// Rules for questions, offers and answers, checked by client and server.
package enum QuestionRules {
  /// Characters of a question or an answer; others are refused with `.invalid`.
  package static let text = TextLimit(1...500)

  /// Maximum questions of one asker about a product in `periodSeconds`.
  package static let askedInPeriod = 20
  package static let periodSeconds: Int64 = 86_400
  /// Maximum questions about a product; further ones are refused with `.full`.
  package static let perProduct = 10_000
  /// Maximum bytes of UTF-8 of the questions about a product with their answers; longer ones are refused
  /// with `.full`.
  package static let bytesPerProduct = 32 << 20
  /// Maximum questions and answers that a server accepts from one address in an hour.
  package static let sentInHour = 10

  /// Returns what is invalid in a question, its text as the description and its offer as the price; a
  /// nil `price` leaves the maximum offer to the store, and a nil `currency` its decimals.
  package static func problems(
    of question: NewQuestion, price: Money? = nil, currency: Currency? = nil
  ) -> [FieldError] {
    var problems = problems(ofText: question.text)
    if let offer = question.offerHundredths {
      if offer <= 0 {
        problems.append(FieldError(.price, .negative))
      } else if let currency = price?.currency ?? currency, currency.usualDecimals == 0,
        offer % 100 != 0
      {
        problems.append(FieldError(.price, .notWhole))
      } else if let price, offer > price.hundredths {
        problems.append(FieldError(.price, .abovePrice(priceHundredths: price.hundredths)))
      }
    }
    return problems
  }

  package static func problems(of answer: NewAnswer) -> [FieldError] {
    problems(ofText: answer.text)
  }

  private static func problems(ofText text: String) -> [FieldError] {
    (Self.text.problem(of: text) ?? text.problem(inLines: true)).map {
      [FieldError(.description, $0)]
    } ?? []
  }
}

extension Question {
  /// Returns why this seller, nil for an unknown one, may not ask about a product; nil where asking
  /// is allowed.
  package static func refusal(
    about detail: ProductDetail, by asker: Seller.ID?
  ) -> QuestionRefusal? {
    if detail.product.seller.id == asker { return .ownProduct }
    if detail.product.isSoldOut { return .sold }
    return detail.areQuestionsClosed ? .closed : nil
  }
}
