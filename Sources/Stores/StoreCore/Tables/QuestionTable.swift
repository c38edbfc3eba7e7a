import MarketModel
import SQLiteKit

/// Table of questions; those of blocked askers are hidden.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct QuestionTable {
  static let columns = """
    question.id, question.product, question.text, question.offer, question.currency, question.asked,
    question.answer, question.answered, seller.id, seller.name, seller.identifier, question.seller,
    seller.blocked
    """
  private static let reading = """
    SELECT \(columns) FROM question JOIN seller ON seller.id = question.asker
    """
  private static let order = " ORDER BY question.id DESC LIMIT $3"
  private static let ofProduct = SQL(
    once: reading + """
       WHERE question.product = $1 AND question.id > $2 AND seller.blocked = 0
      ORDER BY question.id LIMIT $3
      """)
  private static let received = SQL(
    once: reading + " WHERE question.seller = $1 AND question.id < $2 AND seller.blocked = 0"
      + order)
  private static let unanswered = SQL(
    once: reading + """
       WHERE question.seller = $1 AND question.id < $2 AND question.answer IS NULL AND seller.blocked = 0
      """ + order)
  private static let unansweredOfProducts = DialectSQL { sql in
    reading + """
       WHERE \(sql.isAny("question.product", of: "$1")) AND question.id < $2
        AND question.answer IS NULL AND seller.blocked = 0
      """ + order
  }
  private static let asked = SQL(
    once: reading + """
       WHERE question.asker = $1
        AND (coalesce(question.answered, question.asked), question.id) < ($2, $3)
      ORDER BY coalesce(question.answered, question.asked) DESC, question.id DESC LIMIT $4
      """)

  let database: any MarketDatabase

  /// Question with the fields that decide on access to it.
  struct StoredQuestion {
    let question: Question
    let asker: Seller.ID
    /// Empty where the asker has no identifier.
    let askerHash: [UInt8]
    /// The product's seller.
    let seller: Seller.ID
    /// Whether its asker is blocked, which hides it.
    let isHidden: Bool
  }

  // MARK: Reading

  /// A page of questions; nil for an invalid cursor.
  ///
  /// `reader` is the signed-in seller; nil for a guest.
  func page(
    _ request: QuestionsRequest, reader: Seller.ID?
  ) throws(StoreError) -> QuestionPage? {
    guard let cursor = QuestionCursor(request.after?.rawValue) else { return nil }
    let limit = min(request.size, QuestionsRequest.sizes.upperBound)
    let found: [StoredQuestion]
    switch request.scope {
    case .product(let id):
      found = try read(Self.ofProduct, [.integer(id.rawValue), cursor.rising], limit, reader)
    case .received(let onlyUnanswered):
      guard let reader else { return QuestionPage(questions: []) }
      found = try read(
        onlyUnanswered ? Self.unanswered : Self.received,
        [.integer(reader.rawValue), cursor.falling],
        limit, reader)
    case .unanswered(let ids):
      let ids = Array(Set(ids.prefix(ProductQuery.maxIDs).map(\.rawValue)))
      let sql = Self.unansweredOfProducts[database.dialect]
      found = try read(sql, [.integers(ids), cursor.falling], limit, reader)
    case .asked:
      guard let reader else { return QuestionPage(questions: []) }
      found = try read(
        Self.asked, [.integer(reader.rawValue)] + cursor.latest, limit, reader)
    }
    let shown = found.prefix(limit).map(\.question)
    let next =
      found.count > limit ? shown.last.map { PageCursor(rawValue: QuestionCursor($0).text) } : nil
    return QuestionPage(questions: shown, next: next)
  }

  private func read(
    _ sql: SQL, _ values: [SQLValue], _ limit: Int, _ reader: Seller.ID?
  ) throws(StoreError) -> [StoredQuestion] {
    try database.all(sql, values + [.integer(Int64(limit + 1))]) { row throws(StoreError) in
      try StoredQuestion(row, reader: reader).orDamaged()
    }
  }

  /// A question, locked until the transaction ends; nil where there is none.
  func locked(_ id: Question.ID) throws(StoreError) -> StoredQuestion? {
    try database.lock("SELECT 1 FROM question WHERE id = $1 FOR UPDATE", [.integer(id.rawValue)])
    return try question(id)
  }

  /// A question; nil where there is none.
  /// - Throws: `.damaged` for a row with an invalid id; the statement's other `StoreError`s.
  func question(_ id: Question.ID, reader: Seller.ID? = nil) throws(StoreError) -> StoredQuestion? {
    try database.first(Self.one, [.integer(id.rawValue)]) { row throws(StoreError) in
      try StoredQuestion(row, reader: reader).orDamaged()
    }
  }

  private static let one = SQL(once: reading + " WHERE question.id = $1")

  /// SQL for the number of questions of a product, and of those without an answer.
  static let counts: SQL = "SELECT asked, unanswered FROM question_count WHERE product = $1"

  /// The questions of a product and the bytes of their texts and answers, hidden ones too.
  func size(of product: Product.ID) throws(StoreError) -> (count: Int64, bytes: Int64) {
    try database.first(
      "SELECT stored, bytes FROM question_count WHERE product = $1", [.integer(product.rawValue)]
    ) { row in (row.integer(0), row.integer(1)) } ?? (0, 0)
  }

  /// Seconds until an asker may ask about a product again; 0 where it may now.
  func waitSeconds(
    of asker: Seller.ID, about product: Product.ID, now: Int64
  ) throws(StoreError) -> Int64 {
    let oldest = try database.integer(
      "SELECT asked FROM question WHERE asker = $1 AND product = $2 ORDER BY id DESC LIMIT 1 OFFSET $3",
      .integer(asker.rawValue), .integer(product.rawValue),
      .integer(Int64(QuestionRules.askedInPeriod - 1)))
    return oldest.map { max(0, $0 + QuestionRules.periodSeconds - now) } ?? 0
  }

  // MARK: Writing

  /// Adds a question, and returns its id.
  func insert(
    _ question: NewQuestion, about detail: ProductDetail, by asker: Seller.ID,
    in currency: Currency?,
    now: Int64
  ) throws(StoreError) -> Question.ID {
    let id = try database.integer(
      """
      INSERT INTO question (product, seller, asker, text, offer, currency, asked)
      VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
      """, .integer(detail.id.rawValue), .integer(detail.product.seller.id.rawValue),
      .integer(asker.rawValue), .text(question.text), .integer(question.offerHundredths),
      .text(currency?.rawValue), .integer(now))
    try count(detail.id, asked: 1, unanswered: 1, stored: 1, bytes: question.text.utf8.count)
    return Question.ID(rawValue: try id.orDamaged())
  }

  /// Sets the answer to a question; the time of the first answer stays.
  func setAnswer(_ text: String, of stored: StoredQuestion, now: Int64) throws(StoreError) {
    let question = stored.question
    try database.post(
      "UPDATE question SET answer = $1, answered = coalesce(answered, $2) WHERE id = $3",
      .text(text), .integer(now), .integer(question.id.rawValue))
    try count(
      question.product, unanswered: question.answer == nil ? -1 : 0,
      bytes: text.utf8.count - (question.answer?.text.utf8.count ?? 0))
  }

  func delete(_ stored: StoredQuestion) throws(StoreError) {
    let question = stored.question
    try database.post("DELETE FROM question WHERE id = $1", .integer(question.id.rawValue))
    let isUnanswered = question.answer == nil
    try count(
      question.product, asked: stored.isHidden ? 0 : -1,
      unanswered: stored.isHidden || !isUnanswered ? 0 : -1, stored: -1, bytes: -question.byteCount)
  }

  /// Adds to the counts of a product's questions; each may be negative.
  private func count(
    _ product: Product.ID, asked: Int64 = 0, unanswered: Int64, stored: Int64 = 0, bytes: Int
  ) throws(StoreError) {
    try database.post(
      """
      INSERT INTO question_count (product, asked, unanswered, stored, bytes)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (product) DO UPDATE SET asked = question_count.asked + excluded.asked,
        unanswered = question_count.unanswered + excluded.unanswered,
        stored = question_count.stored + excluded.stored,
        bytes = question_count.bytes + excluded.bytes
      """, .integer(product.rawValue), .integer(asked), .integer(unanswered), .integer(stored),
      .integer(Int64(bytes)))
  }

  /// Recounts the questions of each product that a seller asked about, as after a block.
  func recount(askedBy asker: Seller.ID) throws(StoreError) {
    try recount("SELECT product FROM question WHERE asker = $1", asker.rawValue)
  }

  /// Recounts the questions of a product, as after an import.
  func recount(_ product: Product.ID) throws(StoreError) {
    try recount("SELECT $1 AS product", product.rawValue)
  }

  private func recount(_ products: String, _ value: Int64) throws(StoreError) {
    // Locked, so that concurrent questions are counted before this or add to its result.
    try database.lock(
      SQL(
        once: """
          SELECT 1 FROM question_count WHERE product IN (\(products)) ORDER BY product FOR UPDATE
          """), [.integer(value)])
    let dialect = database.dialect
    let bytes =
      dialect.byteCount(of: "question.text")
      + " + coalesce(\(dialect.byteCount(of: "question.answer")), 0)"
    try database.post(
      SQL(
        once: """
          INSERT INTO question_count (product, asked, unanswered, stored, bytes)
          SELECT counted.product, count(seller.id),
            count(CASE WHEN question.answer IS NULL THEN seller.id END), count(question.id),
            coalesce(sum(\(bytes)), 0)
          FROM (SELECT DISTINCT product FROM (\(products)) AS named) AS counted
          LEFT JOIN question ON question.product = counted.product
          LEFT JOIN seller ON seller.id = question.asker AND seller.blocked = 0
          WHERE true GROUP BY counted.product
          ON CONFLICT (product) DO UPDATE
            SET asked = excluded.asked, unanswered = excluded.unanswered,
              stored = excluded.stored, bytes = excluded.bytes
          """), .integer(value))
  }

  /// Logs a change of a question; the product's version stays.
  func log(_ kind: QuestionChange.Kind, _ question: StoredQuestion) throws(StoreError) {
    let change = QuestionChange(
      id: question.question.id, product: question.question.product, kind: kind,
      seller: question.seller)
    try database.log([.one(.question(change))])
  }
}

