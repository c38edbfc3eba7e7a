internal import MarketModel

/// The seller's own products on a market that cannot be asked for them.
extension BrowserModel {
  /// A page of a query; where the market does not tell products by seller, those that were
  /// registered from here stand for the seller's.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    guard request.query.seller != nil, capabilities?.queriesBySeller == false else {
      return try await repository.page(request)
    }
    return try await pageOfRegistered(request)
  }

  /// Reads each product by itself, the latest first; those that are gone are left out.
  private func pageOfRegistered(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var rest = Array(registered().reversed())[...]
    if case .after(let cursor) = request.position {
      rest = rest.drop { String($0.rawValue) != cursor.rawValue }.dropFirst()
    }
    let ids = rest.prefix(request.size)
    var products: [Product] = []
    for id in ids {
      do throws(RepositoryError) {
        products.append(try await repository.detail(of: id).product)
      } catch {
        guard error == .notFound else { throw error }
      }
    }
    return ProductPage(
      products: products, total: .unknown,
      next: ids.count < rest.count
        ? ids.last.map { .after(PageCursor(rawValue: String($0.rawValue))) } : nil)
  }
}
