import MarketModel

/// A registration that keeps the rules, with its password hashed and its pictures ready.
package struct RegistrationDraft: Sendable {
  package let name: String
  package let description: String
  package let price: Price
  package let stock: Int64
  package let pictures: [PreparedPicture]
  package let passwordHash: String

  package init(
    _ registration: ProductRegistration, price: Price, pictures: [PreparedPicture],
    passwordHash: String
  ) {
    name = registration.name
    description = registration.description
    self.price = price
    stock = registration.stock
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}
