internal import EditorKit
package import MarketModel
internal import SafeTextKit

/// Target of an alert: a product, seller or search of a market.
package nonisolated struct AlertTarget: Hashable, Sendable {
  package var market: MarketKey
  /// Path or address of the market; nil for the local market.
  package var location: String?
  package var subject: Alert.Subject
  package var name: String
  /// The product if it is known; nil for other targets.
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

  /// Currency of a typed price: that of the product or search, else the one in the text, else won.
  package func currency(of text: String) -> Currency {
    let fixed =
      if case .search(let line) = subject {
        SearchRequest(reading: line).currency
      } else {
        product?.pricing.price?.currency
      }
    return fixed ?? (try? Amount(reading: text))?.currency ?? .krw
  }

  /// Reads the price of an alert.
  /// - Throws: `.noAmount` for 0; otherwise what `Amount` throws for a text that is none of this
  ///   currency.
  func amount(reading text: String) throws(AmountError) -> Money {
    let currency = currency(of: text)
    let hundredths = try Amount(reading: text).hundredths(in: currency)
    guard hundredths > 0 else { throw .noAmount }
    return Money(hundredths: hundredths, currency: currency)
  }

  /// Current price to pay; nil if it is unknown, and for other targets.
  package var price: Money? { product?.pricing.price?.toPay }

  /// Whether the target is a single product.
  package var isOneProduct: Bool { if case .product = subject { true } else { false } }

  /// Alert for a condition; for a seller or search, its first check only records the existing
  /// products.
  func wait(for condition: Alert.Condition) -> Alert {
    Alert(
      market: market, location: location, subject: subject, name: name, condition: condition,
      state: product.map { Alert.beginning(condition, with: $0) } ?? Alert.State())
  }
}

extension AlertTarget {
  fileprivate var choices: [AlertChoice] {
    isOneProduct ? [.below, .backInStock, .all] : AlertChoice.allCases
  }
}

/// Condition of an alert that can be set or removed, or the list of all alerts.
package nonisolated enum AlertChoice: CaseIterable, Hashable, Sendable {
  case anythingNew
  /// The price falls below an amount that is asked for.
  case below
  case backInStock
  /// Opens the list of alerts.
  case all

  fileprivate func fits(_ condition: Alert.Condition) -> Bool {
    switch condition {
    case .anythingNew: self == .anythingNew
    case .below: self == .below
    case .backInStock: self == .backInStock
    }
  }
}

extension AlertScheduler {
  /// Alert that is set for a condition, which choosing it again removes; nil if none is set.
  package func alert(_ choice: AlertChoice, for target: AlertTarget) -> Alert? {
    alerts.first {
      $0.market == target.market && $0.subject == target.subject && choice.fits($0.condition)
    }
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

  /// Opens the menu of alerts for the seller of the page, else for the chosen product.
  package func beginAlert() {
    if let visit = sellerVisit, !stack.contains(browser.detail) {
      return openAlerts(for: target(.seller(visit.seller), visit.name.string))
    }
    guard let product = chosen?.product else { return }
    openAlerts(for: target(.product(product.id), product.name, product: product))
  }

  /// Opens the menu of alerts for a search of this market.
  package func beginAlert(for search: SavedSearch) {
    openAlerts(for: target(.search(search.text), search.name))
  }

  /// Opens the menu of alerts, or announces that nothing can be saved.
  func openAlerts(for target: AlertTarget) {
    guard let engine = program.alerts else { return announce(.hint(.nothingSaved)) }
    Task.immediate { await engine.reload() }
    stack.startFlow { [self] flow in
      let choices = target.choices.map(MenuModel.Row.alert)
      let menu = MenuModel(
        .alerts(target),
        [ListSection(.subject, choices.dropLast()), ListSection(choices.suffix(1))])
      guard case .alert(let choice)? = await flow.present(menu) else { return }
      if let alert = engine.alert(choice, for: target) {
        Task.immediate {
          await engine.remove(alert)
          announce(.hint(.alertRemoved))
        }
        return
      }
      let condition: Alert.Condition
      switch choice {
      case .anythingNew: condition = .anythingNew
      case .backInStock: condition = .backInStock
      case .below:
        let today = target.price.map {
          String(hundredths: $0.hundredths, decimals: .twoOrNone, isGrouped: true)
        }
        let prompt = PromptModel(.alertAmount(target), today ?? "")
        // Typing replaces the amount.
        prompt.edit { $0.buffer.selectAll() }
        let amount = await flow.ask(prompt) { text throws(AmountError) in
          try target.amount(reading: text)
        }
        guard let amount else { return }
        condition = .below(amount)
      case .all: return openPersonalList(.alerts)
      }
      Task.immediate {
        let isSaved = await engine.add(target.wait(for: condition))
        announce(.hint(isSaved ? .alertSet : .alertNotSaved))
      }
    }
  }
}
