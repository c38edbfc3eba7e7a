import MarketModel
import SQLiteKit

/// Questions with their askers, for archives and operators.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension QuestionTable {
  private static let archiving = """
    SELECT \(columns), seller.contact FROM question JOIN seller ON seller.id = question.asker
    """
  private static let ofProducts = SQL(
    once: archiving + """
       WHERE question.product > $1 AND question.product <= $2 AND seller.blocked = 0
      ORDER BY question.product, question.id
      """)
  private static let newest = SQL(
    once: archiving + """
       WHERE question.id < $1 AND (question.asker = $2 OR CAST($3 AS int) = 0)
      ORDER BY question.id DESC LIMIT $4
      """)

  private static let taken = DialectSQL { sql in
    "SELECT id FROM question WHERE " + sql.isAny("id", of: "$1")
  }

  /// The visible questions of products in a range of ids, in order.
  func archived(
    ofProductsAbove start: Int64, upTo end: Int64
  ) throws(StoreError) -> [ArchivedQuestion] {
    try archived(Self.ofProducts, .integer(start), .integer(end))
  }

  /// The newest questions below an id, of one asker; nil is all askers.
  func archived(
    by asker: Seller.ID?, below id: Question.ID?, atMost limit: Int
  ) throws(StoreError) -> [ArchivedQuestion] {
    try archived(
      Self.newest, .integer(id?.rawValue ?? .max), .integer(asker?.rawValue ?? 0),
      .integer(asker == nil ? 0 : 1), .integer(Int64(limit)))
  }

  private func archived(
    _ sql: SQL, _ values: SQLValue...
  ) throws(StoreError) -> [ArchivedQuestion] {
    try database.all(sql, values) { row throws(StoreError) in
      let stored = try StoredQuestion(row, reader: nil).orDamaged()
      let seller = try row.seller(id: 8, name: 9, contact: 13).orDamaged()
      return ArchivedQuestion(
        stored.question,
        by: ArchivedSeller(
          id: seller.id, name: seller.name,
          identifierHash: stored.askerHash.isEmpty ? nil : stored.askerHash, contact: seller.contact
        ))
    }
  }

  /// Adds the questions of an imported product, each under its own id where that may be preserved.
  func insert(
    _ questions: [ArchivedQuestion], about product: Int64, of seller: Seller.ID,
    remembering cache: inout ImportCache
  ) throws(StoreError) {
    var kept = Set(questions.map(\.question.id).filter(cache.preserves).map(\.rawValue))
    if let last = kept.max() {
      // First, so that no other transaction takes one of them meanwhile.
      try database.skipNumbers(upTo: last, in: .question)
      let taken = try database.all(
        Self.taken[database.dialect], [.integers(kept.sorted())]
      ) { $0.integer(0) }
      kept.subtract(taken)
    }
    for archived in questions {
      let question = archived.question
      let asker = try database.sellers.seller(of: archived.asker, &cache)
      let values: [SQLValue] = [
        .integer(product), .integer(seller.rawValue), .integer(asker.id.rawValue),
        .text(question.text), .integer(question.offer?.hundredths),
        .text(question.offer?.currency.rawValue), .integer(question.asked.seconds),
        .text(question.answer?.text), .integer(question.answer?.given.seconds),
      ]
      let id = kept.remove(question.id.rawValue)
      try database.post(
        """
        INSERT INTO question (product, seller, asker, text, offer, currency, asked, answer, answered
          \(id == nil ? "" : ", id"))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9 \(id == nil ? "" : ", $10"))
        """, values + (id.map { [.integer($0)] } ?? []))
    }
    if !questions.isEmpty { try recount(Product.ID(rawValue: product)) }
  }
}
