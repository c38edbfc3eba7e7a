extension ProductPatch {
  /// The price as this patch leaves it.
  ///
  /// - Parameter old: the price before.
  /// - Returns: the new price; it may break the rules, and `StorageRules.problems(of:over:)` says so.
  package func prices(over old: Price) -> (full: Money, discountHundredths: Int64) {
    if isInUnits { return pricesInUnits(over: old) }
    let full = Money(
      hundredths: priceHundredths ?? old.full.hundredths, currency: currency ?? old.currency)
    return (full, discountHundredths(of: full, over: old))
  }

  private func discountHundredths(of full: Money, over old: Price) -> Int64 {
    switch discount {
    case nil: old.discountHundredths
    case .amount(let amount): amount
    case .priceToPay(let toPay): Self.discount(from: full, to: toPay)
    case .keepPriceToPay:
      old.isReduced && old.toPay.hundredths < full.hundredths
        ? Self.discount(from: full, to: old.toPay.hundredths) : 0
    }
  }

  /// The same where the amounts are those that v1 shows, in whole units rounded up: one that is
  /// named as it is shown stays exactly what it is, fraction included.
  private func pricesInUnits(over old: Price) -> (full: Money, discountHundredths: Int64) {
    let shown = (full: old.full.hundredthsRoundedUp, toPay: old.toPay.hundredthsRoundedUp)
    let named = priceHundredths ?? shown.full
    let isSameCurrency = currency == nil || currency == old.currency
    let isUnchanged = named == shown.full && (priceHundredths == nil || isSameCurrency)
    let full = Money(
      hundredths: isUnchanged ? old.full.hundredths : named, currency: currency ?? old.currency)
    switch discount {
    case .priceToPay(named): return (full, 0)
    case .priceToPay(shown.toPay) where shown.toPay < named:
      return (full, Self.discount(from: full, to: old.toPay.hundredths))
    case nil where isUnchanged, .keepPriceToPay where isUnchanged:
      return (full, old.discountHundredths)
    case nil, .keepPriceToPay:
      // A reduction of less than a unit is not shown, and goes with the price it was taken off.
      let stays = shown.toPay < shown.full && shown.toPay < full.hundredthsRoundedUp
      return (full, stays ? Self.discount(from: full, to: old.toPay.hundredths) : 0)
    case .priceToPay, .amount: return (full, discountHundredths(of: full, over: old))
    }
  }

  private static func discount(from full: Money, to toPay: Int64) -> Int64 {
    full.hundredths.subtractingReportingOverflow(toPay).partialValue
  }
}
