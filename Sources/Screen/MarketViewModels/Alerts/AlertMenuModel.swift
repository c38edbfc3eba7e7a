package import MarketModel
import Observation
internal import SafeTextKit

/// Subject of an alert: a product, a seller or a search of a market, by its name.
package nonisolated struct AlertTarget: Hashable, Sendable {
  package var market: MarketKey
  /// Path or address of the market; nil for the local one.
  package var location: String?
  package var subject: Alert.Subject
  package var name: String
  /// The product as it is known; nil where it is not, and for others.
  package var product: Product?

  package init(
    market: MarketKey, location: String?, subject: Alert.Subject, name: String,
    product: Product? = nil
  ) {
    self.market = market
    self.location = location
    self.subject = subject
    self.name = name
    self.product = product
  }

  /// The currency that a price is of: the one that all have, else as its text says.
  package func currency(of text: String) -> Currency {
    let fixed =
      if case .search(let line) = subject {
        SearchRequest(reading: line).currency
      } else {
        product?.pricing.price?.currency
      }
    return fixed ?? (try? Amount(reading: text))?.currency ?? .krw
  }

  func amount(reading text: String) throws(AmountError) -> Money {
    let currency = currency(of: text)
    let hundredths = try Amount(reading: text).hundredths(in: currency)
    guard hundredths > 0 else { throw .noAmount }
    return Money(hundredths: hundredths, currency: currency)
  }

  /// Whether it is a product, not those of a seller or a search.
  package var isOneProduct: Bool { if case .product = subject { true } else { false } }

  /// The alert for a condition; the first check tells what a seller or a search has already.
  func wait(for condition: Alert.Condition) -> Alert {
    Alert(
      market: market, location: location, subject: subject, name: name, condition: condition,
      state: product.map { Alert.beginning(condition, with: $0) } ?? Alert.State())
  }
}

extension Navigator {
  private func target(
    _ subject: Alert.Subject, _ name: String, product: Product? = nil
  ) -> AlertTarget {
    let known = markets?.shown
    return AlertTarget(
      market: market, location: known?.key == market ? known?.location.text : nil, subject: subject,
      name: name, product: product)
  }

  /// Opens the menu of alerts for what is shown: the page's seller, else the chosen product.
  package func beginAlert() {
    if let visit = sellerVisit, !stack.contains(browser.detail) {
      return AlertMenu.open(for: target(.seller(visit.seller), visit.name.string), on: self)
    }
    guard let product = chosen?.product else { return }
    AlertMenu.open(for: target(.product(product.id), product.name, product: product), on: self)
  }

  /// Opens the menu of alerts for a search of this market.
  package func beginAlert(for search: SavedSearch) {
    AlertMenu.open(for: target(.search(search.text), search.name), on: self)
  }
}

/// Entry to the menu of alerts, from wherever an alert can be set.
package enum AlertMenu {
  /// Opens the menu, or says that nothing can be kept.
  package static func open(for target: AlertTarget, on navigator: Navigator) {
    guard let engine = navigator.program.alerts else {
      return navigator.announce(.hint(.nothingSaved))
    }
    navigator.stack.push(AlertMenuModel(target, engine, on: navigator))
  }
}

/// Menu of alerts for a subject: each condition is set or removed.
@Observable
package final class AlertMenuModel: Layer {
  package nonisolated enum Item: Hashable, Sendable {
    /// The price falls below an amount that is typed; with the alert that is set already.
    case below(Alert?)
    case backInStock(Alert?)
    case anythingNew(Alert?)
    /// All alerts, and those that fired.
    case all

    /// The alert that choosing it removes.
    package var alert: Alert? {
      switch self {
      case .below(let alert), .backInStock(let alert), .anythingNew(let alert): alert
      case .all: nil
      }
    }
  }

  package let target: AlertTarget
  package private(set) var selected = 0

  private let engine: AlertScheduler
  private let navigator: Navigator

  init(_ target: AlertTarget, _ engine: AlertScheduler, on navigator: Navigator) {
    self.target = target
    self.engine = engine
    self.navigator = navigator
    Task.immediate { await engine.reload() }
  }

  package var items: [Item] {
    let alerts = engine.alerts.filter {
      $0.market == target.market && $0.subject == target.subject
    }
    let anything: [Item] =
      target.isOneProduct
      ? [] : [.anythingNew(alerts.first { $0.condition == .anythingNew })]
    return anything + [
      .below(alerts.first { if case .below = $0.condition { true } else { false } }),
      .backInStock(alerts.first { $0.condition == .backInStock }), .all,
    ]
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, items.count - 1))
  }

  package func select(_ index: Int) { move(by: index - selected) }

  /// Sets the selected alert, or removes it where it is set already.
  package func choose() {
    let item = items[selected]
    navigator.stack.close(self)
    if let alert = item.alert {
      Task.immediate { [engine, navigator] in
        await engine.end(alert)
        navigator.announce(.hint(.alertRemoved))
      }
      return
    }
    switch item {
    case .below:
      navigator.stack.begin { [self] flow in
        if let amount = await askAmount(in: flow) { begin(.below(amount)) }
      }
    case .backInStock: begin(.backInStock)
    case .anythingNew: begin(.anythingNew)
    case .all: AlertsModel.open(on: navigator)
    }
  }

  private func askAmount(in flow: Flow) async -> Money? {
    let prompt = PromptModel(.alertAmount(target))
    while let text = await flow.present(prompt) {
      do throws(AmountError) {
        return try target.amount(reading: text)
      } catch {
        prompt.outcome = .noAmount(error)
      }
    }
    return nil
  }

  private func begin(_ condition: Alert.Condition) {
    let alert = target.wait(for: condition)
    Task.immediate { [engine, navigator] in
      let isSaved = await engine.begin(alert)
      navigator.announce(.hint(isSaved ? .alertSet : .alertNotSaved))
    }
  }
}
