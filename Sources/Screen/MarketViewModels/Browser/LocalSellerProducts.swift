internal import MarketModel

/// Products that were registered from here, as pages: they stand for the seller's own on a market that
/// cannot be asked by seller.
struct LocalSellerProducts {
  let repository: any ProductRepository
  /// The latest last.
  let registered: [Product.ID]

  /// Reads each product by itself, the latest first; those that are gone are left out.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    var rest = Array(registered.reversed())[...]
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
