package import MarketModel

/// Commands for selling on the screens of a market.
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

  /// The product with the effects of queued edits, as a list; empty for nil.
  func forSale(_ chosen: ListedProduct?) -> [ListedProduct] {
    chosen.map { [selling?.awaited($0) ?? $0] } ?? []
  }

  /// Reason why none of the products with these next steps can make a step; nil if at least one product
  /// can, as far as is known.
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

  /// Whether the chosen product was deleted.
  package var isChosenGone: Bool { chosen.map(isGone) == true }

  /// Whether the product was deleted while it was shown.
  func isGone(_ product: ListedProduct) -> Bool {
    let detail = browser.detail
    return browser.live.news(of: product.id) == .deleted
      || (detail.product?.id == product.id && detail.news == .deleted)
  }

  /// Whether this seller's account has registered the product; false for nil.
  package func isOwn(_ product: ListedProduct?) -> Bool {
    product.map { selling?.account.isOwn($0.product) == true } ?? false
  }

  /// The chosen product, nil with a notice if it was deleted or only another seller may change it.
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
  /// Reason why no question about a product can be sent; nil if it can, as far as is known.
  package func refusalToAsk(about product: ListedProduct) -> Notice.Hint? {
    if browser.capabilities?.hasQuestions == false { return .noQuestions }
    if isOwn(product) { return .questionRefused(.ownProduct) }
    if product.product.isSoldOut { return .questionRefused(.sold) }
    guard case .loaded(let detail) = browser.detail.phase, detail.product.id == product.id else {
      return nil
    }
    return detail.areQuestionsClosed ? .questionRefused(.closed) : nil
  }

  /// `a`: opens the form of a question about the chosen product.
  package func beginQuestion() {
    guard let chosen else { return }
    if let refusal = refusalToAsk(about: chosen) { return announce(.hint(refusal)) }
    selling?.ask(about: chosen.id)
  }

  /// Opens the form of the answer to a question about the chosen product.
  package func beginAnswer(to question: Question) {
    if changeable() != nil { selling?.answer(question) }
  }

  /// Deletes a question about the chosen product, as its author or as the seller.
  package func beginDeletion(of question: Question) {
    if let product = question.isOwn ? chosen : changeable() {
      selling?.delete(question, about: product)
    }
  }
}

// MARK: Selling

extension Navigator {
  package func beginRegistration() { selling?.sell() }

  /// `!`: clears the cached password.
  package func forgetPassword() {
    guard let passwordCache = selling?.passwordCache, passwordCache.hasPassword else { return }
    passwordCache.forget()
    announce(.hint(.passwordForgotten))
  }

  package func beginUndo() { selling?.undo() }

  package func beginRedo() { selling?.redo() }

  /// Asks for a new seller name; a notice appears if nothing was sold yet.
  package func beginRenaming() {
    guard selling?.account.seller != nil else { return announce(.hint(.nothingSold)) }
    selling?.rename()
  }

  /// Shows only the own products, with drafts and questions above them, or all products again.
  package func toggleMyProducts() {
    guard let selling else { return }
    // Questions and drafts can exist without an own product.
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

  /// Whether only the own products are shown.
  package var showsMine: Bool { isOwn(browser.feed.query.sellers) }

  /// Whether `sellers` is this computer's seller alone.
  package func isOwn(_ sellers: [Seller.ID]) -> Bool {
    guard sellers.count == 1 else { return false }
    // Questions of other markets are listed here also if nothing was sold.
    return sellers.first == ownSeller
      || ownSeller == nil && searching.request.sellers == [.number(.nobody)]
  }

  /// Questions and drafts above the own products; nil if there are none or others are shown.
  package var draftList: DraftListState? {
    guard showsMine, let list = selling?.drafts.list, list.count > 0 else { return nil }
    return list
  }

  /// Seller of the own products; nil if nothing was registered on this computer.
  package var ownSeller: Seller.ID? { browser.list.ownSeller }
}

extension Navigator: SellingDelegate {
  /// Updates list, detail and questions from the outcome, without reading them again.
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
      // The loaded detail has another number of questions.
      if reserved == nil, browser.detail.product?.id == question.product { browser.detail.reload() }
    }
  }

  /// Shows the product over the list, whose selection goes to its row.
  package func didRegister(_ detail: ProductDetail) {
    browser.goToRegistered(detail)
    stack.remove(browser.detail)
    browser.detail.hold(detail)
    stack.push(browser.detail)
  }

  package func sellerDidChange(_ seller: Seller.ID) { sellerVisits.didChange(seller) }

  package func editExternally(
    _ text: String, then take: (EditorOutcome) -> Void
  ) async {
    guard let delegate = program.delegate else { return take(.none) }
    await delegate.editExternally(text, then: take)
  }
}
