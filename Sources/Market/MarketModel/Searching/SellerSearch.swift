/// Search for sellers by their names among a market's products: no market lists its sellers.
package struct SellerSearch: Sendable {
  private let repository: any ProductRepository
  /// Pages that are read for one name, and their size: products that only mention the name in their
  /// texts come with those of the seller.
  package static let maxPages = 5
  private static let pageSize = 100

  package init(_ repository: any ProductRepository) {
    self.repository = repository
  }

  /// The sellers of the products that a search for the name finds; none where nothing is searched.
  package func sellers(
    matching name: String, pages: Int = maxPages
  ) async throws(RepositoryError) -> [Seller] {
    var sellers: [Seller] = []
    guard try await repository.capabilities().searches else { return sellers }
    var position: PagePosition? = .first
    for _ in 0..<pages {
      guard let place = position else { break }
      let page = try await repository.page(
        PageRequest(query: ProductQuery(text: name), position: place, size: Self.pageSize))
      sellers += page.products.map(\.seller)
      position = page.products.isEmpty ? nil : page.next
    }
    return sellers
  }

  /// The numbers of all who are called so; exactly where anybody is, else as searches compare names.
  package func ids(of name: String, among sellers: [Seller]) -> [Seller.ID] {
    let exact = sellers.filter { $0.name == name }
    let line = SearchTokenizer().line(of: name)
    let meant = exact.isEmpty ? sellers.filter { $0.searchedName == line } : exact
    return Set(meant.map(\.id)).sorted { $0.rawValue < $1.rawValue }
  }
}

extension Seller {
  /// The name as searches compare it.
  package var searchedName: String { SearchTokenizer().line(of: name) }
}
