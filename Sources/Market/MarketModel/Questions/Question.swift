/// Question about a product; public.
package struct Question: Hashable, Sendable, Identifiable {
  /// Number of a question: ascending, never reused.
  package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  /// Answer of the product's seller.
  package struct Answer: Hashable, Sendable {
    /// 1 to 500 characters; foreign text.
    package var text: String
    /// Time of the first answer; an edit does not change it.
    package var given: Timestamp

    package init(text: String, given: Timestamp) {
      self.text = text
      self.given = given
    }
  }

  package var id: ID
  package var product: Product.ID
  /// 1 to 500 characters; foreign text.
  package var text: String
  /// Price that the asker offers; nil for a question without an offer.
  package var offer: Money?
  /// The asker's name; nil for an asker without a name.
  package var asker: String?
  package var asked: Timestamp
  package var answer: Answer?
  /// Whether the reader asked it, by the identifier of the request.
  package var isOwn: Bool

  package init(
    id: ID, product: Product.ID, text: String, offer: Money? = nil, asker: String? = nil,
    asked: Timestamp, answer: Answer? = nil, isOwn: Bool = false
  ) {
    self.id = id
    self.product = product
    self.text = text
    self.offer = offer
    self.asker = asker
    self.asked = asked
    self.answer = answer
    self.isOwn = isOwn
  }

  /// Bytes of the text and the answer, as `QuestionRules.bytesPerProduct` counts them.
  package var byteCount: Int { text.utf8.count + (answer?.text.utf8.count ?? 0) }

  /// Seconds after the first answer in which the answer may be changed.
  package static let editableSeconds: Int64 = 600
}

/// Question to send.
package struct NewQuestion: Hashable, Sendable {
  package var text: String
  /// Hundredths of the product's currency; nil for no offer.
  package var offerHundredths: Int64?

  package init(text: String, offerHundredths: Int64? = nil) {
    self.text = String(Substring(text).trimmed)
    self.offerHundredths = offerHundredths
  }
}

/// Answer to send.
package struct NewAnswer: Hashable, Sendable {
  package var text: String
  /// Whether the answer also reserves the product, which needs its password.
  package var reserves: Bool

  package init(text: String, reserves: Bool = false) {
    self.text = String(Substring(text).trimmed)
    self.reserves = reserves
  }
}

/// Reason why a question, an answer or a report is refused although its content is valid.
package enum QuestionRefusal: String, Hashable, Sendable, CaseIterable {
  /// The product is sold out: no questions, no reservation.
  case sold
  /// The product is the asker's own.
  case ownProduct = "own_product"
  /// The seller has closed questions about the product.
  case closed
  /// The question has an answer, so that its asker cannot delete it.
  case answered
  /// The answer is older than `Question.editableSeconds`.
  case tooLate = "too_late"
  /// The product has `QuestionRules.perProduct` questions, or `QuestionRules.bytesPerProduct` of them.
  case full
  /// The author has reported the product or question before.
  case alreadyReported = "already_reported"
}

/// Request for a page of questions.
package struct QuestionsRequest: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    /// About one product, the oldest first.
    case product(Product.ID)
    /// About the reader's products, the newest first.
    case received(onlyUnanswered: Bool)
    /// Unanswered ones about these products, at most `ProductQuery.maxIDs`, the newest first.
    case unanswered([Product.ID])
    /// Asked by the reader, the latest answer first.
    case asked
  }

  package var scope: Scope
  /// Reader's identifier; nil for a reader that has neither sold nor asked anything.
  package var reader: SellerIdentifier?
  /// Cursor of the page before (`QuestionPage.next`); nil for the first page.
  package var after: PageCursor?
  /// Questions a page: 1 to `sizes.upperBound`.
  package var size: Int

  package static let sizes = 1...100
  package static let usualSize = 20

  package init(
    _ scope: Scope, by reader: SellerIdentifier? = nil, after: PageCursor? = nil,
    size: Int = usualSize
  ) {
    self.scope = scope
    self.reader = reader
    self.after = after
    self.size = size
  }
}

package struct QuestionPage: Hashable, Sendable {
  package var questions: [Question]
  /// Cursor of the next page; nil at the end.
  package var next: PageCursor?

  package init(questions: [Question], next: PageCursor? = nil) {
    self.questions = questions
    self.next = next
  }
}
