internal import MarketModel

/// The product of the last registration, which the next key may open.
final class RecentRegistration {
  /// Product of the registration before the current key; nil if there was none.
  private(set) var answered: ListedProduct?

  /// Takes the product of the shown notice; called before the key's command.
  func didPressKey(at notice: Notice?) {
    answered = if case .registered(let product, _) = notice { product } else { nil }
  }

  /// Clears the product; called after the key's command.
  func didTakeKey() { answered = nil }
}

// MARK: Selling again

extension Navigator {
  /// Product of the registration before the next key; nil if something else happened last.
  package var registeredJustNow: ListedProduct? {
    if case .registered(let product, _) = notice { return product }
    return repeated.answered
  }

  /// Whether that product's detail is open.
  package var showsRegisteredJustNow: Bool {
    stack.contains(browser.detail) && browser.detail.product?.id == registeredJustNow?.id
  }

  /// Clears the recent registration; called after each key or click.
  package func didTakeInput() { repeated.didTakeKey() }

  /// Opens an empty form in the currency of the last registration.
  package func sellAnother() {
    guard let product = registeredJustNow else { return }
    selling?.sell(from: .another(product.product.pricing.price?.currency ?? .krw))
  }

  /// Opens the detail of the last registration, and selects its row as soon as the list has it.
  package func openRegistered() {
    guard let product = registeredJustNow else { return }
    selling?.drafts.move { $0.leave() }
    stack.remove(browser.detail)
    guard let index = browser.feed.index(of: product.id) else {
      browser.list.selectWhenRead(product.id)
      return open(product)
    }
    browser.list.select(index)
    openDetail()
  }

  /// `c`: opens a new form with the values of the chosen product, which must be an own one.
  package func beginCopy() {
    guard let chosen else { return }
    guard isOwn(chosen) else { return announce(.hint(.notOwnCopy)) }
    selling?.sell(from: .product(chosen.id))
  }

  /// Whether the list shows the newest products first, without filters, of all sellers or of this
  /// one.
  func showsNewest(by seller: Seller.ID) -> Bool {
    let query = browser.feed.query
    guard query.order == .newest, query.parts.subtracting([.seller]).isEmpty else { return false }
    return query.sellers.isEmpty || query.sellers == [seller] || isOwn(query.sellers)
  }
}
