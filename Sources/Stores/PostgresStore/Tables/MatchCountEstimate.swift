import MarketModel
import StoreCore

/// Sample of the table of words that tells whether far more products are found than are counted, and how
/// many there are at least.
///
/// Each page of the table is taken with the same chance, so what is found in those that are taken
/// tells how many there are in all, and how far off that may be (Horvitz and Thompson, 1952). What it
/// says is eight standard errors away, which chance exceeds less than once in 10^14 times.
///
/// The same pages are taken each time, so that a query keeps its number and they stay in memory.
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

  /// A query of two columns: whether the words alone find more than the bound for certain, and how many
  /// products there are at least that pass all conditions.
  ///
  /// A first glimpse saves the sample where few are found, and where words alone are everywhere.
  func sql(_ parameters: inout StatementParameters) -> String {
    let words = search.condition(usesIndex: false, &parameters)
    let passes = narrowing.isEmpty ? "true" : "EXISTS (\(passing(&parameters)))"
    let sample = share(of: bounds.samplePages)
    let isEnough = narrowing.isEmpty ? Self.areMany("found", of: sample) : "false"
    let page = "(product_search.ctid::text::point)[0] AS page"
    let share = "(SELECT share FROM glimpsed)"
    return """
      WITH glimpsed AS MATERIALIZED (
        SELECT sum(found) > \(ProductTotal.bound) * \(sample) AS are_likely,
          CASE WHEN \(isEnough) THEN \(sample) ELSE \(self.share(of: bounds.sampledPages)) END AS share
        FROM (SELECT \(page), count(*) AS found FROM product_search \(pages(sample))
          WHERE \(words) GROUP BY page) AS page)
      SELECT coalesce(\(Self.areMany("found", of: share)), false) AS are_many,
        coalesce(
          greatest(sum(passing), floor(\(Self.least(of: "passing")) / nullif(\(share), 0))),
          0)::bigint AS least
      FROM (
        SELECT count(*) AS found, count(*) FILTER (WHERE passes) AS passing FROM (
          SELECT \(page), \(passes) AS passes FROM product_search \(pages(share))
          WHERE (SELECT are_likely FROM glimpsed) AND \(words)) AS row GROUP BY page) AS page
      """
  }

  /// Whether what was counted by pages, of a share of them all, is more than the bound for certain.
  private static func areMany(_ column: String, of share: String) -> String {
    "\(least(of: column)) > \(ProductTotal.bound) * \(share)"
  }

  /// What there is at least of what was counted by pages, in the sample's measure.
  private static func least(of column: String) -> String {
    "(sum(\(column)) - \(certainty) * sqrt(sum(\(column) * \(column))))"
  }

  /// A query of the mark in a part of an order by price up to which so many products are to be expected after a
  /// place; no row where the sample has no finds.
  ///
  /// Whatever else is asked is taken to pass as many of the cheap as of the dear.
  func mark(
    in order: StoredOrder, after key: OrderKey?, for count: Int,
    _ parameters: inout StatementParameters
  ) -> String {
    let sample = share(of: bounds.markPages)
    let columns = order.columns.joined(separator: ", ")
    let found = search.condition(usesIndex: false, &parameters)
    let prices = narrowing.only(keepsPrices: true).conditions(&parameters)
    let conditions = prices + order.condition(after: key, &parameters)
    let passes = "true" + narrowing.conditions(&parameters)
    return """
      SELECT mark FROM (
        SELECT \(PriceTokens.ofProduct) AS mark, row_number() OVER (ORDER BY \(columns)) AS place,
          count(*) OVER () AS count, count(*) FILTER (WHERE passes) OVER () AS passing
        FROM (SELECT product FROM product_search \(pages(sample))
          WHERE \(found) OFFSET 0) AS found
        CROSS JOIN LATERAL (
          \(PageSelection.found(
            "currency, to_pay, dearness, newness, (\(passes)) AS passes", conditions))) AS listed) AS placed
      WHERE place = least(count, ceil(\(count) * \(sample) * count / greatest(1, passing)))
      """
  }

  /// The product of a row of `product_search`, where it passes.
  private func passing(_ parameters: inout StatementParameters) -> String {
    // OFFSET 0 keeps planners from going through all products instead.
    "SELECT 1 FROM product WHERE id = product_search.product\(narrowing.conditions(&parameters)) OFFSET 0"
  }

  private func pages(_ share: String) -> String {
    "TABLESAMPLE SYSTEM (100 * \(share)) REPEATABLE (\(bounds.seed))"
  }

  /// The share of the table's pages that so many are.
  private func share(of count: Int) -> String {
    """
    (SELECT CASE WHEN pages < \(bounds.minPages) THEN 0 ELSE least(1, \(count) / pages) END
      FROM (SELECT greatest(1, pg_relation_size('product_search')
        / current_setting('block_size')::float8) AS pages) AS whole)
    """
  }
}

/// Bounds of how far searches go before they answer by what they have seen.
package struct SearchBounds: Sendable {
  /// Finds of the words that are looked up; where there are more, what else a query asks is not counted
  /// among all of them.
  package var looked = 10_000
  /// Those among which it is counted then, which gives a number that there are at least.
  package var counted = 5_000
  /// Finds up to the price that a sample tells, which are looked up to be sorted.
  package var near = 30_000
  /// Products of an order that are looked at one by one: far more than are needed where more than
  /// 10,000 of a million match, unless those that match stand together elsewhere.
  package var scanLimit = 20_000
  /// The same before the index is asked for what comes first by price.
  package var priceScanLimit = 2_000
  /// Pages of the table of words that are taken as a sample, on average.
  package var sampledPages = 1_000
  /// The same where the sample is only to tell up to which price to look.
  package var markPages = 400
  /// Pages of a first glimpse, on average, which saves the sample where few are found.
  package var samplePages = 100
  /// Size of the table, in pages, up to which looking everything up is as fast as a sample.
  package var minPages = 4_000

  /// Chooses which pages are taken.
  package var seed = 1
  /// How many times as many finds as a page needs are to be expected up to a price, at each attempt.
  package var plenty = [2, 16]
}
