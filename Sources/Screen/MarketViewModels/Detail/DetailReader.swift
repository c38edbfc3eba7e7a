internal import MarketModel

/// Reader of details: from a market, and from what was seen of it earlier.
struct DetailReader {
  let repository: any ProductRepository
  /// Nil where everything is at hand.
  let seen: (any ProductCache)?

  /// Reads a product as it is now without showing it, and where the market cannot be reached as it was
  /// seen earlier.
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

  /// Reads a product without showing it: what was seen of a server, or what a file has; nil where there
  /// is neither.
  func readAskingNobody(_ id: Product.ID) async -> ProductDetail? {
    guard let seen else { return try? await repository.detail(of: id) }
    return await seen.cachedDetail(of: id)?.value
  }
}
