internal import MarketModel

extension SellingModel {
  /// `D`: deletes a product, after a confirmation and its password.
  package func delete(_ product: ListedProduct) {
    startFlow { [self] flow in
      let error = await send(.deletion, product, after: .deletion(product), in: flow) {
        .deletion(product.id, $0)
      }
      guard let error else { return }
      // It is already deleted: its row is removed as well.
      if error == .notFound { report(.deleted(product.id)) }
      announce(.notSent(error, keepsForm: false))
    }
  }
}
