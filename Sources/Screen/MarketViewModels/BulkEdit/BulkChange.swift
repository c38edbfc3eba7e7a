package import MarketModel

/// Change of a bulk edit.
package nonisolated enum BulkChange: Hashable, Sendable {
  case price(PriceStep)
  case stock(Int64)
  case reservation(Bool)
  case deletion
  /// Restores texts of each product, as the undo of a bulk edit.
  case restoring([Product.ID: [ProductField: String]])

  /// New price, or change of the price.
  package enum PriceStep: Hashable, Sendable {
    /// One price for all products, in each product's currency unless it names one.
    case absolute(Amount)
    /// Amount in each product's currency unless it names one.
    case amount(Amount, isRise: Bool)
    /// Hundredths of a percent, negative for a reduction.
    case percent(Int64)
  }

  /// Reads a typed price or price change.
  /// - Throws: what `PriceStep.init(_:)` throws.
  static func price(reading text: String) throws(AmountError) -> BulkChange {
    .price(try PriceStep(text))
  }

  /// Reads a typed stock.
  /// - Throws: `.noAmount` above the form's maximum; otherwise what `Amount.count(reading:)` throws.
  static func stock(reading text: String) throws(AmountError) -> BulkChange {
    let stock = try Amount.count(reading: text)
    guard stock <= FormRules[.stock].maximum else { throw .noAmount }
    return .stock(stock)
  }

  /// Texts to put into the form of a product.
  /// - Throws: `.invalid` if its price cannot be read, or the new one is too large or of another
  ///   currency.
  func texts(for product: Product) throws(RepositoryError) -> [ProductField: String] {
    switch self {
    case .deletion: return [:]
    case .restoring(let texts): return texts[product.id] ?? [:]
    case .stock(let stock): return [.stock: String(stock)]
    case .reservation(let isReserved): return [.reserved: Self.text(isReserved: isReserved)]
    case .price(let step):
      guard let old = product.pricing.price else {
        throw .invalid([FieldError(.price, .unreadable)])
      }
      let full: Money
      do throws(AmountError) {
        full = try step.applied(to: old.full)
      } catch {
        throw .invalid([FieldError(.price, .amount(error))])
      }
      var texts: [ProductField: String] = [.price: MoneyDigits.text(full)]
      let discount = PriceStep.discount(of: old, at: full)
      if discount.hundredths != old.discountHundredths {
        texts[.discount] = MoneyDigits.text(discount)
      }
      return texts
    }
  }

  /// Texts that restore a product's values before this change; nil for a deletion or a failed change.
  func textsBack(to product: Product) -> [ProductField: String]? {
    guard self != .deletion, let changed = try? texts(for: product) else { return nil }
    var texts: [ProductField: String] = [:]
    if changed[.stock] != nil { texts[.stock] = String(product.stock) }
    // The reservation ends when the stock becomes 0.
    if changed[.reserved] != nil || (product.isReserved && changed[.stock] == "0") {
      texts[.reserved] = Self.text(isReserved: product.isReserved)
    }
    if let old = product.pricing.price {
      if changed[.price] != nil { texts[.price] = MoneyDigits.text(old.full) }
      if changed[.discount] != nil {
        texts[.discount] = MoneyDigits.text(
          Money(hundredths: old.discountHundredths, currency: old.currency))
      }
    }
    return texts
  }

  private static func text(isReserved: Bool) -> String {
    FieldValue(flag: isReserved).texts.first ?? ""
  }

  /// Reason why products with prices in these currencies cannot get the change; nil if they can.
  func refusal(in currencies: Set<Currency>) -> PromptModel.Outcome? {
    guard case .price(.absolute(let amount)) = self, let first = currencies.first else {
      return nil
    }
    guard currencies.count == 1 else { return .severalCurrencies(currencies.sorted()) }
    do throws(AmountError) {
      _ = try amount.hundredths(in: first)
      return nil
    } catch {
      return .noAmount(error)
    }
  }
}

nonisolated extension BulkChange.PriceStep {
  /// Hundredths of a percent in 100 %.
  private static let whole: Int64 = 10_000

  /// Reads `12000` or `=12000` as a new price, `+1000`, `-2.50` or `-10%` as a change.
  /// - Throws: `.noAmount` for an empty text or a change of 0; otherwise what `Amount` and `Percent`
  ///   throw.
  package init(_ text: String) throws(AmountError) {
    var rest = text.trimmed
    guard let sign = rest.first else { throw .noAmount }
    guard "+-−＋－".contains(sign) else {
      if "=＝".contains(sign) { rest.removeFirst() }
      self = .absolute(try Amount(reading: rest))
      return
    }
    rest.removeFirst()
    let isRise = "+＋".contains(sign)
    if let percent = try Percent(reading: rest) {
      guard percent.hundredths > 0 else { throw .noAmount }
      self = .percent(isRise ? percent.hundredths : -percent.hundredths)
    } else {
      let amount = try Amount(reading: rest)
      guard amount.hundredths > 0 else { throw .noAmount }
      self = .amount(amount, isRise: isRise)
    }
  }

  /// The new price, rounded to the currency's usual decimals and at least 0.
  /// - Throws: `.tooLarge` on overflow; what `Amount.hundredths(in:)` throws for another currency.
  func applied(to old: Money) throws(AmountError) -> Money {
    let change: Int64
    switch self {
    case .absolute(let amount):
      return Money(hundredths: try amount.hundredths(in: old.currency), currency: old.currency)
    case .amount(let amount, let isRise):
      let hundredths = try amount.hundredths(in: old.currency)
      change = isRise ? hundredths : -hundredths
    case .percent(let percent):
      let (product, overflow) = old.hundredths.multipliedReportingOverflow(by: percent)
      guard !overflow else { throw .tooLarge }
      change = Self.rounded(product, to: Self.whole) / Self.whole
    }
    let (sum, overflow) = old.hundredths.addingReportingOverflow(change)
    guard !overflow, sum < .max - 100 else { throw .tooLarge }
    return Money(
      hundredths: Self.rounded(max(0, sum), to: Self.unit(of: old.currency)),
      currency: old.currency)
  }

  /// Discount at the same percentage of another price.
  static func discount(of old: Price, at full: Money) -> Money {
    guard old.discountHundredths > 0, old.full.hundredths > 0 else {
      return Money(hundredths: 0, currency: full.currency)
    }
    let (high, low) = old.discountHundredths.multipliedFullWidth(by: full.hundredths)
    let share = old.full.hundredths.dividingFullWidth((high, low)).quotient
    let unit = unit(of: full.currency)
    return Money(
      hundredths: min(rounded(share, to: unit), full.hundredths), currency: full.currency)
  }

  /// Hundredths of the currency's smallest usual amount.
  private static func unit(of currency: Currency) -> Int64 {
    currency.usualDecimals > 0 ? 1 : 100
  }

  /// Nearest multiple of a unit, half away from zero.
  private static func rounded(_ number: Int64, to unit: Int64) -> Int64 {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: unit)
    return (whole + (rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0)) * unit
  }
}
