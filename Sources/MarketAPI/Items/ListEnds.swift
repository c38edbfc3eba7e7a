import MarketModel

/// Finds the ends of a list whose length and order nobody knows, the far one by doubling and
/// bisection.
enum ListEnds {
  /// A list that has more pages than this is taken for endless.
  static let limit = 1 << 20

  /// - Parameter page: reads the page of a number from 1; past the end it is empty.
  /// - Returns: the products of the first page and of the last two that hold any.
  /// - Throws: what `page` throws.
  static func products(
    reading page: (Int) async throws(RepositoryError) -> [Product]
  ) async throws(RepositoryError) -> [Product] {
    var full = 0
    var empty = 1
    while try await !page(empty).isEmpty {
      guard empty < limit else { return [] }
      full = empty
      empty *= 2
    }
    while empty - full > 1 {
      let middle = (full + empty) / 2
      if try await page(middle).isEmpty { empty = middle } else { full = middle }
    }
    var products: [Product] = []
    for number in Set([1, max(1, full - 1), max(1, full)]).sorted() {
      products += try await page(number)
    }
    return products
  }
}
