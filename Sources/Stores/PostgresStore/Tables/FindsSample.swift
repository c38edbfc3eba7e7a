import MarketModel
import StoreCore

/// Sample of the table of words that tells whether far more products are found than are counted.
///
/// Each page of the table is taken with the same chance, so what is found in those that are taken
/// tells how many there are in all, and how far off that may be (Horvitz and Thompson, 1952). It
/// says yes only where the bound is eight standard errors away, which chance exceeds less than once
/// in 10^14 times; else they are to be counted.
struct FindsSample {
  private static let certainty = 8
  /// How many more finds than a page needs are to be expected up to a mark.
  private static let plenty = 2

  private let search: WordSearch
  private let narrowing: ProductNarrowing
  private let bounds: SearchBounds

  init(
    of search: WordSearch, among narrowing: ProductNarrowing, within bounds: SearchBounds
  ) {
    self.search = search
    self.narrowing = narrowing
    self.bounds = bounds
  }

  /// A query of one truth value: whether more than the bound are found for certain.
  func sql(_ parameters: inout StatementParameters) -> String {
    let condition = condition(&parameters)
    let (glimpse, sample) = (share(of: bounds.glimpsedPages), share(of: bounds.sampledPages))
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

  /// A query of the mark in an order by price up to which a page of finds after a place is to be
  /// expected; no row where the sample has no finds.
  func mark(
    in order: ProductOrder, after key: OrderKey?, for count: Int,
    _ parameters: inout StatementParameters
  ) -> String {
    let sample = share(of: bounds.markPages)
    let columns = order.columns.joined(separator: ", ")
    let found = search.condition(usesIndex: false, &parameters)
    let conditions =
      narrowing.conditions(&parameters) + order.condition(after: key, &parameters)
    return """
      SELECT mark FROM (
        SELECT \(PriceMarks.ofProduct) AS mark, row_number() OVER (ORDER BY \(columns)) AS place,
          count(*) OVER () AS count
        FROM (SELECT product FROM product_search TABLESAMPLE SYSTEM (100 * \(sample))
          WHERE \(found) OFFSET 0) AS found
        CROSS JOIN LATERAL (
          \(PageSelection.found("currency, to_pay, dearness, newness", conditions))) AS listed) AS placed
      WHERE place = least(count, ceil(\(Self.plenty * count) * \(sample)))
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
  private func share(of count: Int) -> String {
    """
    (SELECT CASE WHEN pages < \(bounds.leastPages) THEN 0 ELSE least(1, \(count) / pages) END
      FROM (SELECT greatest(1, pg_relation_size('product_search')
        / current_setting('block_size')::float8) AS pages) AS whole)
    """
  }
}
