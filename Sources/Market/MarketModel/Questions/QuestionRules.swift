/// Rules that client and server check questions, offers and answers by.
package enum QuestionRules {
  /// Characters of a question, and of an answer.
  package static let text = TextLimit(1...500)

  /// Questions that one may ask about a product in a period of so many seconds, a day.
  package static let askedInPeriod = 20
  package static let periodSeconds: Int64 = 86_400
  /// Questions and answers that a server takes from one address in an hour.
  package static let sentInHour = 10

  /// What is wrong with a question about a product that costs this much, its text as the description
  /// and its offer as the price; nil leaves the upper bound of the offer to the store.
  package static func problems(
    of question: NewQuestion, price: Money? = nil
  ) -> [FieldError] {
    var problems = problems(ofText: question.text)
    if let offer = question.offerHundredths {
      if offer <= 0 {
        problems.append(FieldError(.price, .negative))
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
    Self.text.problem(of: text).map { [FieldError(.description, $0)] } ?? []
  }
}

extension Question {
  /// Why a product is not asked about by a seller of this number; nil where it may be.
  package static func refusal(
    about detail: ProductDetail, by asker: Seller.ID?
  ) -> QuestionRefusal? {
    if detail.product.seller.id == asker { return .ownProduct }
    if detail.product.isSoldOut { return .sold }
    return detail.areQuestionsClosed ? .closed : nil
  }
}
