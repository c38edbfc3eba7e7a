import MarketModel
import MarketStrings
import MarketViews
import SafeTextKit

/// Lists the products that one password is for, so that the user notices wrong ids.
struct BulkProductNames {
  /// Maximum number of products that are listed.
  private static let most = 20

  private let ids: [Product.ID]
  private let repository: any ProductRepository
  private let strings: Strings

  init(_ orders: BulkRequest, in repository: any ProductRepository, _ strings: Strings) {
    ids = orders.items.map(\.id)
    self.repository = repository
    self.strings = strings
  }

  /// Lines of the products, and one with the number of the rest.
  /// - Throws: what `ProductRepository` throws for its capabilities, pages and details.
  func lines() async throws(RepositoryError) -> [SafeText] {
    let shown = Array(ids.prefix(Self.most))
    let products = try await repository.products(shown)
    var lines = shown.map { id in
      SafeText(id.rawValue) + "  "
        + (products[id].map { SafeText($0.name) } ?? strings[.rowDeleted])
    }
    if ids.count > shown.count {
      let rest = ids.count - shown.count
      lines.append(strings(.bulkMore, SafeText(rest), number: rest))
    }
    return lines
  }
}
