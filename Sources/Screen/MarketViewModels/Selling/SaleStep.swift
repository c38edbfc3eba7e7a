internal import MarketModel

/// Step of a product's sale, made and taken back by the same key.
package nonisolated enum SaleStep: Hashable, Sendable {
  case reserve, endReservation
  /// Sets the stock to 0.
  case sell
  /// Sets the stock to 1.
  case restock

  package var change: BulkChange {
    switch self {
    case .reserve: .reservation(true)
    case .endReservation: .reservation(false)
    case .sell: .stock(0)
    case .restock: .stock(1)
    }
  }

  /// Fields that the step sets.
  fileprivate var fields: Set<ProductField> {
    switch self {
    case .reserve, .endReservation: [.reserved]
    case .sell, .restock: Self.allFields
    }
  }

  fileprivate static let allFields: Set<ProductField> = [.stock, .reserved]

  /// Change for a product on the market; if only a queued draft has sold it, its old stock is
  /// restored.
  func change(of product: Product) -> BulkChange {
    guard self == .restock, !product.isSoldOut else { return change }
    return .restoring([product.id: SaleStep.sell.change.textsBack(to: product) ?? [:]])
  }

  /// Next steps of `z` and `Z`: the reverse if all products have made the step.
  package static func next(for products: [ListedProduct]) -> [SaleStep] {
    func all(_ holds: (Product) -> Bool) -> Bool {
      !products.isEmpty && products.allSatisfy { holds($0.product) }
    }
    return [
      all(\.isReserved) ? .endReservation : .reserve, all(\.isSoldOut) ? .restock : .sell,
    ]
  }
}

extension SellingModel {
  /// Returns the product with the effects of its queued draft, or of any draft while the market cannot
  /// be reached.
  package func awaited(_ product: ListedProduct) -> ListedProduct {
    let draft = drafts.list.drafts.first {
      $0.target == .edit(product.id) && ($0.isWaiting || services.reach.isAway)
    }
    guard let draft else { return product }
    var awaited = product.product
    if draft.changedFields.contains(.stock) { awaited.stock = draft.values.stock ?? awaited.stock }
    if draft.changedFields.contains(.reserved) {
      awaited.isReserved = draft.values.value(of: .reserved) == .yes
    }
    return ListedProduct(awaited)
  }

  /// `z`, `Z`: makes a step of a product's sale with its password, without a confirmation, because it
  /// can be undone; if the market cannot be reached, it is queued as a draft.
  package func make(_ step: SaleStep, of product: ListedProduct) {
    startFlow { [self] flow in
      let read = await flow.work { [services] () async throws(RepositoryError) in
        try await FormDataLoader(services: services).form(of: product.id, making: step)
      }
      switch read {
      case .success((let form, let left)):
        await send(form, from: left, making: step, of: product, in: flow)
      case .failure(let error): await didFail(error, making: step, of: product, in: flow)
      case nil: return
      }
    }
  }

  private func send(
    _ form: ProductForm, from left: Draft?, making step: SaleStep, of product: ListedProduct,
    in flow: Flow
  ) async {
    guard case .edit(let base) = form.purpose else { return }
    // The draft of queued steps is replaced by this step.
    let waiting = left.flatMap {
      $0.isWaiting && $0.changedFields.isSubset(of: SaleStep.allFields) ? $0 : nil
    }
    if step == .reserve, base.product.isSoldOut {
      report(.changed(base))
      return announce(.hint(.soldNotReserved))
    }
    guard !form.patch().isEmpty else {
      if let waiting { drafts.discard(waiting.id) }
      // The product is in this state already, which its row may not show yet.
      report(.changed(base))
      return announce(.hint(.nothingChanged))
    }
    let error = await send(.step(step), product, sending: form, from: waiting, in: flow) {
      .change(of: base, form.patch(), $0)
    }
    if let error { await didFail(error, making: step, of: product, in: flow) }
  }

  private func didFail(
    _ error: RepositoryError, making step: SaleStep, of product: ListedProduct, in flow: Flow
  ) async {
    guard error.isOutage else { return announce(.notSent(error, keepsForm: false)) }
    services.reach.didFail(error)
    let loader = FormDataLoader(services: services)
    let known = await flow.work { () async throws(RepositoryError) in
      try await loader.rememberedForm(of: product.product, making: step)
    }
    guard case .success((let form, let left)) = known else {
      return announce(.notSent(error, keepsForm: false))
    }
    if step == .reserve, form.values.value(of: .stock) == .number(0) {
      return announce(.hint(.soldNotReserved))
    }
    let submission = submission(to: .edit, product, from: left)
    // Other changes of the draft are not sent by a step.
    let isAll = left.map { $0.isWaiting || $0.changedFields.isSubset(of: step.fields) } ?? true
    submission.isWaiting = isAll && !form.isUntouched
    if form.isUntouched { announce(.hint(.nothingChanged)) }
    leave(form, of: submission, saying: isAll ? .draftIsQueued : .draftSaved, in: flow)
  }
}
