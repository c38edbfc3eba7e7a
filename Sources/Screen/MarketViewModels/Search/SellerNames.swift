package import MarketModel

/// Lookup of sellers by name, in loaded products and by a search of the market.
package final class SellerNames {
  private let repository: any ProductRepository
  /// Ids by name that were looked up.
  private var known: [String: [Seller.ID]] = [:]

  package init(repository: any ProductRepository) { self.repository = repository }

  private var search: SellerSearch { SellerSearch(repository) }

  func forget() { known = [:] }

  /// Ids of all sellers with a name, in the market and among `loaded`: exact matches, else those that
  /// searches consider equal.
  /// - Throws: what `SellerSearch.sellers(matching:)` throws.
  func ids(of name: String, or loaded: [Seller]) async throws(RepositoryError) -> [Seller.ID] {
    if let ids = known[name] { return ids }
    let ids = search.ids(of: name, among: try await loaded + search.sellers(matching: name))
    if !ids.isEmpty { known[name] = ids }
    return ids
  }

  /// Ids of all sellers in a request, with the names that were not found.
  /// - Throws: what `SellerSearch.sellers(matching:)` throws.
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

  /// Names that begin with a text, in the market and among `loaded`; only the latter if the market
  /// fails.
  func names(beginningWith text: String, or loaded: [Seller]) async -> [String] {
    guard !text.isEmpty, let sellers = try? await search.sellers(matching: text, pages: 1) else {
      return Self.names(of: loaded, beginningWith: text)
    }
    return Self.names(of: loaded + sellers, beginningWith: text)
  }

  /// Names of sellers that begin with a text, sorted, each once.
  static func names(of sellers: [Seller], beginningWith text: String) -> [String] {
    let begun = SearchTokenizer().line(of: text)
    var seen: Set<String> = []
    return sellers.filter { $0.searchedName.hasPrefix(begun) && seen.insert($0.name).inserted }
      .sorted { $0.searchedName < $1.searchedName }.map(\.name)
  }
}
