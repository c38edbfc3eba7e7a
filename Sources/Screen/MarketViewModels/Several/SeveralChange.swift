package import MarketModel

/// Change that several products get at once.
package nonisolated enum SeveralChange: Hashable, Sendable {
  case price(PriceStep)
  case stock(Int64)
  case deletion
  /// Gives each product back what a change of several took from it.
  case restoring([Product.ID: [ProductField: String]])

  /// By how much prices rise or fall.
  package enum PriceStep: Hashable, Sendable {
    /// In hundredths of the main unit of whatever currency a product has.
    case amount(Int64)
    /// In hundredths of a percent.
    case percent(Int64)
  }

  /// What the form of a product would have typed into it; nil where its price cannot be read or would
  /// not fit.
  func texts(for product: Product) -> [ProductField: String]? {
    switch self {
    case .deletion: return [:]
    case .restoring(let texts): return texts[product.id] ?? [:]
    case .stock(let stock): return [.stock: String(stock)]
    case .price(let step):
      guard let old = product.pricing.price, let full = step.applied(to: old.full) else {
        return nil
      }
      var texts: [ProductField: String] = [.price: MoneyDigits.text(full)]
      // The discount stays what it is, as far as the new price allows it.
      if old.discountHundredths > full.hundredths { texts[.discount] = MoneyDigits.text(full) }
      return texts
    }
  }

  /// What would give a product back what it was before this change; nil for what cannot be taken back.
  func textsBack(to product: Product) -> [ProductField: String]? {
    switch self {
    case .deletion, .restoring: return nil
    case .stock: return [.stock: String(product.stock)]
    case .price:
      guard let old = product.pricing.price, let changed = texts(for: product) else { return nil }
      var texts: [ProductField: String] = [.price: MoneyDigits.text(old.full)]
      if changed[.discount] != nil {
        texts[.discount] = MoneyDigits.text(
          Money(hundredths: old.discountHundredths, currency: old.currency))
      }
      return texts
    }
  }
}

nonisolated extension SeveralChange.PriceStep {
  /// Hundredths of a percent in a whole.
  private static let whole: Int64 = 10_000
  private static let longest = 20

  /// Reads `+1000`, `-2.50` or `-10%`: the sign says that it is no new price.
  package init?(_ text: String) {
    var digits = text.filter { !$0.isWhitespace && $0 != "," }
    guard digits.count <= Self.longest, let sign = digits.first, "+-−".contains(sign) else {
      return nil
    }
    digits.removeFirst()
    let isPercent = digits.last == "%"
    if isPercent { digits.removeLast() }
    let isNumber = digits.allSatisfy { ("0"..."9").contains($0) || $0 == "." }
    let decimals = digits.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    guard isNumber, digits.first?.isNumber == true, decimals.count <= 1,
      decimals.allSatisfy({ $0.count <= 2 }), let size = MoneyDigits.hundredths(digits), size > 0
    else { return nil }
    let signed = sign == "+" ? size : -size
    self = isPercent ? .percent(signed) : .amount(signed)
  }

  /// The new price, rounded to the decimals that its currency usually has and never below 0; nil where
  /// it does not fit.
  func applied(to old: Money) -> Money? {
    let change: Int64
    switch self {
    case .amount(let amount): change = amount
    case .percent(let percent):
      let (product, overflow) = old.hundredths.multipliedReportingOverflow(by: percent)
      guard !overflow else { return nil }
      change = Self.rounded(product, to: Self.whole) / Self.whole
    }
    let (sum, overflow) = old.hundredths.addingReportingOverflow(change)
    guard !overflow, sum < .max - 100 else { return nil }
    let unit: Int64 = old.currency.usualDecimals > 0 ? 1 : 100
    return Money(hundredths: Self.rounded(max(0, sum), to: unit), currency: old.currency)
  }

  /// The multiple of a unit that is nearest, half away from zero.
  private static func rounded(_ number: Int64, to unit: Int64) -> Int64 {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: unit)
    return (whole + (rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0)) * unit
  }
}
