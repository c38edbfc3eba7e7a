import MarketModel
import MarketStrings
import MarketViews
import SafeTextKit

/// Names of the products that one password is asked for, so that nobody types it for wrong numbers.
struct BulkProductNames {
  /// Lines that are shown at most.
  private static let most = 20

  private let ids: [Product.ID]
  private let repository: any ProductRepository
  private let strings: Strings

  init(_ orders: BulkRequest, in repository: any ProductRepository, _ strings: Strings) {
    ids = orders.items.map(\.id)
    self.repository = repository
    self.strings = strings
  }

  /// A line for each product, the last one for those that no line is for; throws why the market does
  /// not say.
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
          // Its line says so.
        }
      }
    }
    return Dictionary(products.map { ($0.id, SafeText($0.name)) }) { first, _ in first }
  }
}