extension QuestionTable.StoredQuestion {
  /// Nil for a row with an invalid id.
  init?(_ row: StoredRow, reader: Seller.ID?) {
    guard let product = row.productID(1), StoredNumbers.productIDs.contains(row.integer(0)) else {
      return nil
    }
    let asker = Seller(id: Seller.ID(rawValue: row.integer(8)), name: row.text(9, .sellerName))
    let isNamed = asker.isNamed && !asker.name.isEmpty
    let currency = row.isNull(4) ? nil : Currency(rawValue: row.text(4, .currency))
    let offer = row.isNull(3) ? nil : currency.map { Money(hundredths: row.count(3), currency: $0) }
    let answer =
      row.isNull(6)
      ? nil
      : Question.Answer(text: row.text(6, QuestionRules.text), given: row.timestamp(7))
    question = Question(
      id: Question.ID(rawValue: row.integer(0)), product: product,
      text: row.text(2, QuestionRules.text), offer: offer, asker: isNamed ? asker.name : nil,
      asked: row.timestamp(5), answer: answer, isOwn: reader == asker.id)
    self.asker = asker.id
    askerHash = row.blob(10)
    seller = Seller.ID(rawValue: row.integer(11))
    isHidden = row.integer(12) != 0
  }
}

/// Cursor between two questions: the time of the last one's answer or of the question itself, and its id.
private struct QuestionCursor {
  private let seconds: Int64
  private let id: Int64?

  /// The position after a question.
  init(_ question: Question) {
    seconds = (question.answer?.given ?? question.asked).seconds
    id = question.id.rawValue
  }

  /// The beginning for nil; nil for an invalid cursor.
  init?(_ text: String?) {
    guard let text else {
      (seconds, id) = (.max, nil)
      return
    }
    let parts = text.prefix(64).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = Int64(parts[0]), let id = Int64(parts[1]) else {
      return nil
    }
    (self.seconds, self.id) = (seconds, id)
  }

  var text: String { "\(seconds).\(id ?? 0)" }

  var rising: SQLValue { .integer(id ?? 0) }
  var falling: SQLValue { .integer(id ?? .max) }
  var latest: [SQLValue] { [.integer(seconds), .integer(id ?? .max)] }
}
