import MarketAPI
import MarketModel
import MarketPages

/// Answers to crawlers that ask for the site map, each found out once an hour at most: a part of it reads
/// fifty thousand products.
struct SitemapAnswers: Sendable {
  private struct Key: Hashable, Sendable {
    let place: Sitemap.Place
    let start: String
  }

  private static let memoryBytes = 32 << 20
  private static let pageSize = PageRequest.sizes.upperBound

  private let market: any ServedMarket
  private let memory = VersionedMemory<Key, RememberedAnswer>(limit: memoryBytes) {
    $0.isSuccess ? $0.byteCount : nil
  }

  init(_ market: any ServedMarket) {
    self.market = market
  }

  /// Nil where there is no such part.
  func answer(
    to place: Sitemap.Place, below start: String, hour: Int64
  ) async -> ServerResponse? {
    let answer = await memory.value(for: Key(place: place, start: start), at: hour) {
      RememberedAnswer(await found(place, below: start))
    }
    return answer.isNotFound ? nil : answer.whole
  }

  private func found(_ place: Sitemap.Place, below start: String) async -> ServerResponse {
    do throws(RepositoryError) {
      let count = try await market.exactTotal(of: ProductQuery())
      switch place {
      case .index: return Self.response(Sitemap.index(of: count, below: start))
      case .part(let number):
        let first = (number - 1) * Sitemap.partSize
        guard first < max(1, count) else { return ServerResponse(HTTPResponse(.notFound)) }
        return Self.response(try await part(from: first, of: count, below: start))
      }
    } catch {
      return .refusal(.serviceUnavailable, because: error.logged)
    }
  }

  private func part(
    from first: Int, of count: Int, below start: String
  ) async throws(RepositoryError) -> [UInt8] {
    var bytes = Sitemap.partStart
    for page in 0..<(Sitemap.partSize / Self.pageSize) {
      let number = first / Self.pageSize + page + 1
      let products = try await market.page(
        PageRequest(position: .number(number), size: Self.pageSize), of: count
      ).products
      for product in products { Sitemap.append(product, below: start, to: &bytes) }
      guard products.count == Self.pageSize else { break }
    }
    return bytes + Sitemap.partEnd
  }

  private static func response(_ body: [UInt8]) -> ServerResponse {
    ServerResponse(
      HTTPResponse(.ok, headers: PagesResponder.headers("application/xml"), body: body))
  }
}
