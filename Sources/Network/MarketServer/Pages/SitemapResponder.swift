import MarketAPI
import MarketModel
import MarketPages

/// Responder to requests for the site map.
///
/// Each part is computed at most once an hour, since it reads fifty thousand products.
struct SitemapResponder: Sendable {
  /// Computed index or part.
  private enum Found: Sendable {
    /// Index of a market with this number of products.
    case index(Int)
    case part(Sitemap.Entries)
    case noSuchPart
    case failed(RepositoryError)

    /// Approximate memory in bytes; nil for what is not cached.
    var byteCount: Int? {
      switch self {
      case .index: 64
      case .part(let entries): entries.byteCount + 64
      case .noSuchPart, .failed: nil
      }
    }
  }

  /// Maximum size of cached parts in bytes; a product takes about two.
  private static let memoryBytes = 32 << 20
  private static let pageSize = PageRequest.sizes.upperBound

  private let market: any ServedMarket
  private let cache = VersionedCache<Sitemap.Page, Found>(limit: memoryBytes) { $0.byteCount }

  init(_ market: any ServedMarket) {
    self.market = market
  }

  /// Returns the index or part; nil if the part does not exist.
  func answer(
    to page: Sitemap.Page, below start: String, hour: Int64
  ) async -> ServerResponse? {
    switch await cache.value(for: page, at: hour, finding: { await found(page) }) {
    case .index(let count): Self.response(Sitemap.index(of: count, below: start))
    case .part(let entries): Self.response(Sitemap.part(entries, below: start))
    case .noSuchPart: nil
    case .failed(let error): .refusal(.serviceUnavailable, because: error.logged)
    }
  }

  private func found(_ page: Sitemap.Page) async -> Found {
    do throws(RepositoryError) {
      let count = try await market.exactTotal(of: ProductQuery())
      switch page {
      case .index: return .index(count)
      case .part(let number):
        let first = (number - 1) * Sitemap.partSize
        guard first < max(1, count) else { return .noSuchPart }
        return .part(try await entries(from: first, of: count))
      }
    } catch {
      return .failed(error)
    }
  }

  private func entries(
    from first: Int, of count: Int
  ) async throws(RepositoryError) -> Sitemap.Entries {
    var entries = Sitemap.Entries()
    for page in 0..<(Sitemap.partSize / Self.pageSize) {
      let number = first / Self.pageSize + page + 1
      let products = try await market.page(
        PageRequest(position: .number(number), size: Self.pageSize), of: count
      ).products
      for product in products { entries.append(product) }
      guard products.count == Self.pageSize else { break }
    }
    return entries
  }

  private static func response(_ body: [UInt8]) -> ServerResponse {
    ServerResponse(
      HTTPResponse(.ok, headers: PagesResponder.headers("application/xml"), body: body))
  }
}
