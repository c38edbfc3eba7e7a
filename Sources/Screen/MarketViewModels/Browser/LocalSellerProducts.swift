internal import MarketModel

/// Products that were registered on this computer, as pages, for a market that cannot be queried by
/// seller.
struct LocalSellerProducts {
  let repository: any ProductRepository
  /// Oldest first.
  let registered: [Product.ID]

  /// Reads each product of a page, the latest first; deleted ones are left out.
  /// - Throws: what `ProductRepository.detail(of:)` throws, except `.notFound`.
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
