import MarketModel
import SQLiteKit
import StoreCore

/// Marks of prices, which the search index has beside the hashes of letters: one of the currency, the
/// number of digits and the first two (`price_mark` of the schema), and one of the first digit alone.
///
/// So the index itself finds those of many finds that are cheapest or dearest: by a few coarse marks, and
/// by fine ones up to where it is enough. Triggers write the marks.
enum PriceTokens {
  /// Numbers that marks may be, and below them the one that says that a row has its marks.
  ///
  /// A hash of letters may be one of them by chance, and go when a price changes, so the index is not
  /// asked for such a hash.
  static let numbers: ClosedRange<Int32> = present...1_700_003_999

  private static let present: Int32 = 1_699_999_999
  private static let firstCoarse = present + 1
  private static let firstFine = firstCoarse + 1_000
  /// Coarse marks of all currencies, and fine ones of each coarse one.
  private static let coarseCount: Int32 = 300
  private static let fineness: Int32 = 10

  /// The condition on rows of `product_search` that have no marks yet, as their index has it.
  static let isMissing = "NOT grams @> '{\(present)}'::integer[]"

  /// The expression of the fine mark of a row of `product`.
  static let ofProduct = "price_mark(currency, to_pay)"

  /// The same by the columns of an order by price.
  static func ofListed(in order: ProductOrder) -> String {
    order == .priceDescending ? "price_mark(currency, -dearness)" : ofProduct
  }

  /// A query of one array, `numbers`: the marks of an order by price from one fine one up to another, each
  /// given by an expression; empty where the last is null.
  ///
  /// The index compares each find with each mark, so those that no product has are worth leaving out.
  static func listed(in order: ProductOrder, from first: String, upTo last: String) -> String {
    let lastCoarse = "coarse_mark(\(last))"
    let coarse = place(ofCoarse: "mark", in: order)
    let condition = """
      \(coarse) >= \(place(ofCoarse: "coarse_mark(\(first))", in: order))
          AND \(coarse) < \(place(ofCoarse: lastCoarse, in: order))
      """
    let fine = "\(firstFine) + (\(lastCoarse) - \(firstCoarse)) * \(fineness)"
    return """
      SELECT ARRAY(
        SELECT mark FROM generate_series(\(firstCoarse), \(firstCoarse + coarseCount - 1)) AS mark
        WHERE \(condition)
        UNION ALL SELECT mark FROM generate_series(\(fine), \(fine) + \(fineness - 1)) AS mark
        WHERE \(place(of: "mark", in: order)) <= \(place(of: last, in: order))) AS numbers
      """
  }

  /// The place of a fine mark in an order, which rises.
  static func place(of mark: String, in order: ProductOrder) -> String {
    place(of: mark, after: firstFine, span: coarseCount / 2 * fineness, in: order)
  }

  private static func place(ofCoarse mark: String, in order: ProductOrder) -> String {
    place(of: mark, after: firstCoarse, span: coarseCount / 2, in: order)
  }

  /// `span` marks belong to each currency; in an order that falls by price they are turned round.
  private static func place(
    of mark: String, after first: Int32, span: Int32, in order: ProductOrder
  ) -> String {
    guard order == .priceDescending else { return "(\(mark))" }
    return "(((\(mark)) - \(first)) / \(span) * \(2 * span) - ((\(mark)) - \(first)))"
  }
}

/// Marks the search rows that a server of an older version has written, some at a time, while others
/// read and write.
struct PriceTokenBackfill {
  private static let batch = 500
  /// Between two batches, in which others come to their turn.
  private static let pause = Duration.milliseconds(5)
  /// Until another look at rows that others have locked.
  private static let longPause = Duration.seconds(1)
  private static let update = SQL(
    once: """
      UPDATE product_search SET grams = grams WHERE product IN (
        SELECT product FROM product_search WHERE \(PriceTokens.isMissing)
        LIMIT \(batch) FOR UPDATE SKIP LOCKED)
      RETURNING product
      """)

  private let connections: ConnectionPool

  init(over connections: ConnectionPool) {
    self.connections = connections
  }

  /// Marks all rows, and returns when each has its mark, whoever made it.
  ///
  /// Where the database may not be written to, rows without one are `.readOnly`.
  func run() async throws(StoreError) {
    while try await misses() {
      let count = try await connections.retrying(isRepeatable: true) {
        connection throws(StoreError) in
        var marked = 0
        _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
          marked = try connection.run(Self.update).map { $0.integer(0) }.count
          return .success(())
        }
        return marked
      }
      do {
        try await Task.sleep(for: count == Self.batch ? Self.pause : Self.longPause)
      } catch {
        throw .cancelled
      }
    }
  }

  private func misses() async throws(StoreError) -> Bool {
    try await connections.retrying { connection throws(StoreError) in
      try connection.run(
        "SELECT product FROM product_search WHERE \(PriceTokens.isMissing) LIMIT 1"
      )
      .first != nil
    }
  }
}
