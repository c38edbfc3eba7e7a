/// Search for sellers through their products, as no market lists its sellers.
package struct SellerSearch: Sendable {
  private let repository: any ProductRepository
  /// Maximum pages read for one name, and products a page: products that only mention the name are
  /// found, too.
  package static let maxPages = 5
  private static let pageSize = 100

  package init(_ repository: any ProductRepository) { self.repository = repository }

  /// Returns the sellers of the products that match the name; empty where the market has no search.
  ///
  /// - Throws: what `capabilities()` and `page(_:)` of the repository throw.
  package func sellers(
    matching name: String, pages: Int = maxPages
  ) async throws(RepositoryError) -> [Seller] {
    var sellers: [Seller] = []
    guard try await repository.capabilities().searches else { return sellers }
    var position: PagePosition? = .first
    for _ in 0..<pages {
      guard let current = position else { break }
      let page = try await repository.page(
        PageRequest(query: ProductQuery(text: name), position: current, size: Self.pageSize))
      sellers += page.products.map(\.seller)
      position = page.products.isEmpty ? nil : page.next
    }
    return sellers
  }

  /// Returns the numbers of all sellers with this name: exact matches, or without any those equal
  /// after folding.
  package func ids(of name: String, among sellers: [Seller]) -> [Seller.ID] {
    let exact = sellers.filter { $0.name == name }
    let line = SearchTokenizer().line(of: name)
    let meant = exact.isEmpty ? sellers.filter { $0.searchedName == line } : exact
    return Set(meant.map(\.id)).sorted { $0.rawValue < $1.rawValue }
  }
}

extension Seller {
  /// Name after folding, as searches compare it.
  package var searchedName: String { SearchTokenizer().line(of: name) }
}
