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
    let names = try await names(of: shown)
    var lines = shown.map { id in
      SafeText(id.rawValue) + "  " + (names[id] ?? strings[.rowDeleted])
    }
    if ids.count > shown.count {
      let rest = ids.count - shown.count
      lines.append(strings(.bulkMore, SafeText(rest), number: rest))
    }
    return lines
  }

  private func names(
    of ids: [Product.ID]
  ) async throws(RepositoryError) -> [Product.ID: SafeText] {
    var products: [Product] = []
    if try await repository.capabilities().parts.contains(.ids) {
      let request = PageRequest(query: ProductQuery(ids: ids), size: max(1, ids.count))
      products = try await repository.page(request).products
    } else {
      for id in ids {
        do throws(RepositoryError) {
          products.append(try await repository.detail(of: id).product)
        } catch .notFound {
          // The line says that the product was deleted.
        }
      }
    }
    return Dictionary(products.map { ($0.id, SafeText($0.name)) }) { first, _ in first }
  }
}
