/// What a product costs: the full price and the amount taken off it.
package struct Price: Hashable, Sendable {
  /// The price before the discount.
  package let full: Money
  /// The amount taken off, in hundredths: 0 is no discount, never more than the full price.
  package let discountHundredths: Int64

  /// - Returns: nil where the price is negative, or the discount is negative or above the price.
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

  package var discount: Money {
    Money(hundredths: discountHundredths, currency: full.currency)
  }

  package var isReduced: Bool { discountHundredths > 0 }

  package var currency: Currency { full.currency }

  /// The discount in whole percent of the full price, rounded down but at least 1 where there is
  /// any; 0 without a discount.
  package var discountPercent: Int {
    guard isReduced else { return 0 }
    let percent = Double(discountHundredths) / Double(full.hundredths) * 100
    return max(1, Int(percent))
  }
}

/// A price as a repository delivered it.
package enum Pricing: Hashable, Sendable {
  case readable(Price)
  /// The source sent something that is no price or does not fit.
  case unreadable

  package var price: Price? {
    guard case .readable(let price) = self else { return nil }
    return price
  }
}
