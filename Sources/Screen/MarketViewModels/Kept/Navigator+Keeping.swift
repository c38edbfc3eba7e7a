package import MarketModel
package import SafeText

/// What the screens of a market do with what is kept of it.
extension Navigator {
  /// This market as what is kept of it remembers it.
  var keptMarket: KeptMarket {
    let known = markets?.all.first { $0.key == market }
    return KeptMarket(
      key: market, name: (known?.name ?? marketName)?.string,
      place: known?.place.text ?? marketAddress?.string)
  }

  /// What `*` is about: on a seller's page the seller, else the chosen product; nil where there is
  /// neither.
  private var keepable: KeptKey.Thing? {
    if !stack.contains(browser.detail), let sellerVisit { return .seller(sellerVisit.seller) }
    return chosen.map { .product($0.id) }
  }

  package var mayKeep: Bool { keepable != nil }

  package var isChosenKept: Bool {
    keepable.map { isKept(KeptKey($0, in: market)) } ?? false
  }

  private func isKept(_ key: KeptKey) -> Bool { program.keeping.isKept(key) }

  /// `*`: keeps the chosen product or the seller whose page it is, or lets go of that.
  package func toggleKept() {
    let keeping = program.keeping
    let tell: (Notice) -> Void = { [weak self] in self?.announce($0) }
    switch keepable {
    case nil: break
    case .seller:
      guard let visit = sellerVisit else { return }
      let seller = Seller(id: visit.seller, name: visit.name.string)
      keeping.toggle(seller, by: visit.product, of: keptMarket, then: tell)
    case .product:
      guard let chosen else { return }
      let description = browser.detail.description(of: chosen.id)
      keeping.toggle(chosen.product, description: description, of: keptMarket) { [weak self] in
        tell($0)
        if description == nil { self?.keepText(of: chosen.id) }
      }
    }
  }

  /// Takes the text over of a product that was kept from its row alone, where no server learns of that;
  /// what a server has comes with its detail, when that is opened.
  private func keepText(of product: Product.ID) {
    guard isKept(product) else { return }
    let (detail, keeping, market) = (browser.detail, program.keeping, market)
    Task.immediate {
      if let read = await detail.readAskingNobody(product) { keeping.didSee(read, in: market) }
    }
  }

  /// `*` on a find of a market that may be another one.
  func toggleKept(_ product: ListedProduct, of market: KnownMarket) {
    let kept = KeptMarket(
      key: market.key, name: market.name?.string, place: market.place.text)
    program.keeping.toggle(product.product, description: nil, of: kept) { [weak self] in
      self?.announce($0)
    }
  }

  /// The note of a product that is kept; nil where there is none.
  package func note(of product: Product.ID) -> SafeText? {
    program.keeping.note(of: KeptKey(.product(product), in: market)).map { SafeText($0) }
  }

  package var keptProducts: Set<Product.ID> { program.keeping.products(of: market) }

  package func isKept(_ product: Product.ID) -> Bool {
    isKept(KeptKey(.product(product), in: market))
  }

  /// `i`: shows what is kept.
  package func openKept() {
    guard let personal = program.personal else { return announce(.hint(.keepsNothing)) }
    stack.push(KeptModel(personal, on: self))
  }

  // MARK: What was shown

  package func didShow(_ products: [Product]) {
    program.keeping.load(market) { [weak browser] in browser?.tellShown() }
    program.keeping.didSee(products, in: market)
    reunion.didShow(products)
  }

  package func didLose(_ products: Set<Product.ID>) {
    program.keeping.didLose(products, in: market)
  }

  /// A detail was read, or was not there to be read.
  func didRead(_ id: Product.ID, _ outcome: Result<ProductDetail, RepositoryError>) {
    switch outcome {
    case .success(let detail): program.keeping.didSee(detail, in: market)
    case .failure(let error):
      if error == .notFound { program.keeping.didLose([id], in: market) }
      if browser.detail.showsKnown { announce(.failed(error)) }
    }
  }
}

/// Follower of a list that has what is kept of it looked after.
final class KeptRows: ListFollower {
  weak var browser: BrowserModel?

  func didShow() {
    guard let browser else { return }
    // Before the first rows there is nothing to tell, and nothing to look for on the disk.
    let isComing = browser.feed.count == 0 && browser.feed.phase == .loading
    if !isComing { browser.tellShown() }
  }
  func didChange(_ detail: ProductDetail) { browser?.delegate?.didShow([detail.product]) }
  func didDelete(_ id: Product.ID) { browser?.delegate?.didLose([id]) }
}

extension BrowserModel {
  /// Tells which rows are on the screen, and how they are where that was read just now.
  func tellShown() {
    let isFresh = feed.seenAt == nil && !feed.isStale
    delegate?.didShow(
      isFresh ? viewport.visibleWithCutRow.compactMap { feed[$0]?.product } : [])
  }
}

extension Notice {
  /// What came of the wish to keep something.
  static func keeping(_ thing: KeptKey.Thing, _ outcome: KeepingOutcome) -> Notice {
    switch outcome {
    case .kept: keeping(thing, isKept: true)
    case .full: .hint(.keptFull)
    case .failed: .hint(.notKept)
    }
  }

  static func keeping(_ thing: KeptKey.Thing, isKept: Bool) -> Notice {
    switch thing {
    case .product: .hint(isKept ? .productKept : .productLetGo)
    case .seller: .hint(isKept ? .sellerKept : .sellerLetGo)
    }
  }
}
