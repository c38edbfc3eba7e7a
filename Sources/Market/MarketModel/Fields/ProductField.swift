/// The fields of a product that a seller fills in, in the order of the form.
package enum ProductField: String, Hashable, Sendable, CaseIterable {
  case pictures
  case name
  case currency
  case price
  case discount
  case stock
  case description
  case password
}

/// What is wrong with one field.
package struct FieldError: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case missing
    case unreadable
    /// Fewer than `minimum` characters, pieces or pictures.
    case tooShort(minimum: Int)
    /// More than `maximum` characters, pieces, bytes or pictures.
    case tooLong(maximum: Int)
    case negative
    /// A discount above the price, in hundredths.
    case abovePrice(priceHundredths: Int64)
    /// A text that is no amount of the product's currency.
    case amount(AmountError)
    /// An amount with a fraction, where the market takes whole units alone.
    case notWhole
    /// With the currencies that the market takes; none where nobody says so.
    case unsupportedCurrency([Currency])
    case unsupportedPicture
    case pictureTooLarge(maximumBytes: Int)
    /// What a server said in its own words; foreign text.
    case refused(String)
  }

  package var field: ProductField
  package var problem: Problem

  package init(_ field: ProductField, _ problem: Problem) {
    self.field = field
    self.problem = problem
  }
}
