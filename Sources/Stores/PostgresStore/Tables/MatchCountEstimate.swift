import MarketModel
import StoreCore

/// Sample of the table of words that decides whether far more products match than are counted, and
/// estimates a lower bound of their number.
///
/// Each page of the table is sampled with the same probability, so the matches on sampled pages give the
/// total and its standard error (Horvitz and Thompson, 1952). The bound is eight standard errors below,
/// which chance exceeds less than once in 10^14 times.
///
/// The sampled pages are fixed by a seed, so that a query keeps its number and the pages stay in memory.
struct MatchCountEstimate {
  private static let certainty = 8

  private let search: WordSearch
  private let narrowing: ProductConditions
  private let bounds: SearchBounds

  init(
    of search: WordSearch, among narrowing: ProductConditions, within bounds: SearchBounds
  ) {
    self.search = search
    self.narrowing = narrowing
    self.bounds = bounds
  }

  /// A query of two columns: whether the words alone match more than the bound, and a lower bound of the
  /// products that satisfy all conditions.
  ///
  /// A small first sample avoids the full one where few products match, and where words alone are
  /// everywhere.
  func sql(above bound: Int, _ parameters: inout StatementParameters) -> String {
    let words = search.condition(usesIndex: false, &parameters)
    let passes = narrowing.isEmpty ? "true" : "EXISTS (\(passing(&parameters)))"
    let sample = share(of: bounds.samplePages)
    let isEnough = narrowing.isEmpty ? Self.areMany("found", above: bound, of: sample) : "false"
    // After fewer than these the full sample is not certain of any number.
    let least = Self.certainty * Self.certainty * bounds.samplePages / bounds.sampledPages
    let likely = "greatest(\(narrowing.isEmpty ? least : 0), \(bound) * \(sample))"
    let page = "(product_search.ctid::text::point)[0] AS page"
    let share = "(SELECT share FROM glimpsed)"
    return """
      WITH glimpsed AS MATERIALIZED (
        SELECT sum(found) > \(likely) AS are_likely,
          CASE WHEN \(isEnough) THEN \(sample) ELSE \(self.share(of: bounds.sampledPages)) END AS share
        FROM (SELECT \(page), count(*) AS found FROM product_search \(pages(sample))
          WHERE \(words) GROUP BY page) AS page)
      SELECT coalesce(\(Self.areMany("found", above: bound, of: share)), false) AS are_many,
        coalesce(
          greatest(sum(passing), floor(\(Self.least(of: "passing")) / nullif(\(share), 0))),
          0)::bigint AS least
      FROM (
        SELECT count(*) AS found, count(*) FILTER (WHERE passes) AS passing FROM (
          SELECT \(page), \(passes) AS passes FROM product_search \(pages(share))
          WHERE (SELECT are_likely FROM glimpsed) AND \(words)) AS row GROUP BY page) AS page
      """
  }

  /// SQL condition: the matches counted by page, on a share of all pages, exceed the bound.
  private static func areMany(
    _ column: String, above bound: Int, of share: String
  ) -> String {
    "\(least(of: column)) > \(bound) * \(share)"
  }

  /// SQL lower bound of the matches counted by page, within the sample.
  private static func least(of column: String) -> String {
    "(sum(\(column)) - \(certainty) * sqrt(sum(\(column) * \(column))))"
  }

  /// A query of the price token, in a part of an order by price, up to which `count` products are
  /// expected after a key; no row where the sample has no matches.
  ///
  /// Other conditions are assumed to be independent of the price.
  func priceToken(
    in order: StoredOrder, after key: OrderKey?, for count: Int,
    _ parameters: inout StatementParameters
  ) -> String {
    let sample = share(of: bounds.pricePages)
    let columns = order.columns.joined(separator: ", ")
    let found = search.condition(usesIndex: false, &parameters)
    let prices = narrowing.only(keepsPrices: true).conditions(&parameters)
    let conditions = prices + order.condition(after: key, &parameters)
    let passes = "true" + narrowing.conditions(&parameters)
    return """
      SELECT token FROM (
        SELECT \(PriceTokens.ofProduct) AS token, row_number() OVER (ORDER BY \(columns)) AS place,
          count(*) OVER () AS count, count(*) FILTER (WHERE passes) OVER () AS passing
        FROM (SELECT product FROM product_search \(pages(sample))
          WHERE \(found) OFFSET 0) AS found
        CROSS JOIN LATERAL (
          \(PageSelection.found(
            "currency, to_pay, dearness, newness, (\(passes)) AS passes", conditions))) AS listed) AS placed
      WHERE place = least(count, ceil(\(count) * \(sample) * count / greatest(1, passing)))
      """
  }

  /// SELECT of the product of a row of `product_search`, where it satisfies the conditions.
  private func passing(_ parameters: inout StatementParameters) -> String {
    // OFFSET 0 keeps the planner from scanning all products instead.
    "SELECT 1 FROM product WHERE id = product_search.product\(narrowing.conditions(&parameters)) OFFSET 0"
  }

  private func pages(_ share: String) -> String {
    "TABLESAMPLE SYSTEM (100 * \(share)) REPEATABLE (\(bounds.seed))"
  }

  /// SQL expression of the share of the table's pages that `count` is, at most 1; 0 for a small table.
  private func share(of count: Int) -> String {
    """
    (SELECT CASE WHEN pages < \(bounds.minPages) THEN 0 ELSE least(1, \(count) / pages) END
      FROM (SELECT \(SearchBounds.pages) AS pages) AS whole)
    """
  }
}

/// Limits of the work of a search before it answers with what it has found.
package struct SearchBounds: Sendable {
  /// Maximum number of word matches that are looked up; beyond it the other conditions are counted on
  /// some of them only.
  package var looked = 10_000
  /// Number of those matches, which gives a lower bound.
  package var counted = 5_000
  /// Number of products of words alone that are scanned in the time of looking one match up: 5 where the
  /// table is in shared buffers, 14 where the kernel has it.
  package var scansPerMatch = 8.0
  /// Number of first matches whose distances tell how many there are.
  package var glanced = 200
  /// Maximum number of matches up to a sampled price that are looked up and sorted.
  package var near = 30_000
  /// Maximum number of products of an order that are checked one by one: far more than needed where more
  /// than 10,000 of a million match, unless the matches are clustered elsewhere.
  package var scanLimit = 20_000
  /// Like `scanLimit`, where only the table of words is read.
  package var wordScanLimit = 60_000
  /// Like `scanLimit`, before the index is asked for the first products by price.
  package var priceScanLimit = 2_000
  /// Expected number of sampled pages of the table of words.
  package var sampledPages = 1_000
  /// Expected number of sampled pages where the sample only chooses a price.
  package var pricePages = 400
  /// Expected number of pages of the first sample.
  package var samplePages = 100
  /// Minimum size of the table in pages for sampling; in a smaller one a full count is as fast.
  package var minPages = 4_000

  /// SQL number of pages of the table of words, at least 1.
  static let pages =
    "greatest(1, pg_relation_size('product_search') / current_setting('block_size')::float8)"

  /// Seed that chooses the sampled pages.
  package var seed = 1
  /// Expected matches up to the sampled price, as multiples of a page, at each attempt.
  package var plenty = [2, 16]
}
