extension ProductPatch {
  /// The price as this patch leaves it.
  ///
  /// - Parameter old: the price before.
  /// - Returns: the new price; it may break the rules, and `StorageRules.problems(of:over:)` says so.
  package func prices(over old: Price) -> (full: Money, discountHundredths: Int64) {
    let full = Money(
      hundredths: priceHundredths ?? old.full.hundredths, currency: currency ?? old.currency)
    return (full, discountHundredths(of: full, over: old))
  }

  private func discountHundredths(of full: Money, over old: Price) -> Int64 {
    switch discount {
    case nil: old.discountHundredths
    case .amount(let amount): amount
    case .priceToPay(let toPay): full.hundredths.subtractingReportingOverflow(toPay).partialValue
    case .keepPriceToPay:
      if old.isReduced, old.currency == full.currency, old.toPay.hundredths < full.hundredths {
        full.hundredths - old.toPay.hundredths
      } else {
        0
      }
    }
  }
}
