internal import MarketModel

/// What selling does to the list and to what lies over it.
extension Navigator {
  /// The product that `e`, `D` and `y` are about: the one in the open detail, else the selected one,
  /// which a detail that was opened just now is about to show.
  var chosen: ListedProduct? {
    layers.contains(.detail) ? browser.detail.product ?? browser.selected : browser.selected
  }

  /// Asks for another name to sell under, where there is one already.
  package func beginRenaming() {
    guard selling?.seller != nil else { return announce(.hint(.nothingSold)) }
    selling?.beginRenaming()
  }

  package func beginRegistration() { selling?.beginRegistration() }

  package func beginEdit() {
    if let product = changeable() { selling?.beginEdit(of: product) }
  }

  package func beginDeletion() {
    if let product = changeable() { selling?.beginDeletion(of: product) }
  }

  /// Whether a product was registered by who sells from here.
  package func isOwn(_ product: ListedProduct?) -> Bool {
    product.map { selling?.isOwn($0.product) == true } ?? false
  }

  /// The chosen product; where the market lets nobody but another seller change it, that is said
  /// instead of asking for a password in vain.
  private func changeable() -> ListedProduct? {
    guard let chosen else { return nil }
    if mayChange(chosen) { return chosen }
    announce(.hint(.notOwner))
    return nil
  }

  /// Whether the right password may change the chosen product, as far as is known.
  package var mayChangeChosen: Bool { chosen.map(mayChange) ?? false }

  private func mayChange(_ product: ListedProduct) -> Bool {
    browser.capabilities?.queriesBySeller != true
      || !product.product.seller.id.canSignIn || isOwn(product)
  }

  /// Shows the seller's own products alone with the drafts above them, or all products again.
  package func toggleMine() {
    guard let selling else { return }
    guard let own = ownSeller else {
      Task.immediate {
        // Who has sold nothing yet may have begun to.
        if await !selling.offerDrafts() { announce(.hint(.nothingSold)) }
      }
      return
    }
    var query = browser.feed.query
    query.seller = query.seller == nil ? own : nil
    browser.show(query)
    guard query.seller != nil else { return }
    Task.immediate { await selling.loadShelf(isOpening: true) }
  }

  /// The drafts above the products; nil where none are shown.
  package var shelf: DraftShelf? {
    guard browser.feed.query.seller != nil, let shelf = selling?.shelf, !shelf.drafts.isEmpty
    else { return nil }
    return shelf
  }

  /// Whose products are the own ones; nil where nothing was sold from here.
  private var ownSeller: Seller.ID? {
    guard let selling else { return nil }
    if browser.capabilities?.queriesBySeller == true { return selling.seller?.id }
    return selling.registered.isEmpty ? nil : selling.seller?.id ?? Seller.guest.id
  }

  func follow(_ selling: SellingModel) {
    selling.didAnnounce = { [weak self] in self?.announce($0) }
    selling.didChangeActivity = { [weak self] in self?.showSelling($0) }
    selling.didFinish = { [weak self] in self?.take($0) }
    browser.registered = { [weak selling] in selling?.registered ?? [] }
  }

  private func showSelling(_ isActive: Bool) {
    guard isActive != layers.contains(.selling) else { return }
    if isActive { layers.append(.selling) } else { layers.removeAll { $0 == .selling } }
  }

  /// Shows what came of it: nothing is read again that is known.
  private func take(_ outcome: SellingModel.Outcome) {
    switch outcome {
    case .registered(let detail):
      browser.showOnTop(detail)
      layers.removeAll { $0 == .detail }
      layers.append(.detail)
    case .changed(let detail): browser.didChange(detail)
    case .deleted(let id):
      layers.removeAll { $0 == .detail }
      browser.didDelete(id)
    }
  }
}
