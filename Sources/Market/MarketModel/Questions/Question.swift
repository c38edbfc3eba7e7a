/// Question that somebody asked about a product; everybody may read it.
package struct Question: Hashable, Sendable, Identifiable {
  /// The number of a question: rising, never reused.
  package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  /// What the product's seller said to it.
  package struct Answer: Hashable, Sendable {
    /// 1 to 500 characters; foreign text.
    package var text: String
    /// When it was given first; an edit leaves it.
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
  /// What was offered for the product; nil where only something was asked.
  package var offer: Money?
  /// The asker's name; nil for an asker without a name.
  package var asker: String?
  package var asked: Timestamp
  package var answer: Answer?
  /// Whether it was asked with the identifier by which it was read.
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

  /// How long after it was given an answer may be changed.
  package static let editableSeconds: Int64 = 600
}

/// What somebody wants to ask.
package struct NewQuestion: Hashable, Sendable {
  package var text: String
  /// Hundredths of the product's currency; nil for no offer.
  package var offerHundredths: Int64?

  package init(text: String, offerHundredths: Int64? = nil) {
    self.text = String(Substring(text).trimmed)
    self.offerHundredths = offerHundredths
  }
}

/// What a seller wants to answer.
package struct NewAnswer: Hashable, Sendable {
  package var text: String
  /// Whether the product is reserved in the same step, for which its password is needed.
  package var reserves: Bool

  package init(text: String, reserves: Bool = false) {
    self.text = String(Substring(text).trimmed)
    self.reserves = reserves
  }
}

/// Why a question is not taken or changed, though nothing is wrong with what it says.
package enum QuestionRefusal: String, Hashable, Sendable, CaseIterable {
  /// None of the product is left, so that nothing is asked and nothing reserved.
  case sold
  /// The product is the asker's own.
  case ownProduct = "own_product"
  /// Its seller takes no more questions about it.
  case closed
  /// It was answered, so that its asker cannot take it back any more.
  case answered
  /// The answer was given too long ago to be changed.
  case tooLate = "too_late"
}

/// Which questions are read.
package struct QuestionsRequest: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    /// About one product, the oldest first.
    case product(Product.ID)
    /// About what the reader sells, the newest first.
    case received(onlyUnanswered: Bool)
    /// Unanswered ones about these products, at most `ProductQuery.maxIDs`, the newest first.
    case unanswered([Product.ID])
    /// Asked by the reader, the latest answer first.
    case asked
  }

  package var scope: Scope
  /// The reader's identifier; nil for a reader that has neither sold nor asked anything.
  package var reader: SellerIdentifier?
  /// The place after which it goes on, as the page before said it; nil begins.
  package var after: String?
  /// 1 to `sizes.upperBound`.
  package var size: Int

  package static let sizes = 1...100
  package static let usualSize = 20

  package init(
    _ scope: Scope, by reader: SellerIdentifier? = nil, after: String? = nil,
    size: Int = usualSize
  ) {
    self.scope = scope
    self.reader = reader
    self.after = after
    self.size = size
  }
}

/// Page of questions.
package struct QuestionPage: Hashable, Sendable {
  package var questions: [Question]
  /// The place after the last one; nil at the end.
  package var next: String?

  package init(questions: [Question], next: String? = nil) {
    self.questions = questions
    self.next = next
  }
}
