internal import MarketModel

extension SellingModel {
  /// `D`: deletes a product with its password, after one question.
  package func delete(_ product: ListedProduct) {
    begin { [self] flow in
      let error = await send(.deletion, product, after: .deletion(product), in: flow) {
        .deletion(product.id, $0)
      }
      guard let error else { return }
      // Somebody was quicker: what is gone leaves the list as well.
      if error == .notFound { tell(.deleted(product.id)) }
      announce(.notSent(error, keepsForm: false))
    }
  }
}
