internal import MarketModel

/// Step of a product's sale that one key makes, and another one takes back.
package nonisolated enum SaleStep: Hashable, Sendable {
  case reserve, endReservation
  /// None is left.
  case sell
  /// One is left again.
  case restock

  package var change: BulkChange {
    switch self {
    case .reserve: .reservation(true)
    case .endReservation: .reservation(false)
    case .sell: .stock(0)
    case .restock: .stock(1)
    }
  }

  /// The steps of `z` and `Z` for products: back where all of them have made it.
  package static func next(for products: [ListedProduct]) -> [SaleStep] {
    let (areReserved, areSold) =
      products.isEmpty
      ? (false, false)
      : (
        products.allSatisfy(\.product.isReserved), products.allSatisfy(\.product.isSoldOut)
      )
    return [areReserved ? .endReservation : .reserve, areSold ? .restock : .sell]
  }
}

extension SellingModel {
  /// `z`, `Z`: makes a step of a product's sale with its password, without a question, for it can be
  /// taken back; where the market cannot be reached it is kept as a draft.
  package func make(_ step: SaleStep, of product: ListedProduct) {
    begin { [self] flow in
      let read = await flow.work { [services] () async throws(RepositoryError) in
        try await FormDataLoader(services: services).form(of: product.id, with: step.change)
      }
      switch read {
      case .success(let form): await send(form, making: step, of: product, in: flow)
      case .failure(let error): await didFail(error, making: step, of: product, in: flow)
      case nil: return
      }
    }
  }

  private func send(
    _ form: ProductForm, making step: SaleStep, of product: ListedProduct, in flow: Flow
  ) async {
    guard case .edit(let base) = form.purpose else { return }
    if step == .reserve, base.product.isSoldOut {
      tell(.changed(base))
      return announce(.hint(.soldNotReserved))
    }
    guard !form.patch().isEmpty else {
      // It is so by now, which its row may not show yet.
      tell(.changed(base))
      return announce(.hint(.nothingChanged))
    }
    let error = await send(.step(step), product, sending: form, in: flow) {
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
      try await loader.rememberedForm(of: product.product, with: step.change)
    }
    guard case .success((let form, let left)) = known else {
      return announce(.notSent(error, keepsForm: false))
    }
    if step == .reserve, form.values.value(of: .stock) == .number(0) {
      return announce(.hint(.soldNotReserved))
    }
    let submission = submission(to: .edit, product, from: left)
    submission.isWaiting = !form.isUntouched
    if form.isUntouched { announce(.hint(.nothingChanged)) }
    leave(form, of: submission, saying: .draftIsQueued, in: flow)
  }
}
