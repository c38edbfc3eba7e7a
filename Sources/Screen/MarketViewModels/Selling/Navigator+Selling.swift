package import MarketModel

/// What a seller does on the screens of a market.
extension Navigator {
  package func beginEdit() {
    if let product = changeable() { selling?.edit(product) }
  }

  package func beginDeletion() {
    if let product = changeable() { selling?.delete(product) }
  }

  /// `z`, `Z`: makes a step of the chosen product's sale.
  package func make(_ step: SaleStep) {
    let next = SaleStep.next(for: forSale(chosen))
    if let refusal = refusal(of: step, among: next) { return announce(.hint(refusal)) }
    if let product = changeable() { selling?.make(step, of: product) }
  }

  /// A product as its sale is once what waits for the market is sent; none where none is chosen.
  func forSale(_ chosen: ListedProduct?) -> [ListedProduct] {
    chosen.map { [selling?.awaited($0) ?? $0] } ?? []
  }

  /// Why no product of those that have these steps next can make one; nil where one can, as far as is
  /// known.
  package func refusal(of step: SaleStep, among next: [SaleStep]) -> Notice.Hint? {
    switch step {
    case .sell, .restock: nil
    case .reserve, .endReservation:
      if browser.capabilities?.lackingFields.contains(.reserved) == true {
        .noReservations
      } else {
        next.contains(.restock) ? .soldNotReserved : nil
      }
    }
  }

  /// Whether a product was deleted while it was shown.
  func isGone(_ product: ListedProduct) -> Bool {
    let detail = browser.detail
    return browser.live.news(of: product.id) == .deleted
      || (detail.product?.id == product.id && detail.news == .deleted)
  }

  /// Whether a product was registered by who sells from here.
  package func isOwn(_ product: ListedProduct?) -> Bool {
    product.map { selling?.account.isOwn($0.product) == true } ?? false
  }

  /// The chosen product; where the market lets nobody but another seller change it, that is said
  /// instead of asking for a password in vain.
  private func changeable() -> ListedProduct? {
    guard let chosen else { return nil }
    if isGone(chosen) {
      announce(.hint(.deleted))
      return nil
    }
    if mayChange(chosen) { return chosen }
    announce(.hint(.notOwner))
    return nil
  }

  func mayChange(_ product: ListedProduct) -> Bool {
    browser.capabilities?.queriesBySeller != true
      || !product.product.seller.id.canSignIn || isOwn(product)
  }
}

// MARK: Questions

extension Navigator {
  /// Why nothing is asked about a product, as far as is known; nil where it may be.
  package func refusalToAsk(about product: ListedProduct) -> Notice.Hint? {
    if browser.capabilities?.hasQuestions == false { return .noQuestions }
    if isOwn(product) { return .questionRefused(.ownProduct) }
    if product.product.isSoldOut { return .questionRefused(.sold) }
    guard case .loaded(let detail) = browser.detail.phase, detail.product.id == product.id else {
      return nil
    }
    return detail.areQuestionsClosed ? .questionRefused(.closed) : nil
  }

  /// `a`: asks about the chosen product.
  package func beginQuestion() {
    guard let chosen else { return }
    if let refusal = refusalToAsk(about: chosen) { return announce(.hint(refusal)) }
    selling?.ask(about: chosen.id)
  }

  /// Answers a question about the chosen product.
  package func beginAnswer(to question: Question) {
    if changeable() != nil { selling?.answer(question) }
  }

  /// Deletes a question about the chosen product, the asker's own or the seller's.
  package func beginDeletion(of question: Question) {
    if let product = question.isOwn ? chosen : changeable() {
      selling?.delete(question, about: product)
    }
  }
}

// MARK: Selling

extension Navigator {
  package func beginRegistration() { selling?.sell() }

  /// `!`: wipes the password that is kept.
  package func forgetPassword() {
    guard let passwordCache = selling?.passwordCache, passwordCache.hasPassword else { return }
    passwordCache.forget()
    announce(.hint(.passwordForgotten))
  }

  package func beginUndo() { selling?.undo() }

  package func beginRedo() { selling?.redo() }

  /// Asks for another name to sell under, where there is one already.
  package func beginRenaming() {
    guard selling?.account.seller != nil else { return announce(.hint(.nothingSold)) }
    selling?.rename()
  }

  /// Shows the seller's own products alone with the drafts above them, or all products again.
  package func toggleMyProducts() {
    guard let selling else { return }
    // Who has sold nothing yet may have begun to.
    let asked = markets?.unanswered.items ?? []
    guard let own = ownSeller ?? (asked.isEmpty ? nil : .nobody) else {
      return selling.showDrafts()
    }
    var query = browser.feed.query
    query.sellers = showsMine ? [] : [own]
    marked.clear()
    browser.show(query)
    guard !query.sellers.isEmpty else { return }
    showUnanswered()
    Task.immediate { await selling.drafts.load(isOpening: true) }
  }

  /// Whether the seller's own products are shown alone.
  package var showsMine: Bool { isOwn(browser.feed.query.sellers) }

  /// Whether these sellers are who sells from here alone.
  package func isOwn(_ sellers: [Seller.ID]) -> Bool {
    guard sellers.count == 1 else { return false }
    // Questions of other markets stand here also where nothing was sold.
    return sellers.first == ownSeller
      || ownSeller == nil && searching.request.sellers == [.number(.nobody)]
  }

  /// What stands above the own products; nil where nothing does.
  package var shelf: DraftListState? {
    guard showsMine, let shelf = selling?.drafts.shelf, shelf.count > 0 else { return nil }
    return shelf
  }

  /// Whose products are the own ones; nil where nothing was sold from here.
  package var ownSeller: Seller.ID? { browser.reader.ownSeller }
}

extension Navigator: SellingDelegate {
  /// Shows what came of it: nothing is read again that is known.
  package func didFinish(_ outcome: SellingOutcome) {
    switch outcome {
    case .registered(let detail):
      browser.didRegister(detail, isOnTop: showsNewest(by: detail.product.seller.id))
    case .changed(let detail): browser.didChange(detail)
    case .deleted(let id):
      stack.remove(browser.detail)
      browser.didDelete(id)
    case .question(_, let question, let reserved):
      if let reserved { browser.didChange(reserved) }
      browser.detail.questions.reload(about: question.product, by: selling?.account.identifier)
      program.alerts?.didReceiveQuestions(in: market)
      // What was seen of the product counts another number of questions.
      if reserved == nil, browser.detail.product?.id == question.product { browser.detail.reload() }
    }
  }

  package func didRegister(_ detail: ProductDetail) { browser.goToRegistered(detail) }

  package func sellerDidChange(_ seller: Seller.ID) { sellerVisits.didChange(seller) }

  package func editExternally(
    _ text: String, then take: (EditorOutcome) -> Void
  ) async {
    guard let delegate = program.delegate else { return take(.none) }
    await delegate.editExternally(text, then: take)
  }
}
