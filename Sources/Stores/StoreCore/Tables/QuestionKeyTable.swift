import MarketModel
import SQLiteKit

/// Table of the idempotency keys of questions.
///
/// A key answers for 30 days, also after its question was deleted; the text of a deleted question is not
/// kept.
/// - Throws: every call throws the `StoreError` of its statement.
struct QuestionKeyTable {
  private static let retentionSeconds: Int64 = 30 * 86_400
  /// Maximum number of keys deleted at once; more than are added between two deletions.
  private static let deletedAtOnce: Int64 = 1_000
  /// Old keys are deleted after one question in so many.
  private static let questionsBetweenDeletions: Int64 = 64

  let database: any MarketDatabase

  /// The response to a repeated request: its question, or `.keyReused` where the request differs; nil
  /// where the key is new.
  func answer(to intent: QuestionIntent, by asker: Seller) throws(StoreError) -> Outcome<Question>?
  {
    let earlier = try database.first(
      """
      SELECT question, asked, currency, digest FROM question_idempotency
      WHERE asker = $1 AND key = $2
      """, [.integer(asker.id.rawValue), .blob(intent.keyHash)]
    ) { row in
      (
        id: row.integer(0), asked: row.timestamp(1),
        currency: row.isNull(2) ? nil : Currency(rawValue: row.text(2, .currency)),
        digest: row.blob(3)
      )
    }
    guard let earlier else { return nil }
    guard earlier.digest == intent.digest else { return .failure(.keyReused) }
    let id = Question.ID(rawValue: earlier.id)
    if let question = try database.questions.question(id, reader: asker.id)?.question {
      return .success(question)
    }
    let asked = intent.question
    return .success(
      Question(
        id: id, product: intent.product, text: asked.text,
        offer: asked.offerHundredths.flatMap { offer in
          earlier.currency.map { Money(hundredths: offer, currency: $0) }
        },
        asker: asker.isNamed ? asker.name : nil, asked: earlier.asked, isOwn: true))
  }

  /// Records the key of a new question.
  func insert(
    _ intent: QuestionIntent, by asker: Seller.ID, for id: Question.ID, in currency: Currency?,
    now: Int64
  ) throws(StoreError) {
    try database.post(
      """
      INSERT INTO question_idempotency (asker, key, question, asked, currency, digest)
      VALUES ($1, $2, $3, $4, $5, $6)
      """, .integer(asker.rawValue), .blob(intent.keyHash), .integer(id.rawValue), .integer(now),
      .text(currency?.rawValue), .blob(intent.digest))
    guard id.rawValue % Self.questionsBetweenDeletions == 0 else { return }
    try database.post(
      """
      DELETE FROM question_idempotency WHERE (asker, key) IN (
        SELECT asker, key FROM question_idempotency WHERE asked < $1 ORDER BY asked LIMIT $2)
      """, .integer(now - Self.retentionSeconds), .integer(Self.deletedAtOnce))
  }
}

/// Request to ask a question; equal however often it is sent.
struct QuestionIntent: Sendable {
  let question: NewQuestion
  let product: Product.ID
  let keyHash: [UInt8]
  /// Digest under the key itself, of which the store has a hash alone: nobody guesses a deleted text by it.
  let digest: [UInt8]

  init(_ question: NewQuestion, about product: Product.ID, key: IdempotencyKey) {
    self.question = question
    self.product = product
    keyHash = ContentHash.of(key.rawValue)
    let offer = question.offerHundredths.map(String.init) ?? ""
    digest = ContentHash.of(
      "\(product.rawValue)\n\(offer)\n\(question.text)",
      key: ContentHash.of("question\n" + key.rawValue))
  }
}
