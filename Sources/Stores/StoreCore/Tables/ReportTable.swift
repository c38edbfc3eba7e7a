import MarketModel
import SQLiteKit

/// Table of reports; those that an operator has dealt with are closed.
///
/// - Throws: every call throws the `StoreError` of its statement.
struct ReportTable {
  private static let reading = """
    SELECT report.id, report.product, report.question, report.reason, report.text, report.reporter,
      report.reported, product.name, product.seller, question.text, question.asker
    FROM report JOIN product ON product.id = report.product
      LEFT JOIN question ON question.id = report.question
    WHERE report.closed = 0
    """
  private static let newest = SQL(
    once: reading + " AND report.id < $1 ORDER BY report.id DESC LIMIT $2")
  private static let one = SQL(once: reading + " AND report.id = $1")

  let database: any MarketDatabase

  /// Open reports below an id, the newest first.
  func open(below id: Report.ID?, atMost limit: Int) throws(StoreError) -> [Report] {
    try database.all(
      Self.newest, [.integer(id?.rawValue ?? .max), .integer(Int64(limit))]
    ) { row throws(StoreError) in try Report(row).orDamaged() }
  }

  /// An open report; nil where there is none.
  func open(_ id: Report.ID) throws(StoreError) -> Report? {
    try database.first(Self.one, [.integer(id.rawValue)]) { row throws(StoreError) in
      try Report(row).orDamaged()
    }
  }

  func openCount() throws(StoreError) -> Int64 {
    try database.integer("SELECT count(*) FROM report WHERE closed = 0") ?? 0
  }

  /// Adds a report of a product or of a question about it; false where `origin` has reported the same.
  func insert(
    _ report: NewReport, of product: Product.ID, by reporter: Seller.ID, from origin: [UInt8],
    now: Int64
  ) throws(StoreError) -> Bool {
    let question: Int64? = if case .question(let id) = report.subject { id.rawValue } else { nil }
    return try database.count(
      """
      INSERT INTO report (product, question, reporter, origin, reason, text, reported)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
      """,
      [
        .integer(product.rawValue), .integer(question), .integer(reporter.rawValue), .blob(origin),
        .text(report.reason.rawValue), .text(report.text), .integer(now),
      ]) > 0
  }

  /// Closes a report; false where there is no open one.
  func close(_ id: Report.ID) throws(StoreError) -> Bool {
    try database.count(
      "UPDATE report SET closed = 1 WHERE id = $1 AND closed = 0", [.integer(id.rawValue)]) > 0
  }
}

extension Report {
  /// Nil for a row with an invalid id.
  fileprivate init?(_ row: StoredRow) {
    guard let product = row.productID(1) else { return nil }
    let isOfProduct = row.isNull(2)
    self.init(
      id: ID(rawValue: row.integer(0)),
      subject: isOfProduct
        ? .product(product) : .question(Question.ID(rawValue: row.integer(2))),
      reason: Reason(rawValue: row.text(3, .choice)) ?? .other,
      text: row.text(4, Report.textLimit),
      content: isOfProduct ? row.text(7, .productName) : row.text(9, QuestionRules.text),
      author: Seller.ID(rawValue: row.integer(isOfProduct ? 8 : 10)),
      reporter: Seller.ID(rawValue: row.integer(5)), reported: row.timestamp(6))
  }
}
