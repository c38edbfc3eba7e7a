internal import MarketModel

/// Memory of what was registered just now: the next key may open that product, or sell another.
final class RecentRegistration {
  /// What the key that is taken now answers; nil where nothing was registered before it.
  private(set) var answered: ListedProduct?

  /// A key was read while this was said.
  func didPressKey(at notice: Notice?) {
    answered = if case .registered(let product, _) = notice { product } else { nil }
  }

  /// The key was taken.
  func didTakeKey() { answered = nil }
}

// MARK: Selling again

extension Navigator {
  /// The product that was registered before the key that comes next; nil where something else
  /// happened last.
  package var registeredJustNow: ListedProduct? {
    if case .registered(let product, _) = notice { return product }
    return repeated.answered
  }

  /// Whether that product is open already.
  package var showsRegisteredJustNow: Bool {
    stack.contains(browser.detail) && browser.detail.product?.id == registeredJustNow?.id
  }

  /// A key or click was taken, whatever it did.
  package func didTakeInput() { repeated.didTakeKey() }

  /// Opens an empty form after a registration, in the same currency.
  package func sellAnother() {
    guard let product = registeredJustNow else { return }
    selling?.sell(from: .another(product.product.pricing.price?.currency ?? .krw))
  }

  /// Shows the product that was registered just now, and selects it where the list has it.
  package func openRegistered() {
    guard let product = registeredJustNow else { return }
    selling?.drafts.move { $0.leave() }
    stack.remove(browser.detail)
    guard let index = browser.feed.index(of: product.id) else { return open(product) }
    browser.select(index)
    openDetail()
  }

  /// `c`: opens a new form that begins as the chosen product does, where that is one's own.
  package func beginCopy() {
    guard let chosen else { return }
    guard isOwn(chosen) else { return announce(.hint(.notOwnCopy)) }
    selling?.sell(from: .product(chosen.id))
  }

  /// Whether the list shows the newest products first, of all sellers or of this one alone.
  func showsNewest(by seller: Seller.ID) -> Bool {
    let query = browser.feed.query
    guard query.order == .newest, query.parts.subtracting([.seller]).isEmpty else { return false }
    return query.sellers.isEmpty || query.sellers == [seller] || isOwn(query.sellers)
  }
}
