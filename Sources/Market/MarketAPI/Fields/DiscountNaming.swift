import MarketModel

extension ProductPatch {
  /// The patch with its discount as the amount taken off, as v2 writes it.
  func namingAmount(changing current: Price) throws(RepositoryError) -> ProductPatch {
    guard discount != nil else { return self }
    var patch = self
    patch.discount = .amount(try priceNow(over: current).discountHundredths)
    return patch
  }

  /// The patch with its discount as the price to pay, as v1 writes it; also where the price alone
  /// changes, for v1 would keep the price to pay and not the amount.
  func namingPriceToPay(changing current: Price) throws(RepositoryError) -> ProductPatch {
    let price = try priceNow(over: current)
    guard discount != nil || (priceHundredths != nil && current.isReduced) else { return self }
    var patch = self
    patch.discount = .priceToPay(price.toPay.hundredths)
    return patch
  }

  /// The price as the patch leaves it, which keeps the rules.
  private func priceNow(over current: Price) throws(RepositoryError) -> Price {
    let (full, discount) = prices(over: current)
    guard let price = Price(full: full, discountHundredths: discount) else {
      throw .invalid(StorageRules.price(full.hundredths, discount: discount))
    }
    return price
  }
}
