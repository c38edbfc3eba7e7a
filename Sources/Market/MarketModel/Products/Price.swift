/// Price of a product: full price and discount.
package struct Price: Hashable, Sendable {
  package let full: Money
  /// Amount taken off, in hundredths: 0 for no discount, at most the full price.
  package let discountHundredths: Int64

  /// Nil where the price is negative, or the discount is negative or above the price.
  package init?(full: Money, discountHundredths: Int64 = 0) {
    guard full.hundredths >= 0, (0...full.hundredths).contains(discountHundredths) else {
      return nil
    }
    self.full = full
    self.discountHundredths = discountHundredths
  }

  /// The price to pay.
  package var toPay: Money {
    Money(hundredths: full.hundredths - discountHundredths, currency: full.currency)
  }

  package var isReduced: Bool { discountHundredths > 0 }

  package var currency: Currency { full.currency }

  /// Discount in whole percent of the full price, rounded down but at least 1; 0 without a discount.
  package var discountPercent: Int {
    guard isReduced else { return 0 }
    let percent = Double(discountHundredths) / Double(full.hundredths) * 100
    return max(1, Int(percent))
  }
}

/// Price as received from a repository.
package enum Pricing: Hashable, Sendable {
  case readable(Price)
  /// The repository sent no price, or one that breaks the rules.
  case unreadable

  package var price: Price? {
    guard case .readable(let price) = self else { return nil }
    return price
  }
}

/// Amount in one currency, in hundredths of its main unit.
///
/// Hundredths keep ₩1,690,000, $12.50 and even a foreign server's ₩2.36 exact.
package struct Money: Hashable, Sendable {
  package var hundredths: Int64
  package var currency: Currency

  package init(hundredths: Int64, currency: Currency) {
    self.hundredths = hundredths
    self.currency = currency
  }

  /// Whole main units, rounded up, for places that show no fraction.
  package var unitsRoundedUp: Int64 {
    let (units, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return rest > 0 ? units + 1 : units
  }

  /// `unitsRoundedUp` in hundredths; the exact amount where that would overflow.
  package var hundredthsRoundedUp: Int64 {
    let (product, overflow) = unitsRoundedUp.multipliedReportingOverflow(by: 100)
    return overflow ? hundredths : product
  }
}

/// Currency by its three-letter code: ISO 4217, or any code that a server sends.
package struct Currency: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let krw = Currency(rawValue: "KRW")
  package static let usd = Currency(rawValue: "USD")

  /// Decimals that the currency is usually written with: 0 for won and yen, 2 for most others.
  package var usualDecimals: Int {
    Self.withoutDecimals.contains(rawValue) ? 0 : 2
  }

  private static let withoutDecimals = ["KRW", "JPY", "VND", "CLP", "ISK", "HUF"]
}

extension Currency: Comparable {
  /// Orders the won first, then by code.
  package static func < (left: Currency, right: Currency) -> Bool {
    if (left == .krw) != (right == .krw) { return left == .krw }
    return left.rawValue < right.rawValue
  }
}
