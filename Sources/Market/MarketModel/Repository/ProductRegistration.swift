/// A product as a seller registers it.
package struct ProductRegistration: Sendable {
  package var name: String
  package var description: String
  package var price: Money
  /// The amount taken off, in hundredths of the same currency.
  package var discountHundredths: Int64
  package var stock: Int64
  /// 1 to 5 picture files as they were uploaded; the first is the thumbnail.
  package var pictures: [[UInt8]]
  package var password: Password

  package init(
    name: String, description: String, price: Money, discountHundredths: Int64 = 0, stock: Int64,
    pictures: [[UInt8]], password: Password
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discountHundredths = discountHundredths
    self.stock = stock
    self.pictures = pictures
    self.password = password
  }
}

/// A random text that marks one intent to register, however often it is sent.
package struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}
