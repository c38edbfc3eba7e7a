import MarketModel
import SQLiteKit
import StoreCore

/// Tokens of prices that the search index stores beside the hashes of letters: one of the currency, the
/// number of digits and the first two (`price_mark` of the schema), and one without the second digit.
///
/// With them the index finds the cheapest or dearest of many matches: by a few coarse tokens, and by fine
/// ones up to a sampled price. Triggers write the tokens.
enum PriceTokens {
  /// Range of tokens, including the one that marks rows with tokens.
  ///
  /// A hash of letters may fall into the range, and be removed when a price changes, so the index is not
  /// asked for such a hash.
  static let numbers: ClosedRange<Int32> = present...1_700_003_999

  private static let present: Int32 = 1_699_999_999
  private static let firstCoarse = present + 1
  private static let firstFine = firstCoarse + 1_000
  /// Coarse tokens of all currencies, and fine ones of each coarse one.
  private static let coarseCount: Int32 = 300
  private static let fineness: Int32 = 10

  /// SQL condition for rows of `product_search` without tokens, as a partial index has it.
  static let isMissing = "NOT grams @> '{\(present)}'::integer[]"

  /// SQL expression of the fine token of a row of `product`.
  static let ofProduct = "price_mark(currency, to_pay)"

  /// SQL expression of the fine token from the columns of an order by price.
  static func ofListed(in order: ProductOrder) -> String {
    order == .priceDescending ? "price_mark(currency, -dearness)" : ofProduct
  }

  /// A query of one array, `numbers`: the tokens of an order by price between two fine ones, each given
  /// by an expression; empty where the last is null.
  ///
  /// The index compares each match with each token, so as few as possible are listed.
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

  /// SQL expression of a fine token's position in an order, ascending.
  static func place(of mark: String, in order: ProductOrder) -> String {
    place(of: mark, after: firstFine, span: coarseCount / 2 * fineness, in: order)
  }

  private static func place(ofCoarse mark: String, in order: ProductOrder) -> String {
    place(of: mark, after: firstCoarse, span: coarseCount / 2, in: order)
  }

  /// Each currency has `span` tokens; for a descending order they are reversed.
  private static func place(
    of mark: String, after first: Int32, span: Int32, in order: ProductOrder
  ) -> String {
    guard order == .priceDescending else { return "(\(mark))" }
    return "(((\(mark)) - \(first)) / \(span) * \(2 * span) - ((\(mark)) - \(first)))"
  }
}

/// Background job that adds price tokens to rows of servers of older versions, in batches.
struct PriceTokenBackfill {
  private static let batch = 500
  /// Pause between two batches, in which other writers get their turn.
  private static let pause = Duration.milliseconds(5)
  /// Pause before rows that were locked are tried again.
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

  /// Updates all rows, and returns when each has its token, from this or another server.
  ///
  /// - Throws: `.readOnly` where rows lack tokens in a read-only database; `.cancelled`; what
  ///   `ConnectionPool.retrying(isRepeatable:_:)` throws.
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
