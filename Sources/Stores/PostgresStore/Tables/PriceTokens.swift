import MarketModel
import SQLiteKit
import StoreCore

/// Tokens of prices that the search index stores beside the hashes of letters: one of the currency, the
/// number of digits and the first two (`price_token` of the schema), and one without the second digit.
///
/// With them the index finds the cheapest or dearest of many matches: by a few coarse tokens, and by fine
/// ones up to a sampled price.
enum PriceTokens {
  /// Range of tokens.
  ///
  /// A hash of letters may fall into the range, and be removed when a price changes, so the index is not
  /// asked for such a hash.
  static let numbers: ClosedRange<Int32> = firstCoarse...1_700_003_999

  private static let firstCoarse: Int32 = 1_700_000_000
  private static let firstFine = firstCoarse + 1_000
  /// Coarse tokens of all currencies, and fine ones of each coarse one.
  private static let coarseCount: Int32 = 300
  private static let fineness: Int32 = 10

  /// SQL expression of the fine token of a row of `product`.
  static let ofProduct = "price_token(currency, to_pay)"

  /// Replaces the tokens of a product whose price has others.
  static let replacement = SQL(
    once: """
      UPDATE product_search SET grams = ARRAY(
          SELECT gram FROM unnest(grams) AS gram
          WHERE gram NOT BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound))
        || price_tokens(currency, to_pay)
      FROM product
      WHERE product = $1 AND product.id = $1 AND NOT grams @> price_tokens(currency, to_pay)
      """)

  /// SQL expression of the fine token from the columns of an order by price.
  static func ofListed(in order: ProductOrder) -> String {
    order == .priceDescending ? "price_token(currency, -dearness)" : ofProduct
  }

  /// A query of one array, `numbers`: the tokens of an order by price between two fine ones, each given
  /// by an expression; empty where the last is null.
  ///
  /// The index compares each match with each token, so as few as possible are listed.
  static func listed(in order: ProductOrder, from first: String, upTo last: String) -> String {
    let lastCoarse = "coarse_price_token(\(last))"
    let coarse = position(ofCoarse: "token", in: order)
    let condition = """
      \(coarse) >= \(position(ofCoarse: "coarse_price_token(\(first))", in: order))
          AND \(coarse) < \(position(ofCoarse: lastCoarse, in: order))
      """
    let fine = "\(firstFine) + (\(lastCoarse) - \(firstCoarse)) * \(fineness)"
    return """
      SELECT ARRAY(
        SELECT token FROM generate_series(\(firstCoarse), \(firstCoarse + coarseCount - 1)) AS token
        WHERE \(condition)
        UNION ALL SELECT token FROM generate_series(\(fine), \(fine) + \(fineness - 1)) AS token
        WHERE \(position(of: "token", in: order)) <= \(position(of: last, in: order))) AS numbers
      """
  }

  /// SQL expression of a fine token's position in an order, ascending.
  static func position(of token: String, in order: ProductOrder) -> String {
    position(of: token, after: firstFine, span: coarseCount / 2 * fineness, in: order)
  }

  private static func position(ofCoarse token: String, in order: ProductOrder) -> String {
    position(of: token, after: firstCoarse, span: coarseCount / 2, in: order)
  }

  /// Each currency has `span` tokens; for a descending order they are reversed.
  private static func position(
    of token: String, after first: Int32, span: Int32, in order: ProductOrder
  ) -> String {
    guard order == .priceDescending else { return "(\(token))" }
    return "(((\(token)) - \(first)) / \(span) * \(2 * span) - ((\(token)) - \(first)))"
  }
}
