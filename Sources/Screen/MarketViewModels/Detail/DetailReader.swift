internal import MarketModel

/// Reader of details from a market and its cache.
struct DetailReader {
  let repository: any ProductRepository
  /// Cache of earlier responses; nil for a repository without a network.
  let seen: (any ProductCache)?

  /// Reads a detail, from the cache if the market cannot be reached.
  /// - Throws: what `ProductRepository.detail(of:)` throws; `.unreachable` only if the cache lacks
  ///   the product.
  func fetch(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    do throws(RepositoryError) {
      return try await repository.detail(of: id)
    } catch {
      guard case .unreachable = error, let cached = await seen?.cachedDetail(of: id) else {
        throw error
      }
      return cached.value
    }
  }

  /// Reads a detail without a request: from the cache of a server, or from a market file; nil if that
  /// fails.
  func readAskingNobody(_ id: Product.ID) async -> ProductDetail? {
    guard let seen else { return try? await repository.detail(of: id) }
    return await seen.cachedDetail(of: id)?.value
  }
}
