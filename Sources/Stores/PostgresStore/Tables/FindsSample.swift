import MarketModel
import StoreCore

/// Sample of the table of words that tells whether far more products are found than are counted.
///
/// Each page of the table is taken with the same chance, so what is found in those that are taken
/// tells how many there are in all, and how far off that may be (Horvitz and Thompson, 1952). It
/// says yes only where the bound is eight standard errors away, which chance exceeds less than once
/// in 10^14 times; else they are to be counted.
struct FindsSample {
  /// Pages of a first glimpse, on average, which saves the second where few are found.
  private static let glimpsedPages = 100
  private static let sampledPages = 1_000
  /// Size of a table, in pages, up to which looking everything up is as fast.
  private static let leastPages = 4_000
  private static let certainty = 8

  private let search: WordSearch
  private let narrowing: ProductNarrowing

  init(of search: WordSearch, among narrowing: ProductNarrowing) {
    self.search = search
    self.narrowing = narrowing
  }

  /// A query of one truth value: whether more than the bound are found for certain.
  func sql(_ parameters: inout StatementParameters) -> String {
    let condition = condition(&parameters)
    let (glimpse, sample) = (Self.share(of: Self.glimpsedPages), Self.share(of: Self.sampledPages))
    return """
      SELECT coalesce(
        sum(found) - \(Self.certainty) * sqrt(sum(found * found)) > \(ProductTotal.bound) * \(sample),
        false)
      FROM (
        SELECT count(*) AS found FROM product_search TABLESAMPLE SYSTEM (100 * \(sample))
        WHERE (
          SELECT count(*) > \(ProductTotal.bound) * \(glimpse)
          FROM product_search TABLESAMPLE SYSTEM (100 * \(glimpse)) WHERE \(condition)
        ) AND \(condition) GROUP BY (product_search.ctid::text::point)[0]) AS page
      """
  }

  private func condition(_ parameters: inout StatementParameters) -> String {
    let words = search.condition(usesIndex: false, &parameters)
    guard !narrowing.isEmpty else { return words }
    // OFFSET 0 keeps planners from going through all products instead.
    return words + """
       AND EXISTS (SELECT 1 FROM product
        WHERE id = product_search.product\(narrowing.conditions(&parameters)) OFFSET 0)
      """
  }

  /// The share of the table's pages that so many are.
  private static func share(of count: Int) -> String {
    """
    (SELECT CASE WHEN pages < \(leastPages) THEN 0 ELSE \(count) / pages END FROM (
      SELECT pg_relation_size('product_search') / current_setting('block_size')::float8 AS pages
    ) AS whole)
    """
  }
}
