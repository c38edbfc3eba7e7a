import MarketModel

extension ProductPatch {
  /// The patch with its discount as the amount taken off, as v2 writes it.
  func namingAmount(changing current: Price) throws(RepositoryError) -> ProductPatch {
    guard discount != nil else { return self }
    var patch = self
    patch.discount = .amount(try amounts(changing: current).off)
    return patch
  }

  /// The patch with its discount as the price to pay, as v1 writes it; also where the price alone
  /// changes, for v1 would keep the price to pay and not the amount.
  func namingPriceToPay(changing current: Price) throws(RepositoryError) -> ProductPatch {
    let amounts = try amounts(changing: current)
    guard discount != nil || (priceHundredths != nil && current.isReduced) else { return self }
    var patch = self
    patch.discount = .priceToPay(amounts.full - amounts.off)
    return patch
  }

  /// The full price and the amount taken off as they will be; 0 <= off <= full.
  private func amounts(
    changing current: Price
  ) throws(RepositoryError) -> (full: Int64, off: Int64) {
    let full = priceHundredths ?? current.full.hundredths
    let off: Int64
    switch discount {
    case nil: off = current.discountHundredths
    case .amount(let amount): off = amount
    case .priceToPay(let toPay):
      off = full.subtractingReportingOverflow(toPay).partialValue
    case .keepPriceToPay:
      off = max(0, full.subtractingReportingOverflow(current.toPay.hundredths).partialValue)
    }
    guard full >= 0 else { throw .invalid([FieldError(.price, .negative)]) }
    guard off >= 0 else { throw .invalid([FieldError(.discount, .negative)]) }
    guard off <= full else {
      throw .invalid([FieldError(.discount, .abovePrice(priceHundredths: full))])
    }
    return (full, off)
  }
}
