import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit

/// Check of the prices that an edit by command sets, before anything is changed: an amount without a
/// currency is no price for products of several currencies, and a price that changes more than tenfold
/// may be a typing error.
struct PriceCheck {
  /// Price change that is more than tenfold.
  private struct LargeChange {
    let id: Product.ID
    let before: Money
    let after: Money
  }

  /// Maximum factor of a price change that needs no confirmation.
  private static let maxFactor: Int64 = 10
  /// Maximum number of changes that are listed.
  private static let most = 20

  private let orders: BulkRequest
  private let repository: any ProductRepository
  private let strings: Strings

  init(_ orders: BulkRequest, in repository: any ProductRepository, _ strings: Strings) {
    self.orders = orders
    self.repository = repository
    self.strings = strings
  }

  /// Exits if the products' currencies do not allow the amounts, or if a large change is not confirmed:
  /// by `isSure`, or at the terminal.
  /// - Throws: what `products(_:)` throws.
  func run(isSure: Bool) async throws(RepositoryError) {
    let priced = orders.items.filter { $0.entries.hasAmount }
    guard orders.kind == .edit, !priced.isEmpty else { return }
    let products = try await repository.products(priced.map(\.id))
    if let sentence = otherCurrencies(products) {
      Console.fail(sentence, status: ExitStatus.usage)
    }
    let changes = priced.compactMap { item in products[item.id].flatMap { change(item, $0) } }
    guard !changes.isEmpty, !isSure else { return }
    var lines = changes.prefix(Self.most).map { change in
      SafeText(change.id.rawValue) + ": "
        + MoneyText.change(from: change.before, to: change.after)
    }
    let rest = changes.count - lines.count
    if rest > 0 { lines.append(strings(.bulkMore, SafeText(rest), number: rest)) }
    let list = lines.joined(separator: ", ")
    if isatty(STDIN_FILENO) == 1 {
      guard !Console.confirms(strings(.editLargeQuestion, list)) else { return }
      exit(ExitStatus.usage)
    }
    Console.fail(strings(.editLarge, list), status: ExitStatus.usage)
  }

  /// Sentence about one amount for products of several currencies; nil if there is no such amount.
  private func otherCurrencies(_ products: [Product.ID: Product]) -> SafeText? {
    guard orders.isSameForAll, orders.items.first?.entries.texts[.currency] == nil else {
      return nil
    }
    let known = orders.items.compactMap { products[$0.id] }
    let groups = Dictionary(grouping: known.filter { $0.pricing.price != nil }) {
      $0.pricing.price?.currency ?? .krw
    }
    guard groups.count > 1 else { return nil }
    let lists = groups.sorted { $0.key < $1.key }.map { currency, products in
      SafeText(currency.rawValue) + " "
        + products.map { SafeText($0.id.rawValue) }.joined(separator: ", ")
    }
    return strings(.editCurrencies, lists.joined(separator: "; "))
  }

  /// Change of an item's price, if it is more than tenfold and keeps the currency.
  private func change(_ item: BulkRequest.Item, _ product: Product) -> LargeChange? {
    let texts = item.entries.texts
    guard let before = product.pricing.price?.full, before.hundredths > 0,
      texts[.currency].map({ $0.uppercased() == before.currency.rawValue }) != false,
      let amount = texts[.price].flatMap({ try? Amount(reading: $0) }), amount.hundredths > 0,
      amount.currency.map({ $0 == before.currency }) != false
    else { return nil }
    let (low, high) = (
      min(before.hundredths, amount.hundredths), max(before.hundredths, amount.hundredths)
    )
    let (limit, overflow) = low.multipliedReportingOverflow(by: Self.maxFactor)
    guard !overflow, high > limit else { return nil }
    return LargeChange(
      id: item.id, before: before,
      after: Money(hundredths: amount.hundredths, currency: before.currency))
  }
}

extension ProductEntries {
  /// Whether they set a price, or a discount that is an amount.
  fileprivate var hasAmount: Bool {
    texts[.price] != nil || texts[.discount].map { !$0.isEmpty && !$0.contains("%") } == true
  }
}

extension ProductRepository {
  /// Returns the products with some ids; missing ones are left out.
  /// - Throws: what `capabilities()`, `page(_:)` and `detail(of:)` throw, but for `.notFound`.
  func products(_ ids: [Product.ID]) async throws(RepositoryError) -> [Product.ID: Product] {
    var products: [Product.ID: Product] = [:]
    let takesIDs = try await capabilities().parts.contains(.ids)
    let size = takesIDs ? ProductQuery.maxIDs : 1
    for start in stride(from: 0, to: ids.count, by: size) {
      let part = Array(ids[start...].prefix(size))
      do throws(RepositoryError) {
        let found =
          takesIDs
          ? try await page(PageRequest(query: ProductQuery(ids: part), size: part.count)).products
          : [try await detail(of: part[0]).product]
        for product in found { products[product.id] = product }
      } catch .notFound {
        // A deleted product is left out.
      }
    }
    return products
  }
}
