package import MarketModel

/// Sellers by their names, found among the products that are loaded and by a search of the market.
package final class SellerNames {
  private let repository: any ProductRepository
  /// Whose numbers were looked up.
  private var known: [String: [Seller.ID]] = [:]

  package init(repository: any ProductRepository) { self.repository = repository }

  private var search: SellerSearch { SellerSearch(repository) }

  func forget() { known = [:] }

  /// The numbers of all who are called so, in the market or among those that are loaded; exactly where
  /// anybody is, else as searches compare names.
  func ids(of name: String, or loaded: [Seller]) async throws(RepositoryError) -> [Seller.ID] {
    if let ids = known[name] { return ids }
    let ids = search.ids(of: name, among: try await loaded + search.sellers(matching: name))
    if !ids.isEmpty { known[name] = ids }
    return ids
  }

  /// The numbers of all sellers that a request names, with the names that nobody has.
  package func ids(
    in request: SearchRequest
  ) async throws(RepositoryError) -> (ids: [Seller.ID], unknown: [String]) {
    var (ids, unknown): ([Seller.ID], [String]) = ([], [])
    for mention in request.sellers {
      switch mention {
      case .number(let id): ids.append(id)
      case .name(let name):
        let found = try await self.ids(of: name, or: [])
        if found.isEmpty { unknown.append(name) }
        ids += found
      }
    }
    return (ids, unknown)
  }

  /// The names that begin with a text, in the market and among the sellers that are loaded; what it does
  /// not tell is left out.
  func names(beginningWith text: String, or loaded: [Seller]) async -> [String] {
    guard !text.isEmpty, let sellers = try? await search.sellers(matching: text, pages: 1) else {
      return Self.names(of: loaded, beginningWith: text)
    }
    return Self.names(of: loaded + sellers, beginningWith: text)
  }

  /// Those names of sellers that begin with a text.
  static func names(of sellers: [Seller], beginningWith text: String) -> [String] {
    let begun = SearchTokenizer().line(of: text)
    var seen: Set<String> = []
    return sellers.filter { $0.searchedName.hasPrefix(begun) && seen.insert($0.name).inserted }
      .sorted { $0.searchedName < $1.searchedName }.map(\.name)
  }
}
